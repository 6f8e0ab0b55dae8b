package org.starling.core.verify;

import java.util.Arrays;

/**
 * Errors of many numbers as the two statistics that a certificate quotes. A NaN anywhere makes both
 * NaN, so that no comparison with an allowed error succeeds.
 *
 * @param median median error, 0 for an empty sample
 * @param worst largest error, 0 for an empty sample
 */
record Sample(double median, double worst) {
  static Sample of(double[] errors) {
    if (errors.length == 0) {
      return new Sample(0, 0);
    }
    double[] sorted = errors.clone();
    // Sorting puts NaN last.
    Arrays.sort(sorted);
    double worst = sorted[sorted.length - 1];
    return Double.isNaN(worst)
        ? new Sample(Double.NaN, Double.NaN)
        : new Sample(sorted[sorted.length / 2], worst);
  }

  /** |a - b| / scale for each number; equal numbers (infinities too) have error 0. */
  static Sample absolute(double[] a, double[] b, double scale) {
    if (a.length != b.length) {
      return new Sample(Double.NaN, Double.NaN);
    }
    double[] e = new double[a.length];
    for (int k = 0; k < e.length; k++) {
      e[k] = a[k] == b[k] ? 0 : Math.abs(a[k] - b[k]) / scale;
    }
    return of(e);
  }

  /** |a - b| / |b| of single numbers. */
  static Sample relative(double a, double b) {
    return absolute(new double[] {a}, new double[] {b}, Math.abs(b));
  }
}
