package org.starling.analysis.theory;

import org.starling.analysis.Tokens;
import org.starling.core.model.MatrixExponential;
import org.starling.core.model.Weight;

/**
 * The exact last phase of tokens in R^d (emergence.md 1.5): where every attention row is a basis
 * vector e_l(i) and every leader leads itself, z_l is constant and z_i(t) - z_l = e^{-(t-t0)V}
 * (z_i(t0) - z_l). It goes on where float64 cannot: past the resolution horizon.
 */
public final class TerminalLaw {
  private TerminalLaw() {}

  /**
   * Rescaled positions a time after the phase began.
   *
   * @param z at its beginning
   * @param leader {@code [n]}: whom each token follows; every leader must follow itself
   * @param elapsed t - t0 &gt;= 0
   */
  public static Tokens rescaled(Tokens z, int[] leader, Weight v, double elapsed) {
    Weight e = MatrixExponential.of(v, -elapsed);
    double[] out = new double[z.n() * z.d()];
    for (int i = 0; i < z.n(); i++) {
      int l = leader[i];
      if (l < 0 || l >= z.n() || leader[l] != l) {
        throw new IllegalArgumentException(
            "token "
                + i
                + " follows token "
                + l
                + ", which does not follow itself: the terminal"
                + " law does not hold yet");
      }
      double[] difference = new double[z.d()];
      for (int c = 0; c < z.d(); c++) {
        difference[c] = z.at(i, c) - z.at(l, c);
      }
      double[] moved = product(e, difference);
      for (int c = 0; c < z.d(); c++) {
        out[i * z.d() + c] = z.at(l, c) + moved[c];
      }
    }
    return new Tokens(out, z.n(), z.d());
  }

  /**
   * Time for a coordinate of eigenvalue lambda to shrink from {@code spread} to {@code tolerance}:
   * ln(spread/tolerance)/Re lambda; infinite where Re lambda &lt;= 0.
   */
  public static double collapseTime(double realPart, double spread, double tolerance) {
    if (!(spread > 0 && tolerance > 0)) {
      throw new IllegalArgumentException(
          "a spread of " + spread + " does not shrink to " + tolerance);
    }
    return realPart > 0
        ? Math.max(0, Math.log(spread / tolerance) / realPart)
        : Double.POSITIVE_INFINITY;
  }

  static double[] product(Weight w, double[] x) {
    double[] a = w.dense();
    double[] y = new double[w.rows()];
    for (int r = 0; r < y.length; r++) {
      for (int c = 0; c < x.length; c++) {
        y[r] += a[r * x.length + c] * x[c];
      }
    }
    return y;
  }
}
