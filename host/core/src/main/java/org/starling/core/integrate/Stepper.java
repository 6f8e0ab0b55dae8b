package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;

/** What all methods share: the clocks of the replicas, evaluation, limits, saving and closing. */
abstract class Stepper implements Integrator {
  private static final double ULPS = 16;

  final IntegratorSpec spec;
  final Engine engine;
  final int replicas;

  /** The accepted state; one that {@link #arrays} holds may take its place. */
  State x;

  private final State given;

  /** What the method holds besides x. */
  final OwnedArrays arrays;

  final double[] time;
  final double[] previous;

  /**
   * Index of the weight set in force; kept, not derived from t, so that rounding cannot move it.
   */
  final int[] index;

  /** Index of the weight set in which the last accepted step was made. */
  final int[] stepIndex;

  /** Whether the step that ended at time[r] can be interpolated. */
  final boolean[] held;

  private final boolean sphere;
  private final Dynamics[] dynamics;
  private final Horizon[] horizon;
  private final StageLayers layers;

  /** Null where nothing is merged. */
  private final Merger merger;

  private final boolean[] accepted;
  private final long[] steps;
  private final long[] rejected;
  private final Outcome[] failure;
  private long evaluations;
  private FieldReport report = FieldReport.CLEAN;
  private final ResolutionWatch watch = new ResolutionWatch();

  Stepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    this.spec = spec;
    this.engine = engine;
    this.dynamics = dynamics;
    this.x = x;
    given = x;
    arrays = new OwnedArrays(engine, x.shape());
    replicas = dynamics.length;
    sphere = dynamics[0].geometry() == Geometry.SPHERE;
    time = new double[replicas];
    previous = new double[replicas];
    index = new int[replicas];
    stepIndex = new int[replicas];
    held = new boolean[replicas];
    accepted = new boolean[replicas];
    steps = new long[replicas];
    rejected = new long[replicas];
    failure = new Outcome[replicas];
    layers = new StageLayers(dynamics);
    merger = spec.merging() == null ? null : merger(spec, dynamics, x);
    horizon = new Horizon[replicas];
    for (int r = 0; r < replicas; r++) {
      horizon[r] =
          r > 0 && dynamics[r] == dynamics[r - 1]
              ? horizon[r - 1]
              : Horizon.of(dynamics[r], engine.precision());
    }
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

  // --- clocks and limits ---

  /** Where the current step must end at the latest: a switch of weights, or the horizon. */
  final double barrier(int r) {
    return Math.min(dynamics[r].end(index[r]), horizon[r].time());
  }

  final double switchTime(int r) {
    return dynamics[r].end(index[r]);
  }

  private boolean ended(int r) {
    return index[r] >= dynamics[r].weights().layers() || time[r] >= horizon[r].time();
  }

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

  /** Steps below this cannot be told from rounding of t. */
  final double floor(int r) {
    return floorAt(time[r]);
  }

  final double floorAt(double t) {
    return Math.max(spec.minStep(), ULPS * Math.ulp(t));
  }

  /** An accepted step to t: the clock moves on, and past a switch to the next weights. */
  final void accept(int r, double t) {
    accept(r, 1, time[r], t);
  }

  /** So many accepted steps within the current weights, the last one from {@code from} to t. */
  final void accept(int r, long count, double from, double t) {
    previous[r] = from;
    stepIndex[r] = index[r];
    time[r] = t;
    steps[r] += count;
    accepted[r] = true;
    held[r] = true;
    if (t >= switchTime(r)) {
      index[r]++;
      switched(r);
    }
  }

  final void reject(int r) {
    reject(r, 1);
  }

  final void reject(int r, long count) {
    rejected[r] += count;
  }

  /** Steps made, per replica, and what further ones may stop at. */
  final WholeSteps.Watching watching(Pause pause) {
    return pause == null || pause.watches().isEmpty()
        ? WholeSteps.Watching.NOTHING
        : new WholeSteps.Watching(pause.watches(), steps.clone());
  }

  /** Attempts that the step limit leaves replica r. */
  final long attemptsLeft(int r) {
    return spec.maxSteps() - steps[r] - rejected[r];
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

  /** Replica r has just reached a switch of weights: the stepper restarts. */
  abstract void switched(int r);

  final void fail(int r, Outcome.Kind kind, int token, String format, Object... args) {
    failure[r] = outcome(r, kind, token, format, args);
  }

  final Outcome outcome(int r, Outcome.Kind kind, int token, String format, Object... args) {
    String body = String.format(Locale.ROOT, format, args);
    String sentence =
        replicas > 1
            ? "Replica " + r + ": " + body + "."
            : body.substring(0, 1).toUpperCase(Locale.ROOT) + body.substring(1) + ".";
    return new Outcome(kind, sentence, r, time[r], steps[r], token);
  }

  /** The same where the engine has measured the motion in the last step made. */
  final void watchResolution(boolean[] moved, double[] h, double[] motion) {
    watch.look(engine.precision(), moved, time, h, motion);
  }

  /** Advice when float32 moves no token any more: v is a velocity of the steps h just made. */
  final void watchResolution(boolean[] moved, double[] h, Field v) {
    watch.look(engine, x, moved, steps, time, h, v);
  }

  // --- checks of output times ---

  final void checkInside(int r, double t) {
    if (!(t >= previous[r] && t <= time[r])) {
      throw new IllegalArgumentException(
          "replica "
              + r
              + ": t = "
              + t
              + " is outside of the last step, "
              + previous[r]
              + " to "
              + time[r]);
    }
    if (t < time[r] && !held[r]) {
      throw new IllegalStateException(
          "replica " + r + ": the step to t = " + time[r] + " is no longer held");
    }
  }

  final void checkAhead(int r, double t) {
    if (!(t >= time[r] && (t == time[r] || (t <= barrier(r) && !ended(r))))) {
      throw new IllegalArgumentException(
          "replica "
              + r
              + ": a side step to t = "
              + t
              + " must end between t = "
              + time[r]
              + " and the end of the layer at "
              + barrier(r));
    }
  }

  // --- the contract's plain questions ---

  @Override
  public final State state() {
    return x;
  }

  @Override
  public final double time(int r) {
    return time[r];
  }

  @Override
  public final double previousTime(int r) {
    return previous[r];
  }

  @Override
  public final double stepSize(int r) {
    return ended(r) ? 0 : target(r) - time[r];
  }

  @Override
  public final long steps(int r) {
    return steps[r];
  }

  @Override
  public final long rejected(int r) {
    return rejected[r];
  }

  @Override
  public long evaluations() {
    return evaluations;
  }

  @Override
  public final boolean accepted(int r) {
    return accepted[r];
  }

  @Override
  public final Outcome failure(int r) {
    return failure[r];
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
            out.writeDouble(time[r]);
            out.writeDouble(previous[r]);
            out.writeInt(index[r]);
            out.writeLong(steps[r]);
            out.writeLong(rejected[r]);
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
            time[r] = in.readDouble();
            previous[r] = in.readDouble();
            index[r] = in.readInt();
            steps[r] = in.readLong();
            rejected[r] = in.readLong();
            restoreOwn(r, in);
            if (merger != null) {
              merger.restore(r, in);
            }
          }
        });
    Arrays.fill(accepted, false);
    Arrays.fill(held, false);
    Arrays.fill(failure, null);
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
