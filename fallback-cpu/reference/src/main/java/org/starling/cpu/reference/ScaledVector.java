package org.starling.cpu.reference;

/**
 * A vector e^L f with its scale kept apart, so that a velocity like e^{-1000} is told from 0 even
 * where float64 cannot hold it.
 */
final class ScaledVector {
  private double log = Double.NEGATIVE_INFINITY;
  private final double[] f;

  ScaledVector(int d) {
    f = new double[d];
  }

  /** Adds e^logScale w; a zero w leaves the scale alone. */
  void add(double logScale, double[] w) {
    if (isZero(w)) {
      return;
    }
    double common = Math.max(log, logScale);
    double mine = log == common ? 1 : Math.exp(log - common);
    double its = logScale == common ? 1 : Math.exp(logScale - common);
    for (int a = 0; a < f.length; a++) {
      f[a] = mine * f[a] + its * w[a];
    }
    log = common;
  }

  /** Multiplies by e^c. */
  void scale(double c) {
    log += c;
  }

  private static boolean isZero(double[] w) {
    for (double c : w) {
      if (c != 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes e^L f, flushed to 0 only where float64 ends. */
  void writeTo(double[] out, int at) {
    double scale = Math.exp(log);
    for (int a = 0; a < f.length; a++) {
      out[at + a] = isZero(f) ? 0 : scale * f[a];
    }
  }

  /** ln |e^L f|; -infinity for exactly 0. */
  double logNorm() {
    double norm = Algebra.norm(f, 0, f.length);
    return norm == 0 ? Double.NEGATIVE_INFINITY : log + Math.log(norm);
  }
}
