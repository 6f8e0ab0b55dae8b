package org.starling.cpu.reference;

import org.starling.core.model.Weight;

/** Vector arithmetic in float64, in the plain order of the formulas. */
final class Algebra {
  private Algebra() {}

  /** sum_a x_a y_a over d coordinates. */
  static double dot(double[] x, int xAt, double[] y, int yAt, int d) {
    double sum = 0;
    for (int a = 0; a < d; a++) {
      sum += x[xAt + a] * y[yAt + a];
    }
    return sum;
  }

  /**
   * The same sum as if computed in twice the precision and rounded once (Ogita, Rump, Oishi 2005,
   * Accurate sum and dot product, algorithm Dot2 with fused multiply-add).
   */
  static double compensatedDot(double[] x, int xAt, double[] y, int yAt, int d) {
    double sum = 0;
    double correction = 0;
    for (int a = 0; a < d; a++) {
      double p = x[xAt + a] * y[yAt + a];
      double productError = Math.fma(x[xAt + a], y[yAt + a], -p);
      double next = sum + p;
      double z = next - sum;
      double sumError = (sum - (next - z)) + (p - z);
      sum = next;
      correction += productError + sumError;
    }
    return sum + correction;
  }

  /** |x|, without overflow or underflow of the squares; NaN where a coordinate is NaN. */
  static double norm(double[] x, int at, int d) {
    double scale = 0;
    for (int a = 0; a < d; a++) {
      scale = Math.max(scale, Math.abs(x[at + a]));
    }
    if (scale == 0 || !Double.isFinite(scale)) {
      return scale;
    }
    double sum = 0;
    for (int a = 0; a < d; a++) {
      double y = x[at + a] / scale;
      sum += y * y;
    }
    return scale * Math.sqrt(sum);
  }

  /** |x - y|. */
  static double distance(double[] x, int xAt, double[] y, int yAt, int d) {
    double[] difference = new double[d];
    for (int a = 0; a < d; a++) {
      difference[a] = x[xAt + a] - y[yAt + a];
    }
    return norm(difference, 0, d);
  }

  /** W x as a new vector. */
  static double[] apply(Weight w, double[] x, int at) {
    double[] out = new double[w.rows()];
    if (w instanceof Weight.Scalar s) {
      for (int a = 0; a < out.length; a++) {
        out[a] = s.c() * x[at + a];
      }
    } else if (w instanceof Weight.Diagonal g) {
      for (int a = 0; a < out.length; a++) {
        out[a] = g.entries()[a] * x[at + a];
      }
    } else {
      double[] entries = ((Weight.Dense) w).entries();
      for (int a = 0; a < out.length; a++) {
        out[a] = dot(entries, a * w.columns(), x, at, w.columns());
      }
    }
    return out;
  }

  /** x_i / |x_i| of n tokens from {@code at} on, {@code [n][d]}; NaN where that does not exist. */
  static double[] directions(double[] x, int at, int n, int d) {
    double[] theta = new double[n * d];
    for (int i = 0; i < n; i++) {
      double norm = norm(x, at + i * d, d);
      boolean defined = norm > 0 && Double.isFinite(norm);
      for (int a = 0; a < d; a++) {
        theta[i * d + a] = defined ? x[at + i * d + a] / norm : Double.NaN;
      }
    }
    return theta;
  }

  /** y := P_x y = y - (&lt;y,x&gt; / |x|^2) x. */
  static void project(double[] y, double[] x, int at) {
    int d = y.length;
    double c = dot(y, 0, x, at, d) / dot(x, at, x, at, d);
    for (int a = 0; a < d; a++) {
      y[a] -= c * x[at + a];
    }
  }
}
