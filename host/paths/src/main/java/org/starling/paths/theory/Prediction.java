package org.starling.paths.theory;

/**
 * What the posterior says at test inputs.
 *
 * @param mean of the output, {@code [count]}
 * @param variance of the output, without T, {@code [count]}
 * @param labels true ones, {@code [count]}
 */
public record Prediction(double[] mean, double[] variance, double[] labels) {
  /** Share of right signs, 0 to 1; labels are +1 and -1. */
  public double accuracy() {
    int right = 0;
    for (int a = 0; a < mean.length; a++) {
      right += mean[a] * labels[a] > 0 ? 1 : 0;
    }
    return (double) right / mean.length;
  }

  /** Mean of (mean - y)^2. */
  public double bias() {
    double sum = 0;
    for (int a = 0; a < mean.length; a++) {
      sum += (mean[a] - labels[a]) * (mean[a] - labels[a]);
    }
    return sum / mean.length;
  }

  /** Mean of the variance. */
  public double meanVariance() {
    double sum = 0;
    for (double v : variance) {
      sum += v;
    }
    return sum / variance.length;
  }

  /** Expected squared error: bias and variance. */
  public double error() {
    return bias() + meanVariance();
  }
}
