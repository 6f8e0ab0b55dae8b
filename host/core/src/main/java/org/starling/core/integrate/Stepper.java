package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;

/** What all methods share: evaluation, the limits of an attempt, saving and closing. */
abstract class Stepper extends Clocks {
  final Engine engine;

  /** The accepted state; one that {@link #arrays} holds may take its place. */
  State x;

  private final State given;

  /** What the method holds besides x. */
  final OwnedArrays arrays;

  private final boolean sphere;
  private final StageLayers layers;

  /** Null where nothing is merged. */
  private final Merger merger;

  private long evaluations;
  private FieldReport report = FieldReport.CLEAN;
  private final ResolutionWatch watch = new ResolutionWatch();

  Stepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec, engine.precision(), dynamics);
    this.engine = engine;
    this.x = x;
    given = x;
    arrays = new OwnedArrays(engine, x.shape());
    sphere = dynamics[0].geometry() == Geometry.SPHERE;
    layers = new StageLayers(dynamics);
    merger = spec.merging() == null ? null : merger(spec, dynamics, x);
  }

  private static Merger merger(IntegratorSpec spec, Dynamics[] dynamics, State x) {
    boolean[] full = new boolean[dynamics.length];
    for (int r = 0; r < full.length; r++) {
      full[r] = dynamics[r].mask().full();
    }
    return new Merger(spec.merging(), x.shape(), full, dynamics[0].geometry());
  }

  // --- what the engine does ---

  final void copy(State from, State to, boolean[] which) {
    engine.combine(to, from, new double[0][], new Field[0], which);
  }

  final void retract(State s, boolean[] which) {
    if (sphere) {
      engine.retract(s, which);
    }
  }

  /** A copy, put back on the sphere in that geometry. */
  final void settle(State from, State to, boolean[] which) {
    if (sphere) {
      engine.retract(to, from, which);
    } else {
      copy(from, to, which);
    }
  }

  /** Velocity (or attention output, for layers) at times t[r] within the current weight sets. */
  final void evaluate(State at, double[] t, boolean[] which, Field out, boolean counted) {
    Layer[] now = layers.at(t, index, which);
    now = merger == null ? now : merger.apply(now, which);
    slope(at, now, which, out);
    if (counted) {
      evaluations++;
    } else {
      engine.dropReport();
    }
  }

  /** One evaluation of these layers. */
  void slope(State at, Layer[] now, boolean[] which, Field out) {
    if (spec.method() == Method.LAYERS) {
      engine.attend(at, now, which, out);
    } else {
      engine.velocity(at, now, which, out);
    }
  }

  /**
   * Takes over what the counted evaluations reported; before anything else evaluates, and where the
   * host waits for the device anyway.
   */
  final void collect() {
    report = report.and(engine.takeReport());
  }

  // --- limits ---

  /** Size of the step that would be tried, barriers ignored; positive. */
  abstract double trial(int r);

  /** End of the step that would be tried: at the barrier exactly, or before it. */
  abstract double target(int r);

  /** Extra sentence for an underflow; may evaluate the velocity of replica r. */
  abstract Outcome underflow(int r);

  /**
   * Starts an attempt: the replicas that can go on. The others get their failure here, so that a
   * run that stops exactly at a limit has not failed.
   */
  final boolean[] begin(boolean[] active) {
    // Others have used the engine since: observers, checks, output.
    engine.dropReport();
    boolean[] batch = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!active[r]) {
        continue;
      }
      if (failure[r] != null) {
        throw new IllegalStateException("replica " + r + " cannot go on: " + failure[r].sentence());
      }
      accepted[r] = false;
      if (index[r] >= dynamics[r].weights().layers()) {
        fail(
            r,
            Outcome.Kind.STOP_CONDITION,
            -1,
            "the last of %d layers ends at t = %.6g",
            dynamics[r].weights().layers(),
            time[r]);
      } else if (time[r] >= horizon[r].time()) {
        fail(r, Outcome.Kind.RESOLUTION_HORIZON, -1, "%s", horizon[r].sentence());
      } else if (steps[r] + rejected[r] >= spec.maxSteps()) {
        fail(
            r,
            Outcome.Kind.STEP_LIMIT,
            -1,
            "the step limit was reached at t = %.6g (%d steps accepted, %d rejected, next step"
                + " %.3g); raise max_steps, or loosen rtol and atol",
            time[r],
            steps[r],
            rejected[r],
            trial(r));
      } else if (trial(r) < floor(r) || target(r) <= time[r]) {
        failure[r] = underflow(r);
      } else {
        batch[r] = true;
        held[r] = false;
      }
    }
    if (merger != null) {
      group(batch);
    }
    return batch;
  }

  /**
   * Groups the tokens of replicas that it is time for. Before a step, not after one: output within
   * the step that ended here still needs the keys of that step.
   */
  private void group(boolean[] batch) {
    boolean[] due = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      due[r] = batch[r] && merger.due(r, steps[r]);
    }
    if (none(due)) {
      return;
    }
    boolean[] changed = merger.group(engine, x, due, steps);
    for (int r = 0; r < replicas; r++) {
      if (changed[r]) {
        regrouped(r);
      }
    }
  }

  /**
   * The positions or keys of replica r are others than before: what was evaluated there is void.
   */
  void regrouped(int r) {}

  /**
   * Sorts replicas by whether a time within their last step is its end; those at the end are
   * written to {@code out} at once.
   *
   * @param h receives t less the start of the step
   * @return those inside
   */
  final boolean[] inside(double[] t, boolean[] which, double[] h, State out) {
    boolean[] inside = new boolean[replicas];
    boolean[] atEnd = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkInside(r, t[r]);
        atEnd[r] = t[r] == time[r];
        inside[r] = !atEnd[r];
        h[r] = t[r] - previous[r];
      }
    }
    if (!none(atEnd)) {
      copy(x, out, atEnd);
    }
    return inside;
  }

  /**
   * Sorts replicas by whether a side step leads on from where they are; the others are written to
   * {@code out} at once.
   *
   * @param h receives the sizes of the side steps
   * @return those ahead
   */
  final boolean[] ahead(double[] t, boolean[] which, double[] h, State out) {
    boolean[] ahead = new boolean[replicas];
    boolean[] here = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkAhead(r, t[r]);
        h[r] = t[r] - time[r];
        here[r] = t[r] == time[r];
        ahead[r] = !here[r];
      }
    }
    if (!none(here)) {
      copy(x, out, here);
    }
    return ahead;
  }

  /** Steps made, per replica, and what further ones may stop at. */
  final WholeSteps.Watching watching(Pause pause) {
    return pause == null || pause.watches().isEmpty()
        ? WholeSteps.Watching.NOTHING
        : new WholeSteps.Watching(pause.watches(), steps.clone());
  }

  /** Whether nearly coinciding tokens are merged. */
  final boolean merges() {
    return merger != null;
  }

  /** Layers of the current weight sets of an autonomous dynamics; valid until the next call. */
  final Layer[] layersNow(boolean[] which) {
    return layers.at(time, index, which);
  }

  /** Adds what passes outside of {@link #evaluate} reported. */
  final void note(FieldReport got) {
    report = report.and(got);
  }

  /** The same where the engine has measured the motion in the last step made. */
  final void watchResolution(boolean[] moved, double[] h, double[] motion) {
    watch.look(engine.precision(), moved, time, h, motion);
  }

  /** Advice when float32 moves no token any more: v is a velocity of the steps h just made. */
  final void watchResolution(boolean[] moved, double[] h, Field v) {
    watch.look(engine, x, moved, steps, time, h, v);
  }

  // --- the contract's plain questions ---

  @Override
  public final State state() {
    return x;
  }

  @Override
  public final double stepSize(int r) {
    return ended(r) ? 0 : target(r) - time[r];
  }

  @Override
  public long evaluations() {
    return evaluations;
  }

  @Override
  public final FieldReport takeReport() {
    FieldReport taken = report;
    report = FieldReport.CLEAN;
    return taken;
  }

  @Override
  public final String takeHint() {
    return watch.take();
  }

  @Override
  public final Layer[] evaluated(Layer[] all) {
    if (merger == null) {
      return all;
    }
    boolean[] every = new boolean[replicas];
    Arrays.fill(every, true);
    return merger.apply(all, every);
  }

  @Override
  public final Merging.Effect merging(int r) {
    return merger == null ? null : merger.effect(engine, x, r, steps[r]);
  }

  @Override
  public void velocities(Layer[] layers, boolean[] which, Field out) {
    engine.velocity(x, layers, which, out);
  }

  // --- saving ---

  /** What the method adds to a saved clock. */
  abstract void saveOwn(int r, DataOutputStream out) throws IOException;

  abstract void restoreOwn(int r, DataInputStream in) throws IOException;

  @Override
  public final byte[] save() {
    return SavedIntegrator.write(
        spec.method(),
        replicas,
        out -> {
          out.writeLong(evaluations);
          for (int r = 0; r < replicas; r++) {
            saveClock(r, out);
            saveOwn(r, out);
            if (merger != null) {
              merger.save(r, out);
            }
          }
        });
  }

  @Override
  public final void restore(byte[] saved) {
    SavedIntegrator.read(
        saved,
        spec.method(),
        replicas,
        in -> {
          evaluations = in.readLong();
          for (int r = 0; r < replicas; r++) {
            restoreClock(r, in);
            restoreOwn(r, in);
            if (merger != null) {
              merger.restore(r, in);
            }
          }
        });
    forgetLast();
  }

  @Override
  public final void close() {
    try {
      arrays.close();
    } finally {
      given.close();
    }
  }

  // --- small array idioms ---

  static boolean all(boolean[] which) {
    for (boolean w : which) {
      if (!w) {
        return false;
      }
    }
    return true;
  }

  static boolean none(boolean[] which) {
    for (boolean w : which) {
      if (w) {
        return false;
      }
    }
    return true;
  }

  static double[] scaled(double[] h, double c) {
    double[] out = h.clone();
    for (int r = 0; r < out.length; r++) {
      out[r] *= c;
    }
    return out;
  }
}
