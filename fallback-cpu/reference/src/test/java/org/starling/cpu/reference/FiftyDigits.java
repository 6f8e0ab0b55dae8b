package org.starling.cpu.reference;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;

/**
 * Velocities on the sphere in decimal arithmetic of 110 digits, from the formula as it is printed:
 * weights over all keys, one sum, projection. Cancellation takes 40 of them at e^{-90}, and more
 * than 50 stay.
 */
final class FiftyDigits {
  private static final MathContext MC = new MathContext(110, RoundingMode.HALF_EVEN);

  private final BigDecimal[][] x;
  private final Layer layer;

  FiftyDigits(double[] positions, int n, int d, Layer layer) {
    this.layer = layer;
    x = new BigDecimal[n][d];
    for (int a = 0; a < n * d; a++) {
      x[a / d][a % d] = new BigDecimal(positions[a]);
    }
  }

  /** P_x sum_j w_ij V x_j for a single head. */
  BigDecimal[] velocity(int i) {
    int d = x[0].length;
    BigDecimal[] y = times(layer.heads().get(0).s().transposed().dense(), x[i]);
    BigDecimal beta = new BigDecimal(layer.beta());
    BigDecimal[] w = new BigDecimal[x.length];
    BigDecimal z = BigDecimal.ZERO;
    for (int j = 0; j < x.length; j++) {
      w[j] = exp(beta.multiply(dot(y, x[j]), MC));
      z = z.add(w[j], MC);
    }
    if (layer.normalisation() == Normalisation.UNNORMALISED) {
      z = BigDecimal.valueOf(x.length);
    }
    BigDecimal[] mean = new BigDecimal[d];
    for (int a = 0; a < d; a++) {
      BigDecimal sum = BigDecimal.ZERO;
      for (int j = 0; j < x.length; j++) {
        sum = sum.add(w[j].multiply(x[j][a], MC), MC);
      }
      mean[a] = sum.divide(z, MC);
    }
    BigDecimal[] u = times(layer.heads().get(0).v().dense(), mean);
    BigDecimal c = dot(u, x[i]).divide(dot(x[i], x[i]), MC);
    for (int a = 0; a < d; a++) {
      u[a] = u[a].subtract(c.multiply(x[i][a], MC), MC);
    }
    return u;
  }

  private static BigDecimal[] times(double[] matrix, BigDecimal[] v) {
    BigDecimal[] out = new BigDecimal[v.length];
    for (int a = 0; a < v.length; a++) {
      out[a] = BigDecimal.ZERO;
      for (int b = 0; b < v.length; b++) {
        if (matrix[a * v.length + b] != 0) {
          BigDecimal entry = new BigDecimal(matrix[a * v.length + b]);
          out[a] = out[a].add(entry.multiply(v[b], MC), MC);
        }
      }
    }
    return out;
  }

  private static BigDecimal dot(BigDecimal[] a, BigDecimal[] b) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int k = 0; k < a.length; k++) {
      sum = sum.add(a[k].multiply(b[k], MC), MC);
    }
    return sum;
  }

  /** |v|. */
  static BigDecimal norm(BigDecimal[] v) {
    return dot(v, v).sqrt(MC);
  }

  /** e^t: the Taylor series of t / 2^k, squared k times. */
  static BigDecimal exp(BigDecimal t) {
    int halvings = 0;
    BigDecimal s = t;
    while (s.abs().compareTo(new BigDecimal("0.01")) > 0) {
      s = s.divide(BigDecimal.valueOf(2), MC);
      halvings++;
    }
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int k = 1;
        term.signum() != 0 && term.precision() - term.scale() > -MC.getPrecision();
        k++) {
      term = term.multiply(s, MC).divide(BigDecimal.valueOf(k), MC);
      sum = sum.add(term, MC);
    }
    for (int k = 0; k < halvings; k++) {
      sum = sum.multiply(sum, MC);
    }
    return sum;
  }
}
