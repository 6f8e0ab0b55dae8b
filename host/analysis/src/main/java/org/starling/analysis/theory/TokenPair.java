package org.starling.analysis.theory;

/**
 * Two tokens or two tight clusters on the sphere at an angle, Q = K = V = I, softmax: the angle
 * closes along the great circle through them.
 */
public final class TokenPair {
  private static final double LARGEST_EXPONENT = 700;

  private TokenPair() {}

  /**
   * Causal mask, n = 2: time for the angle to close from phi0 to phi1, T = int (1 + e^{beta(1-cos
   * p)})/sin p dp (causal.md 1.4). The first token stays.
   *
   * @param phi0 in (0, pi)
   * @param phi1 in (0, phi0]
   */
  public static double causalPassage(double beta, double phi0, double phi1) {
    check(beta, phi0, phi1);
    return Quadrature.integral(
        p -> (1 + Math.exp(beta * (1 - Math.cos(p)))) / Math.sin(p), phi1, phi0);
  }

  /**
   * Full attention: delta' = -e sin delta (m2/(m1 + m2 e) + m1/(m2 + m1 e)), e = e^{beta(cos delta
   * - 1)}, for two clusters of masses m1, m2 at the angle delta (emergence.md 1.10).
   */
  public static double mergeRate(double beta, double m1, double m2, double delta) {
    double e = Math.exp(beta * (Math.cos(delta) - 1));
    return -Math.sin(delta) * e * (m2 / (m1 + m2 * e) + m1 / (m2 + m1 * e));
  }

  /**
   * Full attention: time for two clusters of masses m1, m2 to close from delta0 to delta1 at {@link
   * #mergeRate}. For m1 = m2 = 1 the passage time of two tokens.
   */
  public static double mergeTime(double beta, double m1, double m2, double delta0, double delta1) {
    check(beta, delta0, delta1);
    if (!(m1 > 0 && m2 > 0)) {
      throw new IllegalArgumentException("masses must be > 0, not " + m1 + " and " + m2);
    }
    return Quadrature.integral(delta -> -1 / mergeRate(beta, m1, m2, delta), delta1, delta0);
  }

  /** d ln(time)/d beta as beta grows: 1 - cos delta0. */
  public static double lifetimeExponent(double delta0) {
    return 2 * Math.sin(delta0 / 2) * Math.sin(delta0 / 2);
  }

  private static void check(double beta, double from, double to) {
    if (!(from > 0 && from < Math.PI && to > 0 && to <= from)) {
      throw new IllegalArgumentException(
          "an angle closes within (0, pi); it does not go from " + from + " to " + to);
    }
    if (!(Math.abs(beta) * lifetimeExponent(from) < LARGEST_EXPONENT)) {
      throw new IllegalArgumentException(
          "the passage time e^{beta(1 - cos)} leaves the range of float64 at beta = " + beta);
    }
  }
}
