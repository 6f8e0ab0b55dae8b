package org.starling.core.integrate;

import java.util.Arrays;
import org.starling.core.engine.RungeKutta;

/**
 * The pair of Dormand and Prince, RK5(4)7M, with the continuous extension of order 4 of the code
 * DOPRI5 (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, sections II.5 and
 * II.6). Slopes are numbered from 0.
 */
final class Tableau {
  /** Times of the stages, in steps. */
  static final double[] C = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

  /** Row s: the weights of slopes 0..s-1 that lead to stage s. Row 6 is the solution of order 5. */
  static final double[][] A = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}
  };

  /**
   * Slopes that the solution, the error and the dense output use. Slope 1 is not among them, so
   * that slope 6 may take its place in memory.
   */
  static final int[] USED = {0, 2, 3, 4, 5, 6};

  /** Order 5 minus order 4, over {@link #USED}. */
  static final double[] ERROR = {
    71.0 / 57600, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40
  };

  private static final double[] DENSE = {
    -12715105075.0 / 11282082432.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0
  };

  private Tableau() {}

  /** The scheme of a method for engines that make whole steps. */
  static RungeKutta of(Method method) {
    return switch (method) {
      case EULER, EULER_MARUYAMA ->
          new RungeKutta(new double[][] {{}}, new double[] {1}, null, false);
      case LAYERS -> new RungeKutta(new double[][] {{}}, new double[] {1}, null, true);
      case HEUN -> new RungeKutta(new double[][] {{}, {1}}, new double[] {0.5, 0.5}, null, false);
      case RK4 ->
          new RungeKutta(
              new double[][] {{}, {0.5}, {0, 0.5}, {0, 0, 1}},
              new double[] {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
              null,
              false);
      case RADAU5, ARCLENGTH ->
          throw new IllegalArgumentException("no engine makes whole steps of " + method.label());
      case DOPRI5 -> {
        double[] b = Arrays.copyOf(A[6], 7);
        double[] error = new double[7];
        for (int m = 0; m < USED.length; m++) {
          error[USED[m]] = ERROR[m];
        }
        yield new RungeKutta(A, b, error, false);
      }
    };
  }

  /**
   * Weights over {@link #USED}, in steps, that lead from the end of the step back to the fraction
   * theta of it: y(theta) = y(1) + h sum_m weight_m k_m. Zero at theta = 1.
   */
  static double[] dense(double theta) {
    double rest = 1 - theta;
    // y(theta) - y(1) = -(1-theta)^2 (1+2 theta) (y(1) - y(0)) + h (Hermite slopes + correction)
    double back = -rest * rest * (1 + 2 * theta);
    double bubble = theta * theta * rest * rest;
    double[] w = new double[USED.length];
    for (int m = 0; m < w.length; m++) {
      double b = USED[m] < 6 ? A[6][USED[m]] : 0;
      w[m] = back * b + bubble * DENSE[m];
    }
    w[0] += theta * rest * rest;
    w[5] -= theta * theta * rest;
    return w;
  }
}
