package org.starling.opencl.attention;

import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;

/** Bounds that the series on the circle and on the sphere have in common. */
final class SeriesBounds {
  /** Largest ||z|^2 - 1| of a token, and the query's and key's norms together at most. */
  static final double LARGEST_EXCESS = 0.1;

  static final double REACH = 1 + LARGEST_EXCESS;

  /** The norm of a matrix is bounded by the trace of its 2^20-th power. */
  private static final int DOUBLINGS = 20;

  private SeriesBounds() {}

  /** Largest b of a unit query: beta times the largest norm of a score matrix. */
  static double strength(Layer layer) {
    double b = 0;
    for (Layer.LayerHead head : layer.heads()) {
      b = Math.max(b, Math.abs(layer.beta()) * norm(head.s()));
    }
    return b;
  }

  /**
   * Spectral norm of a square matrix, or up to 3e-6 of it more: with A = M^T M and N = 2^20, the
   * largest eigenvalue of A is between (tr A^N / d)^{1/N} and (tr A^N)^{1/N}.
   */
  static double norm(Weight w) {
    if (LayerTables.isScalar(w)) {
      return Math.abs(LayerTables.scalar(w));
    }
    int d = w.rows();
    double[] m = w.dense();
    double scale = 0;
    for (double e : m) {
      scale = Math.max(scale, Math.abs(e));
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      return scale;
    }
    double[] a = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          a[i * d + j] += m[k * d + i] / scale * (m[k * d + j] / scale);
        }
      }
    }
    double logarithm = 0;
    for (int step = 0; step <= DOUBLINGS; step++) {
      double trace = 0;
      for (int i = 0; i < d; i++) {
        trace += a[i * d + i];
      }
      logarithm += Math.log(trace) / (1L << step);
      a = square(a, d, trace);
    }
    return scale * Math.exp(0.5 * logarithm);
  }

  /** (A / scale)^2. */
  private static double[] square(double[] a, int d, double scale) {
    double[] to = new double[d * d];
    for (int i = 0; i < d; i++) {
      for (int j = 0; j < d; j++) {
        for (int k = 0; k < d; k++) {
          to[i * d + j] += a[i * d + k] / scale * (a[k * d + j] / scale);
        }
      }
    }
    return to;
  }

  /**
   * Largest ||z|^2 - 1| for which the powers 0 .. p suffice: those beyond are bounded by {@code
   * factor} c^{p+1} / (p+1)! / (1 - c) with c = b ||z|^2 - 1| / 2.
   */
  static double[] largest(int powers, double b, double factor, Precision precision) {
    double[] largest = new double[powers];
    double allowed = precision == Precision.SINGLE ? 0x1p-46 : 0x1p-52;
    for (int p = 0; p < powers; p++) {
      largest[p] = Math.min(LARGEST_EXCESS, 2 * exponent(p, factor, allowed) / (REACH * b));
    }
    return largest;
  }

  /** Largest c &lt; 1 with factor c^{p+1} / (p+1)! / (1 - c) within what is allowed. */
  private static double exponent(int p, double factor, double allowed) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 80; step++) {
      double c = 0.5 * (low + high);
      double bound = factor / (1 - c);
      for (int q = 1; q <= p + 1; q++) {
        bound *= c / q;
      }
      if (bound <= allowed) {
        low = c;
      } else {
        high = c;
      }
    }
    return low;
  }
}
