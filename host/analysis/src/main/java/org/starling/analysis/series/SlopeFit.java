package org.starling.analysis.series;

import org.hipparchus.distribution.continuous.TDistribution;

/**
 * A least-squares line through points, with a confidence interval of its slope from Student's
 * distribution. The interval assumes independent deviations: a smooth curve that is no line gives
 * one that is too narrow, so look at {@code residual} too.
 *
 * @param scale of the axes
 * @param slope of the line
 * @param intercept its value at 0 of the (scaled) first axis
 * @param low lower end of the slope's interval
 * @param high upper end of the slope's interval
 * @param residual root mean square deviation of the (scaled) second axis
 * @param points number of points used
 */
public record SlopeFit(
    Scale scale,
    double slope,
    double intercept,
    double low,
    double high,
    double residual,
    int points) {

  /** Which axes are logarithmic (natural logarithm). */
  public enum Scale {
    /** y against x. */
    LINEAR(false, false),
    /** ln y against x: the slope is a rate. */
    LOG_LINEAR(false, true),
    /** ln y against ln x: the slope is an exponent. */
    LOG_LOG(true, true);

    private final boolean logX;
    private final boolean logY;

    Scale(boolean logX, boolean logY) {
      this.logX = logX;
      this.logY = logY;
    }
  }

  /**
   * @param x {@code [m]}
   * @param y {@code [m]}
   * @param level of confidence in (0, 1), such as 0.95
   * @throws IllegalArgumentException for fewer than three points, for equal x, and for a number
   *     that has no logarithm, named by its index
   */
  public static SlopeFit of(Scale scale, double[] x, double[] y, double level) {
    int m = x.length;
    if (m != y.length || m < 3 || !(level > 0 && level < 1)) {
      throw new IllegalArgumentException(
          "a slope at confidence "
              + level
              + " needs three points or more, got "
              + m
              + " and "
              + y.length);
    }
    double[] a = new double[m];
    double[] b = new double[m];
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < m; i++) {
      a[i] = scaled(scale.logX, x[i], i);
      b[i] = scaled(scale.logY, y[i], i);
      meanX += a[i] / m;
      meanY += b[i] / m;
    }
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < m; i++) {
      xx += (a[i] - meanX) * (a[i] - meanX);
      xy += (a[i] - meanX) * (b[i] - meanY);
    }
    if (!(xx > 0)) {
      throw new IllegalArgumentException("all " + m + " points have the same x: there is no slope");
    }
    double slope = xy / xx;
    double intercept = meanY - slope * meanX;
    double squares = 0;
    for (int i = 0; i < m; i++) {
      double deviation = b[i] - intercept - slope * a[i];
      squares += deviation * deviation;
    }
    double error = Math.sqrt(squares / (m - 2) / xx);
    double half = error * new TDistribution(m - 2).inverseCumulativeProbability((1 + level) / 2);
    return new SlopeFit(
        scale, slope, intercept, slope - half, slope + half, Math.sqrt(squares / m), m);
  }

  /**
   * The fit to the points with y in [low, high], as rates are read between two sizes.
   *
   * @throws IllegalArgumentException if fewer than three points are left
   */
  public static SlopeFit between(
      Scale scale, double[] x, double[] y, double low, double high, double level) {
    int[] kept =
        java.util.stream.IntStream.range(0, x.length)
            .filter(i -> y[i] >= low && y[i] <= high)
            .toArray();
    double[] a = new double[kept.length];
    double[] b = new double[kept.length];
    for (int k = 0; k < kept.length; k++) {
      a[k] = x[kept[k]];
      b[k] = y[kept[k]];
    }
    return of(scale, a, b, level);
  }

  private static double scaled(boolean log, double v, int i) {
    if (!Double.isFinite(v) || (log && v <= 0)) {
      throw new IllegalArgumentException(
          "point " + i + " has the coordinate " + v + (log ? ", which has no logarithm" : ""));
    }
    return log ? Math.log(v) : v;
  }
}
