package org.starling.core.integrate;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;

/**
 * The implicit method of {@link RadauScheme} for systems that stand still for exponentially long
 * times: its steps are as long as the motion is smooth, whatever attracts tokens within clusters.
 * Newton's iteration runs in float64 on the host; velocities come from the engine, so that they
 * keep their digits however small they are. The Jacobian is a central difference of the velocity at
 * the start of each step, of relative error about {@value #DIFFERENCE} squared times the curvature:
 * it decides how fast the iteration converges, not what it converges to.
 *
 * <p>Nothing is kept from step to step but the step size: the Jacobian is formed anew, the
 * iteration begins at the start of the step. So a run that is resumed goes on with the same bits.
 */
final class RadauStepper extends Stepper {
  /** Largest n d: a step solves dense systems of n d and 2 n d unknowns. */
  static final int LARGEST = 256;

  /** Part of a token's norm by which coordinates are moved for the differences. */
  private static final double DIFFERENCE = 6e-6;

  private static final int ITERATIONS = 10;
  private static final double SAFETY = 0.9;
  private static final double SMALLEST = 0.2;
  private static final double LARGEST_GROWTH = 8;
  private static final double EXPONENT = 0.25;
  private static final double STRETCH = 1.01;

  private final double[] size;
  private final boolean[] justRejected;
  private final boolean[] lastNonFinite;

  /** Unretracted end of a step, and places where velocities are asked for. */
  private final State stage;

  private final Field slope;
  private final int one;
  private final int d;

  /** Where the last steps began, and their stage differences, to answer questions about them. */
  private final double[][] from;

  private final double[][][] differences;

  RadauStepper(IntegratorSpec spec, Engine engine, Dynamics[] dynamics, State x) {
    super(spec, engine, dynamics, x);
    d = x.shape().d();
    one = x.shape().n() * d;
    size = new double[replicas];
    justRejected = new boolean[replicas];
    lastNonFinite = new boolean[replicas];
    from = new double[replicas][];
    differences = new double[replicas][][];
    Arrays.fill(size, spec.firstStep());
    try {
      stage = arrays.state();
      slope = arrays.field();
    } catch (RuntimeException e) {
      arrays.close();
      throw e;
    }
  }

  // --- step sizes ---

  @Override
  double trial(int r) {
    boolean[] which = new boolean[replicas];
    for (int k = 0; k < replicas; k++) {
      which[k] = size[k] == 0;
    }
    if (!none(which)) {
      double[] x0 = engine.download(x);
      double[] v = velocity(x0, time, which, false);
      for (int k = 0; k < replicas; k++) {
        if (which[k]) {
          double guess = StepControl.firstGuess(norm(x0, x0, x0, k), norm(v, x0, x0, k));
          size[k] = Math.min(guess, barrier(k) - time[k]);
        }
      }
    }
    return size[r];
  }

  @Override
  double target(int r) {
    double h = trial(r);
    double barrier = barrier(r);
    return time[r] + STRETCH * h >= barrier ? barrier : time[r] + h;
  }

  @Override
  void switched(int r) {}

  @Override
  Outcome underflow(int r) {
    boolean[] only = new boolean[replicas];
    only[r] = true;
    evaluate(x, time, only, slope, false);
    Engine.Extreme fastest = engine.largest(slope, only)[r];
    return outcome(
        r,
        lastNonFinite[r] ? Outcome.Kind.NON_FINITE : Outcome.Kind.STEP_UNDERFLOW,
        fastest.token(),
        "the step fell to %.3g at t = %.6g, below the smallest possible %.3g, without meeting rtol"
            + " %.3g and atol %.3g; token %d moves fastest, with speed %.3g. Loosen rtol and atol,"
            + " or use dopri5",
        size[r],
        time[r],
        floor(r),
        spec.rtol(),
        spec.atol(),
        fastest.token(),
        fastest.value());
  }

  // --- steps ---

