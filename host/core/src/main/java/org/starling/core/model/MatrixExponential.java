package org.starling.core.model;

/**
 * e^{tA} in float64 by scaling and squaring with the [13/13] Pade approximant (Higham 2005, The
 * scaling and squaring method for the matrix exponential revisited, Table 2.3 and Algorithm 2.3).
 */
public final class MatrixExponential {
  /** Largest 1-norm for which the [13/13] approximant is accurate to unit roundoff. */
  private static final double THETA_13 = 5.371920351148152;

  /** Numerator coefficients; the denominator has those of (-1)^j B[j]. */
  private static final double[] B = {
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0
  };

  private MatrixExponential() {}

  /** e^{tA}; scalar and diagonal matrices stay so. */
  public static Weight of(Weight a, double t) {
    if (t == 0) {
      return Weight.identity(a.rows());
    }
    if (a instanceof Weight.Scalar s) {
      return Weight.scalar(s.d(), Math.exp(t * s.c()));
    }
    if (a instanceof Weight.Diagonal g) {
      double[] e = g.entries().clone();
      for (int i = 0; i < e.length; i++) {
        e[i] = Math.exp(t * e[i]);
      }
      return Weight.diagonal(e);
    }
    int d = a.rows();
    return Weight.dense(d, d, exp(a.scaled(t).dense(), d));
  }

  private static double[] exp(double[] a, int d) {
    double norm = oneNorm(a, d);
    int squarings = 0;
    double[] scaled = a;
    if (norm > THETA_13) {
      squarings = Math.max(0, (int) Math.ceil(Math.log(norm / THETA_13) / Math.log(2)));
      double c = Math.scalb(1.0, -squarings);
      scaled = a.clone();
      for (int i = 0; i < scaled.length; i++) {
        scaled[i] *= c;
      }
    }
    double[] a2 = mult(scaled, scaled, d);
    double[] a4 = mult(a2, a2, d);
    double[] a6 = mult(a2, a4, d);
    double[] odd = mult(a6, combination(B[13], a6, B[11], a4, B[9], a2), d);
    add(odd, combination(B[7], a6, B[5], a4, B[3], a2), B[1], d);
    double[] u = mult(scaled, odd, d);
    double[] even = mult(a6, combination(B[12], a6, B[10], a4, B[8], a2), d);
    add(even, combination(B[6], a6, B[4], a4, B[2], a2), B[0], d);
    double[] denominator = even.clone();
    for (int i = 0; i < u.length; i++) {
      denominator[i] -= u[i];
      even[i] += u[i];
    }
    double[] r = MatrixProduct.solve(denominator, even, d);
    for (int s = 0; s < squarings; s++) {
      r = mult(r, r, d);
    }
    return r;
  }

  private static double oneNorm(double[] a, int d) {
    double best = 0;
    for (int j = 0; j < d; j++) {
      double sum = 0;
      for (int i = 0; i < d; i++) {
        sum += Math.abs(a[i * d + j]);
      }
      best = Math.max(best, sum);
    }
    return best;
  }

  private static double[] mult(double[] a, double[] b, int d) {
    return MatrixProduct.of(a, b, d, d, d);
  }

  private static double[] combination(
      double a, double[] x, double b, double[] y, double c, double[] z) {
    double[] out = new double[x.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = a * x[i] + b * y[i] + c * z[i];
    }
    return out;
  }

  /** out += x + c I. */
  private static void add(double[] out, double[] x, double c, int d) {
    for (int i = 0; i < out.length; i++) {
      out[i] += x[i];
    }
    for (int i = 0; i < d; i++) {
      out[i * d + i] += c;
    }
  }
}
