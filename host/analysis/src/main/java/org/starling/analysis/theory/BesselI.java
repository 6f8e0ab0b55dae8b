package org.starling.analysis.theory;

import org.hipparchus.special.Gamma;

/** Modified Bessel functions of the first kind, by their series of positive terms. */
final class BesselI {
  private static final int TERMS = 100_000;

  private BesselI() {}

  /**
   * ln I_nu(x), I_nu(x) = sum_m (x/2)^{2m+nu} / (m! Gamma(m+nu+1)).
   *
   * @param nu order, &gt;= 0
   * @param x &gt; 0
   */
  static double log(double nu, double x) {
    if (!(nu >= 0 && x > 0 && x < 1e4)) {
      throw new IllegalArgumentException("I_" + nu + "(" + x + ") is not computed here");
    }
    // Relative to the first term; rescaled on the way, since terms rise to e^x before they fall.
    double term = 1;
    double sum = 1;
    double exponent = 0;
    for (int m = 1; m < TERMS; m++) {
      term *= x * x / 4 / (m * (m + nu));
      sum += term;
      if (sum > 1e200) {
        exponent += Math.log(sum);
        term /= sum;
        sum = 1;
      }
      if (term < 1e-18 * sum && m > x / 2) {
        break;
      }
    }
    return nu * Math.log(x / 2) - Gamma.logGamma(nu + 1) + exponent + Math.log(sum);
  }

  /** I_nu(x), infinite beyond the range of float64. */
  static double of(double nu, double x) {
    return x == 0 ? (nu == 0 ? 1 : 0) : Math.exp(log(nu, x));
  }

  /** I_a(x)/I_b(x). */
  static double ratio(double a, double b, double x) {
    return Math.exp(log(a, x) - log(b, x));
  }
}
