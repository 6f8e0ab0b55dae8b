package org.starling.system.integrate;

/** Fits of convergence. */
final class Ladder {
  private Ladder() {}

  /** Least-squares slope of -ln error against ln count; NaN if an error is not positive. */
  static double slope(int[] counts, double[] errors) {
    double sx = 0;
    double sy = 0;
    double sxx = 0;
    double sxy = 0;
    int n = counts.length;
    for (int m = 0; m < n; m++) {
      double u = Math.log(counts[m]);
      double v = errors[m] > 0 ? -Math.log(errors[m]) : Double.NaN;
      sx += u;
      sy += v;
      sxx += u * u;
      sxy += u * v;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }
}
