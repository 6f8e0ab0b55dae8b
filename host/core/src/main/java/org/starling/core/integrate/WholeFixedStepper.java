package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;

/**
 * Methods with a fixed step on an engine that makes whole steps: the clocks are those of {@link
 * FixedStepper}, the steps those of the engine. Output between step ends is a shortened step from
 * the start of the last one, for all methods.
 */
final class WholeFixedStepper extends Stepper {
  /** Most steps that are looked ahead at a time. */
  private static final int MOST = 4096;

  private final WholeSteps whole;
  private final RungeKutta scheme;
  private final double[] start;
  private final long[] count;

  /** The state at the start of the last step. */
  private final State old;

  /** Made when somebody borrows it. */
  private Field lent;

  WholeFixedStepper(
      IntegratorSpec spec,
      Engine engine,
      WholeSteps whole,
      RungeKutta scheme,
      Dynamics[] dynamics,
      State x) {
    super(spec, engine, dynamics, x);
    this.whole = whole;
    this.scheme = scheme;
    start = new double[replicas];
    count = new long[replicas];
    old = arrays.state();
  }

  @Override
  double trial(int r) {
    return spec.dt();
  }

  @Override
  double target(int r) {
    return target(r, count[r] + 1);
  }

  private double target(int r, long number) {
    return FixedStepper.end(start[r], number, spec.dt(), barrier(r));
  }

  @Override
  Outcome underflow(int r) {
    return outcome(
        r,
        Outcome.Kind.STEP_UNDERFLOW,
        -1,
        "dt = %.3g no longer changes t = %.17g in float64; use a larger dt",
        spec.dt(),
        time[r]);
  }

  @Override
  void switched(int r) {
    start[r] = time[r];
    count[r] = 0;
  }

  /** As many passes as the replica with most of them has needed. */
  @Override
  public long evaluations() {
    long most = 0;
    for (int r = 0; r < replicas; r++) {
      boolean failed = failure(r) != null && failure(r).kind() == Outcome.Kind.NON_FINITE;
      most = Math.max(most, steps(r) + (failed ? 1 : 0));
    }
    return most * scheme.stages();
  }

  @Override
  public void attempt(boolean[] active) {
    make(begin(active), null);
  }

  @Override
  public void advance(boolean[] active, Pause pause) {
    make(begin(active), pause);
  }

  /**
   * @param pause null for one step
   */
  private void make(boolean[] batch, Pause pause) {
    if (none(batch)) {
      return;
    }
    int[] most = new int[replicas];
    double[] h = new double[replicas];
    int last = -1;
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      // A full step is dt itself, not a difference of times, so that equal steps have equal bits.
      h[r] = target(r) == barrier(r) ? target(r) - time[r] : spec.dt();
      if (pause == null || target(r) == barrier(r)) {
        most[r] = 1;
      } else if (last >= 0 && sameClock(r, last)) {
        most[r] = most[last];
      } else {
        most[r] = stepsUntil(r, pause);
        last = r;
      }
    }
    WholeSteps.Progress made =
        whole.advance(scheme, x, old, layersNow(batch), h, most, watching(pause));
    note(made.report());
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r]) {
        continue;
      }
      if (made.steps()[r] > 0) {
        moved[r] = true;
        int steps = made.steps()[r];
        double from = steps == 1 ? time[r] : target(r, count[r] + steps - 1);
        double to = target(r, count[r] + steps);
        count[r] += steps;
        accept(r, steps, from, to);
      }
      if (made.nonFinite()[r] >= 0) {
        fail(
            r,
            Outcome.Kind.NON_FINITE,
            made.nonFinite()[r],
            "token %d became non-finite in the step from t = %.6g to %.6g; the state at t = %.6g is"
                + " kept. Use a smaller dt, or dopri5, which chooses its steps",
            made.nonFinite()[r],
            time[r],
            target(r),
            time[r]);
      }
    }
    watchResolution(moved, h, made.motion());
  }

  private boolean sameClock(int r, int q) {
    return start[r] == start[q]
        && count[r] == count[q]
        && time[r] == time[q]
        && barrier(r) == barrier(q)
        && steps(r) == steps(q);
  }

  /** Full steps, at least one, that replica r may make before its pause or the next barrier. */
  private int stepsUntil(int r, Pause pause) {
    int limit = (int) Math.min(MOST, Math.min(pause.stepsLeft(steps(r)), attemptsLeft(r)));
    double barrier = barrier(r);
    double t = target(r);
    int made = 1;
    while (made < limit && t < pause.reach()) {
      double next = target(r, count[r] + made + 1);
      if (next == barrier
          || t + (next - t) >= pause.before()
          || next <= t
          || spec.dt() < floorAt(t)) {
        break;
      }
      t = next;
      made++;
    }
    return made;
  }

  @Override
  public void interpolate(double[] t, boolean[] which, State out) {
    boolean[] inside = new boolean[replicas];
    boolean[] atEnd = new boolean[replicas];
    double[] h = new double[replicas];
    int[] current = index.clone();
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        checkInside(r, t[r]);
        atEnd[r] = t[r] == time[r];
        inside[r] = !atEnd[r];
        h[r] = t[r] - previous[r];
        if (inside[r]) {
          index[r] = stepIndex[r];
        }
      }
    }
    if (!none(atEnd)) {
      copy(x, out, atEnd);
    }
    shortened(old, inside, h, out);
    System.arraycopy(current, 0, index, 0, replicas);
  }

  @Override
  public boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
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
    shortened(x, ahead, h, out);
    return which.clone();
  }

  /**
   * One step of size h[r] from {@code from}; a token that leaves the finite numbers is left there.
   */
  private void shortened(State from, boolean[] which, double[] h, State out) {
    if (none(which)) {
      return;
    }
    copy(from, out, which);
    int[] once = new int[replicas];
    for (int r = 0; r < replicas; r++) {
      once[r] = which[r] && h[r] > 0 ? 1 : 0;
    }
    while (Arrays.stream(once).anyMatch(c -> c > 0)) {
      WholeSteps.Progress made =
          whole.advance(scheme, out, null, layersNow(which), h, once, WholeSteps.Watching.NOTHING);
      for (int r = 0; r < replicas; r++) {
        once[r] -= made.nonFinite()[r] >= 0 ? once[r] : made.steps()[r];
      }
    }
  }

  @Override
  public Field lend(boolean[] which) {
    if (lent == null) {
      lent = arrays.field();
    }
    return lent;
  }

  @Override
  public void velocities(Layer[] layers, boolean[] which, Field out) {
    whole.slope(scheme.ofVelocity(), x, layers, which, out);
  }

  @Override
  void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(start[r]);
    out.writeLong(count[r]);
  }

  @Override
  void restoreOwn(int r, DataInputStream in) throws IOException {
    start[r] = in.readDouble();
    count[r] = in.readLong();
  }
}
