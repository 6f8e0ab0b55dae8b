package org.starling.bench;

import java.util.Arrays;

/** Order statistics of repeated measurements. */
public final class Statistics {
  private Statistics() {}

  /** The median; NaN for no values or where one is NaN. */
  public static double median(double... values) {
    return quantile(0.5, values);
  }

  /**
   * Distance between the quartiles over the magnitude of the median: how much repetitions differ.
   */
  public static double spread(double... values) {
    return (quantile(0.75, values) - quantile(0.25, values)) / Math.abs(median(values));
  }

  /** Quantile by linear interpolation between order statistics. */
  static double quantile(double q, double... values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    // NaN sorts last: one of them must not pass for a large number.
    Arrays.sort(sorted);
    if (Double.isNaN(sorted[sorted.length - 1])) {
      return Double.NaN;
    }
    double at = q * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
