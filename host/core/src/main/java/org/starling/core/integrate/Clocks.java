package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Precision;

/**
 * Where every replica stands in time: its clock, the weights in force, how many attempts it has
 * made, and why it cannot go on.
 */
abstract class Clocks implements Integrator {
  private static final double ULPS = 16;

  final IntegratorSpec spec;
  final int replicas;

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

  final Dynamics[] dynamics;
  final Horizon[] horizon;
  final boolean[] accepted;
  final long[] steps;
  final long[] rejected;
  final Outcome[] failure;

  Clocks(IntegratorSpec spec, Precision precision, Dynamics[] dynamics) {
    this.spec = spec;
    this.dynamics = dynamics;
    replicas = dynamics.length;
    time = new double[replicas];
    previous = new double[replicas];
    index = new int[replicas];
    stepIndex = new int[replicas];
    held = new boolean[replicas];
    accepted = new boolean[replicas];
    steps = new long[replicas];
    rejected = new long[replicas];
    failure = new Outcome[replicas];
    horizon = new Horizon[replicas];
    for (int r = 0; r < replicas; r++) {
      horizon[r] =
          r > 0 && dynamics[r] == dynamics[r - 1]
              ? horizon[r - 1]
              : Horizon.of(dynamics[r], precision);
    }
  }

  /** Where the current step must end at the latest: a switch of weights, or the horizon. */
  final double barrier(int r) {
    return Math.min(dynamics[r].end(index[r]), horizon[r].time());
  }

  final double switchTime(int r) {
    return dynamics[r].end(index[r]);
  }

  final boolean ended(int r) {
    return index[r] >= dynamics[r].weights().layers() || time[r] >= horizon[r].time();
  }

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

  /** Attempts that the step limit leaves replica r. */
  final long attemptsLeft(int r) {
    return spec.maxSteps() - steps[r] - rejected[r];
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
  public final double time(int r) {
    return time[r];
  }

  @Override
  public final double previousTime(int r) {
    return previous[r];
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
  public final boolean accepted(int r) {
    return accepted[r];
  }

  @Override
  public final Outcome failure(int r) {
    return failure[r];
  }

  // --- saving ---

  final void saveClock(int r, DataOutputStream out) throws IOException {
    out.writeDouble(time[r]);
    out.writeDouble(previous[r]);
    out.writeInt(index[r]);
    out.writeLong(steps[r]);
    out.writeLong(rejected[r]);
  }

  final void restoreClock(int r, DataInputStream in) throws IOException {
    time[r] = in.readDouble();
    previous[r] = in.readDouble();
    index[r] = in.readInt();
    steps[r] = in.readLong();
    rejected[r] = in.readLong();
  }

  /** After a restore nothing is known of the last step. */
  final void forgetLast() {
    Arrays.fill(accepted, false);
    Arrays.fill(held, false);
    Arrays.fill(failure, null);
  }
}
