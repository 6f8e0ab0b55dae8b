package org.starling.analysis.theory;

import org.starling.core.model.MatrixExponential;
import org.starling.core.model.Spectrum;
import org.starling.core.model.Weight;

/**
 * The first token under a causal mask sees only itself: x_1(t) = e^{tV} x_1(0)/|e^{tV} x_1(0)|
 * whatever Q, K, beta and the other tokens (causal.md 1.2).
 */
public final class FirstToken {
  /** Longest step in units of the norm of V, so that no entry of e^{tV} leaves the range. */
  private static final double STEP = 50;

  private FirstToken() {}

  /**
   * @param x the start, {@code [d]}, not 0
   * @param t time &gt;= 0
   * @return a unit vector {@code [d]}
   */
  public static double[] position(Weight v, double[] x, double t) {
    double[] y = unit(x);
    double growth = Spectrum.of(v).largestRealPart();
    Weight shifted = minus(v, growth);
    int steps = (int) Math.max(1, Math.ceil(t * shifted.rowSumNorm() / STEP));
    Weight e = MatrixExponential.of(shifted, t / steps);
    for (int k = 0; k < steps; k++) {
      y = unit(TerminalLaw.product(e, y));
    }
    return y;
  }

  private static Weight minus(Weight v, double c) {
    double[] a = v.dense();
    for (int i = 0; i < v.rows(); i++) {
      a[i * v.rows() + i] -= c;
    }
    return v instanceof Weight.Scalar s
        ? Weight.scalar(s.d(), s.c() - c)
        : Weight.dense(v.rows(), v.rows(), a);
  }

  private static double[] unit(double[] x) {
    double square = 0;
    for (double c : x) {
      square += c * c;
    }
    if (!(square > 0 && square < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a token of squared norm " + square + " has no direction");
    }
    double[] y = x.clone();
    for (int c = 0; c < y.length; c++) {
      y[c] /= Math.sqrt(square);
    }
    return y;
  }
}
