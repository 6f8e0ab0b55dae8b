package org.starling.paths.theory;

import org.starling.core.paths.PathFeatures;

/** Predictions at test inputs for any U_1. */
public final class Predictor {
  private final Action action;
  private final PathFeatures test;
  private final double[] testValues;
  private final double[] testLabels;

  /**
   * @param test attentioned inputs of the test examples
   * @param testValues the same in memory, {@code [count][paths][width]}
   */
  public Predictor(Action action, PathFeatures test, double[] testValues, double[] testLabels) {
    this.action = action;
    this.test = test;
    this.testValues = testValues;
    this.testLabels = testLabels;
  }

  /**
   * Mean k^T Gamma^{-1} Y and variance K(x,x) - k^T Gamma^{-1} k.
   *
   * @param u U_1, symmetric positive semidefinite {@code [n][n]}
   */
  public Prediction at(double[] u) {
    int count = action.labels().length;
    int tests = testLabels.length;
    double[] kernel = new double[count * count];
    action.kernels().kernel(u, kernel);
    Evidence evidence = Evidence.of(kernel, action.network().temperature(), action.labels());
    if (evidence == null) {
      throw new ArithmeticException(
          "the kernel plus T = "
              + action.network().temperature()
              + " is not positive definite in float64; raise the temperature");
    }
    double[] k = new double[Math.multiplyExact(count, tests)];
    action.kernels().operations().kernel(action.kernels().features(), test, u, k);
    double[] mean = new double[tests];
    double[] variance = diagonal(u);
    double[] solved = count == 0 ? k : evidence.solve(k, tests);
    for (int a = 0; a < count; a++) {
      double r = evidence.residual()[a];
      for (int b = 0; b < tests; b++) {
        mean[b] += r * k[a * tests + b];
        variance[b] -= k[a * tests + b] * solved[a * tests + b];
      }
    }
    return new Prediction(mean, variance, testLabels);
  }

  /** K(x,x;U). */
  private double[] diagonal(double[] u) {
    int n = test.paths();
    int width = test.width();
    double[] out = new double[test.count()];
    for (int a = 0; a < out.length; a++) {
      for (int p = 0; p < n; p++) {
        for (int q = 0; q <= p; q++) {
          double w = u[p * n + q] * (p == q ? 1 : 2);
          double sum = 0;
          int x = (a * n + p) * width;
          int y = (a * n + q) * width;
          for (int i = 0; w != 0 && i < width; i++) {
            sum += testValues[x + i] * testValues[y + i];
          }
          out[a] += w * sum;
        }
      }
    }
    return out;
  }
}