  @Override
  public void attempt(boolean[] active) {
    boolean[] batch = begin(active);
    if (none(batch)) {
      return;
    }
    double[] to = time.clone();
    double[] h = new double[replicas];
    for (int r = 0; r < replicas; r++) {
      if (batch[r]) {
        to[r] = target(r);
        h[r] = to[r] == barrier(r) ? to[r] - time[r] : size[r];
      }
    }
    double[] x0 = engine.download(x);
    Step step = step(x0, h, batch, true);
    boolean[] moved = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      if (!batch[r] || failure[r] != null) {
        continue;
      }
      if (step.error[r] <= 1) {
        moved[r] = true;
        from[r] = Arrays.copyOfRange(x0, r * one, (r + 1) * one);
        differences[r] = step.z[r];
        double grown = h[r] * factor(step.error[r], step.iterations[r]);
        double next = justRejected[r] ? Math.min(h[r], grown) : grown;
        // A step clipped to a barrier says little about the size: keep that from before.
        size[r] = h[r] < size[r] ? Math.max(size[r], next) : next;
        justRejected[r] = false;
        lastNonFinite[r] = false;
        accept(r, to[r]);
      } else {
        reject(r);
        justRejected[r] = true;
        lastNonFinite[r] = Double.isNaN(step.error[r]) && step.iterations[r] == 0;
        size[r] =
            Double.isNaN(step.error[r])
                ? h[r] / 2
                : h[r] * factor(step.error[r], step.iterations[r]);
      }
    }
    collect();
    settleAt(x0, step.z, moved);
  }

  /** Writes ends of steps to x, on the sphere in that geometry. */
  private void settleAt(double[] x0, double[][][] z, boolean[] moved) {
    if (none(moved)) {
      return;
    }
    double[] end = x0.clone();
    for (int r = 0; r < replicas; r++) {
      for (int k = 0; moved[r] && k < one; k++) {
        end[r * one + k] += z[r][RadauScheme.STAGES - 1][k];
      }
    }
    engine.upload(stage, end);
    settle(stage, x, moved);
  }

  private static double factor(double error, int iterations) {
    double safety = SAFETY * (2 * ITERATIONS + 1) / (2 * ITERATIONS + iterations);
    return Math.max(SMALLEST, Math.min(LARGEST_GROWTH, safety * Math.pow(error, -EXPONENT)));
  }

  /**
   * A step of every replica.
   *
   * @param z stage differences {@code [R][3][n d]}
   * @param error in units of the tolerance; NaN where the iteration did not converge
   * @param iterations of Newton's method; 0 where a number was not finite
   */
  private record Step(double[][][] z, double[] error, int[] iterations) {}

  private Step step(double[] x0, double[] h, boolean[] batch, boolean counted) {
    double[] f0 = velocity(x0, time, batch, counted);
    boolean[] which = batch.clone();
    for (int r = 0; r < replicas; r++) {
      int token = which[r] ? nonFinite(f0, r) : -1;
      if (token >= 0) {
        which[r] = false;
        if (counted) {
          fail(
              r,
              Outcome.Kind.NON_FINITE,
              token,
              "the velocity of token %d is not finite at t = %.6g (step %d)",
              token,
              time[r],
              steps(r));
        }
      }
    }
    double[][] jacobian = jacobian(x0, which, counted);
    RadauSystem[] system = new RadauSystem[replicas];
    for (int r = 0; r < replicas; r++) {
      system[r] = which[r] ? new RadauSystem(jacobian[r], one, h[r]) : null;
    }
    Step step =
        new Step(
            new double[replicas][RadauScheme.STAGES][one], new double[replicas], new int[replicas]);
    Arrays.fill(step.error, Double.NaN);
    boolean[] converged = iterate(step, system, x0, h, which, counted);
    estimate(step, system, x0, f0, h, converged, counted);
    return step;
  }

  /** Newton's iteration for the stage differences; returns where it converged. */
  private boolean[] iterate(
      Step step, RadauSystem[] system, double[] x0, double[] h, boolean[] which, boolean counted) {
    double tolerance =
        Math.max(10 * Math.ulp(1.0) / spec.rtol(), Math.min(0.03, Math.sqrt(spec.rtol())));
    double[][][] w = new double[replicas][RadauScheme.STAGES][one];
    boolean[] going = which.clone();
    boolean[] converged = new boolean[replicas];
    double[] before = new double[replicas];
    double[] rate = new double[replicas];
    for (int k = 0; k < ITERATIONS && !none(going); k++) {
      double[][] f = stages(step.z, x0, h, going, counted);
      for (int r = 0; r < replicas; r++) {
        if (!going[r]) {
          continue;
        }
        double change = improve(step.z[r], w[r], f, system[r], x0, h[r], r);
        if (!Double.isFinite(change)) {
          going[r] = false;
          step.iterations[r] = 0;
          continue;
        }
        step.iterations[r] = k + 1;
        rate[r] = k == 0 ? Double.NaN : change / before[r];
        boolean hopeless =
            k > 0
                && (rate[r] >= 1
                    || Math.pow(rate[r], ITERATIONS - 1 - k) / (1 - rate[r]) * change > tolerance);
        boolean small = k > 0 && rate[r] / (1 - rate[r]) * change < tolerance;
        converged[r] = change == 0 || (small && rate[r] < 1);
        // What rounding leaves of a change no longer shrinks.
        converged[r] |= k > 0 && change < tolerance * 1e-2;
        going[r] = !converged[r] && !hopeless;
        before[r] = change;
      }
    }
    return converged;
  }

  /** One improvement of a replica's stage differences; returns its norm. */
  private double improve(
      double[][] z, double[][] w, double[][] f, RadauSystem system, double[] x0, double h, int r) {
    double[][] right = new double[RadauScheme.STAGES][one];
    double[][] inverse = RadauScheme.T_INVERSE;
    for (int k = 0; k < one; k++) {
      for (int s = 0; s < RadauScheme.STAGES; s++) {
        right[s][k] =
            inverse[s][0] * f[0][r * one + k]
                + inverse[s][1] * f[1][r * one + k]
                + inverse[s][2] * f[2][r * one + k];
      }
      right[0][k] -= RadauScheme.GAMMA / h * w[0][k];
      right[1][k] -= (RadauScheme.ALPHA * w[1][k] - RadauScheme.BETA * w[2][k]) / h;
      right[2][k] -= (RadauScheme.ALPHA * w[2][k] + RadauScheme.BETA * w[1][k]) / h;
    }
    system.solve(right[0]);
    system.solve(right[1], right[2]);
    double largest = 0;
    double[][] t = RadauScheme.T;
    double[] change = new double[one];
    for (int s = 0; s < RadauScheme.STAGES; s++) {
      for (int k = 0; k < one; k++) {
        w[s][k] += right[s][k];
      }
    }
    for (int s = 0; s < RadauScheme.STAGES; s++) {
      for (int k = 0; k < one; k++) {
        change[k] = t[s][0] * right[0][k] + t[s][1] * right[1][k] + t[s][2] * right[2][k];
        z[s][k] = t[s][0] * w[0][k] + t[s][1] * w[1][k] + t[s][2] * w[2][k];
      }
      double norm = scaled(change, x0, r);
      largest = Double.isNaN(norm) ? norm : Math.max(largest, norm);
      if (Double.isNaN(largest)) {
        return largest;
      }
    }
    return largest;
  }

  /** Velocities at the stages, {@code [3][R n d]}. */
  private double[][] stages(
      double[][][] z, double[] x0, double[] h, boolean[] which, boolean counted) {
    double[][] f = new double[RadauScheme.STAGES][];
    double[] t = time.clone();
    double[] at = x0.clone();
    for (int s = 0; s < RadauScheme.STAGES; s++) {
      for (int r = 0; r < replicas; r++) {
        t[r] = which[r] ? time[r] + RadauScheme.C[s] * h[r] : time[r];
        for (int k = 0; which[r] && k < one; k++) {
          at[r * one + k] = x0[r * one + k] + z[r][s][k];
        }
      }
      f[s] = velocity(at, t, which, counted);
    }
    return f;
  }

  /** The filtered error of Hairer and Wanner, section IV.8. */
  private void estimate(
      Step step,
      RadauSystem[] system,
      double[] x0,
      double[] f0,
      double[] h,
      boolean[] converged,
      boolean counted) {
    boolean[] again = new boolean[replicas];
    double[] moved = x0.clone();
    double[][] weighted = new double[replicas][];
    for (int r = 0; r < replicas; r++) {
      if (!converged[r]) {
        continue;
      }
      weighted[r] = new double[one];
      double[] error = new double[one];
      for (int k = 0; k < one; k++) {
        for (int s = 0; s < RadauScheme.STAGES; s++) {
          weighted[r][k] += RadauScheme.ERROR[s] / h[r] * step.z[r][s][k];
        }
        error[k] = f0[r * one + k] + weighted[r][k];
      }
      system[r].solve(error);
      step.error[r] = scaled(error, x0, r);
      // After a refusal, and in a first step, the estimate is filtered twice.
      if (step.error[r] > 1 && (justRejected[r] || steps(r) == 0)) {
        again[r] = true;
        for (int k = 0; k < one; k++) {
          moved[r * one + k] += error[k];
        }
      }
    }
    if (none(again)) {
      return;
    }
    double[] f = velocity(moved, time, again, counted);
    for (int r = 0; r < replicas; r++) {
      if (again[r]) {
        double[] error = new double[one];
        for (int k = 0; k < one; k++) {
          error[k] = f[r * one + k] + weighted[r][k];
        }
        system[r].solve(error);
        step.error[r] = scaled(error, x0, r);
      }
    }
  }

  /** Derivatives of the velocities of replicas by their coordinates, {@code [n d][n d]} each. */
  private double[][] jacobian(double[] x0, boolean[] which, boolean counted) {
    double[][] jacobian = new double[replicas][];
    for (int r = 0; r < replicas; r++) {
      jacobian[r] = which[r] ? new double[one * one] : null;
    }
    if (none(which)) {
      return jacobian;
    }
    double[] at = x0.clone();
    for (int k = 0; k < one; k++) {
      double[][] f = new double[2][];
      double[] width = new double[replicas];
      for (int side = 0; side < 2; side++) {
        for (int r = 0; r < replicas; r++) {
          if (which[r]) {
            double reach = DIFFERENCE * Math.max(tokenNorm(x0, r, k / d), spec.atol());
            at[r * one + k] = x0[r * one + k] + (side == 0 ? reach : -reach);
            width[r] += side == 0 ? at[r * one + k] : -at[r * one + k];
          }
        }
        f[side] = velocity(at, time, which, counted);
      }
      for (int r = 0; r < replicas; r++) {
        at[r * one + k] = x0[r * one + k];
        for (int i = 0; which[r] && i < one; i++) {
          jacobian[r][i * one + k] = (f[0][r * one + i] - f[1][r * one + i]) / width[r];
        }
      }
    }
    return jacobian;
  }

  /** Velocities at positions of all replicas, in a new array. */
  private double[] velocity(double[] at, double[] t, boolean[] which, boolean counted) {
    engine.upload(stage, at);
    evaluate(stage, t, which, slope, counted);
    return engine.download(slope);
  }

  // --- norms, per token as Engine.errorNorm has them ---

  private double tokenNorm(double[] x, int r, int i) {
    double square = 0;
    for (int c = 0; c < d; c++) {
      double v = x[r * one + i * d + c];
      square += v * v;
    }
    return Math.sqrt(square);
  }

  private double norm(double[] e, double[] x, double[] y, int r) {
    double largest = 0;
    for (int i = 0; i < one / d; i++) {
      double scale = Math.max(tokenNorm(x, r, i), tokenNorm(y, r, i));
      double ratio = tokenNorm(e, r, i) / (spec.atol() + spec.rtol() * scale);
      if (!Double.isFinite(ratio)) {
        return Double.NaN;
      }
      largest = Math.max(largest, ratio);
    }
    return largest;
  }

  /** The same of an array of one replica. */
  private double scaled(double[] e, double[] x, int r) {
    double largest = 0;
    for (int i = 0; i < one / d; i++) {
      double square = 0;
      for (int c = 0; c < d; c++) {
        square += e[i * d + c] * e[i * d + c];
      }
      double ratio = Math.sqrt(square) / (spec.atol() + spec.rtol() * tokenNorm(x, r, i));
      if (!Double.isFinite(ratio)) {
        return Double.NaN;
      }
      largest = Math.max(largest, ratio);
    }
    return largest;
  }

  private int nonFinite(double[] v, int r) {
    for (int k = 0; k < one; k++) {
      if (!Double.isFinite(v[r * one + k])) {
        return k / d;
      }
    }
    return -1;
  }

  // --- output ---

  @Override
  public void interpolate(double[] t, boolean[] which, State out) {
    boolean[] inside = inside(t, which, new double[replicas], out);
    if (none(inside)) {
      return;
    }
    double[] at = engine.download(stage);
    for (int r = 0; r < replicas; r++) {
      if (inside[r]) {
        double[] w = RadauScheme.dense((t[r] - previous[r]) / (time[r] - previous[r]));
        for (int k = 0; k < one; k++) {
          at[r * one + k] =
              from[r][k]
                  + w[0] * differences[r][0][k]
                  + w[1] * differences[r][1][k]
                  + w[2] * differences[r][2][k];
        }
      }
    }
    engine.upload(stage, at);
    settle(stage, out, inside);
  }

  @Override
  public boolean[] sideStep(double[] t, boolean[] which, State out) {
    double[] h = new double[replicas];
    boolean[] ahead = ahead(t, which, h, out);
    boolean[] good = which.clone();
    if (none(ahead)) {
      return good;
    }
    double[] x0 = engine.download(x);
    Step step = step(x0, h, ahead, false);
    for (int r = 0; r < replicas; r++) {
      for (int k = 0; ahead[r] && k < one; k++) {
        x0[r * one + k] += step.z[r][RadauScheme.STAGES - 1][k];
      }
      good[r] &= !ahead[r] || step.error[r] <= 1;
    }
    engine.upload(stage, x0);
    settle(stage, out, ahead);
    return good;
  }

  /** Every evaluation begins by overwriting it. */
  @Override
  public Field lend(boolean[] which) {
    return slope;
  }

  // --- saving ---

  @Override
  void saveOwn(int r, DataOutputStream out) throws IOException {
    out.writeDouble(size[r]);
    out.writeBoolean(justRejected[r]);
    out.writeBoolean(lastNonFinite[r]);
  }

  @Override
  void restoreOwn(int r, DataInputStream in) throws IOException {
    size[r] = in.readDouble();
    justRejected[r] = in.readBoolean();
    lastNonFinite[r] = in.readBoolean();
  }
}
