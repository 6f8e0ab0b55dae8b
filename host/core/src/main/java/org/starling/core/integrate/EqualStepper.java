package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.starling.core.engine.Engine;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;

/**
 * Steppers whose steps are all dt. Times are start + k dt by multiplication, counted from the start
 * of the current weight set, whose last step is shortened (or, within a billionth of dt, stretched)
 * to end at the switch. Output between step ends, and ahead of them, is a shortened step.
 */
abstract class EqualStepper extends Stepper {
  /** Part of dt below which a remainder before a switch is rounding, not a step. */
  private static final double ROUNDING = 1e-9;

  final double[] start;
  final long[] count;

  /** The state at the start of the last step. */
  State old;

  EqualStepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec, engine, dynamics, x);
    start = new double[replicas];
    count = new long[replicas];
    old = arrays.state();
  }

  @Override
  final double trial(int r) {
    return spec.dt();
  }

  @Override
  final double target(int r) {
    return target(r, count[r] + 1);
  }

  /** End of step {@code number} of the current weights, from 1. */
  final double target(int r, long number) {
    return end(start[r], number, spec.dt(), barrier(r));
  }

  /** A full step is dt itself, not a difference of times, so that equal steps have equal bits. */
  final double size(int r) {
    return target(r) == barrier(r) ? target(r) - time[r] : spec.dt();
  }

  private static double end(double start, long number, double dt, double barrier) {
    double t = start + number * dt;
    return t >= barrier - ROUNDING * dt ? barrier : t;
  }

  /** Whether a step ends at t &gt; 0 exactly, where nothing but switches of weights shortens it. */
  static boolean endsAt(double t, double dt, Dynamics dynamics) {
    int layer = dynamics.layerIndex(t);
    double start = dynamics.start(layer);
    long number = (long) Math.rint((t - start) / dt);
    return number == 0 ? t == start : end(start, number, dt, dynamics.end(layer)) == t;
  }

  /**
   * Full steps, at least one, that replica r may make before its pause or the next barrier.
   *
   * @param most the longest answer
   */
  final int stepsUntil(int r, int most, Pause pause) {
    long limit = Math.min(most, Math.min(pause.stepsLeft(steps(r)), attemptsLeft(r)));
    double barrier = barrier(r);
    double t = time[r];
    int made = 0;
    while (made < limit) {
      double next = target(r, count[r] + made + 1);
      // One that is cut short, and limits of resolution, are for a step of their own to judge.
      if (next == barrier
          || next <= t
          || spec.dt() < floorAt(t)
          || (made > 0 && (t >= pause.reach() || t + (next - t) >= pause.before()))) {
        break;
      }
      t = next;
      made++;
    }
    return Math.max(1, made);
  }

  @Override
  final Outcome underflow(int r) {
    return outcome(
        r,
        Outcome.Kind.STEP_UNDERFLOW,
        -1,
        "dt = %.3g no longer changes t = %.17g in float64; use a larger dt",
        spec.dt(),
        time[r]);
  }

  final void failNonFinite(int r, int token, double to) {
    fail(
        r,
        Outcome.Kind.NON_FINITE,
        token,
        "token %d became non-finite in the step from t = %.6g to %.6g; the state at t = %.6g is"
            + " kept. Use a smaller dt, or dopri5, which chooses its steps",
        token,
        time[r],
        to,
        time[r]);
  }

  @Override
  final void switched(int r) {
    start[r] = time[r];
    count[r] = 0;
  }

  // --- output ---

  /**
   * One step of size h[r] from {@code base}, at times from[r] to to[r]; {@code out} is not base.
   *
   * @param ago 1 where it is the last step that is shortened, 0 where it is the next one
   * @param which may be none
   */
  abstract void shortened(
      State base, double[] from, double[] to, double[] h, int ago, boolean[] which, State out);

  @Override
  public final void interpolate(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    boolean[] inside = inside(t, which, h, out);
    int[] current = index.clone();
    for (int r = 0; r < replicas; r++) {
      index[r] = inside[r] ? stepIndex[r] : index[r];
    }
    shortened(old, previous, t, h, 1, inside, out);
    System.arraycopy(current, 0, index, 0, replicas);
  }

  @Override
  public final boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    shortened(x, time, t, h, 0, ahead(t, which, h, out), out);
    return which.clone();
  }

  // --- saving ---

  @Override
  final void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(start[r]);
    out.writeLong(count[r]);
  }

  @Override
  final void restoreOwn(int r, DataInputStream in) throws IOException {
    start[r] = in.readDouble();
    count[r] = in.readLong();
  }
}
