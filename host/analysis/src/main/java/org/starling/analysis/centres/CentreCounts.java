package org.starling.analysis.centres;

import org.hipparchus.special.Beta;

/**
 * Expected numbers of Renyi centres of n independent uniform tokens on S^{d-1}.
 *
 * <p>Lemma C.1 of the causal paper gives 1/s strong centres for n = infinity, s the mass of a cap
 * of angular radius delta. In d = 3 that is 1/sin^2(delta/2); the paper prints a further factor
 * 1/3, which is wrong (science/causal.md 1.6).
 */
public final class CentreCounts {
  /** Tokens from which ordinary centres on the circle count as saturated, at delta = 0.5. */
  private static final double SATURATED = 4000;

  private CentreCounts() {}

  /**
   * Uniform mass of a cap {angle &lt;= delta} of S^{d-1}: (1/2) I_{sin^2 delta}((d-1)/2, 1/2) for
   * delta &lt;= pi/2.
   *
   * @param d dimension of the space, at least 2
   * @param delta in [0, pi]
   */
  public static double capMass(int d, double delta) {
    if (d < 2 || !(delta >= 0 && delta <= Math.PI)) {
      throw new IllegalArgumentException(
          "no cap of radius " + delta + " on the sphere of R^" + d + ": d >= 2, delta in [0, pi]");
    }
    if (delta > Math.PI / 2) {
      return 1 - capMass(d, Math.PI - delta);
    }
    if (d == 2) {
      return delta / Math.PI;
    }
    if (d == 3) {
      return Math.sin(delta / 2) * Math.sin(delta / 2);
    }
    double sine = Math.sin(delta);
    return Beta.regularizedBeta(sine * sine, (d - 1) / 2.0, 0.5) / 2;
  }

  /**
   * Strong centres among n tokens: (1 - (1-s)^n)/s.
   *
   * @param s cap mass in (0, 1)
   */
  public static double strong(double n, double s) {
    return -Math.expm1(n * Math.log1p(-s)) / s;
  }

  /** Probability that token k (from 1) is a strong centre: (1-s)^{k-1}. */
  public static double strongProbability(int k, double s) {
    return Math.exp((k - 1) * Math.log1p(-s));
  }

  /** Ordinary centres on the circle for n = infinity: C 2 pi/delta, exact on a ring. */
  public static double ordinaryOnCircle(double delta) {
    return ParkingConstant.value() * 2 * Math.PI / delta;
  }

  /** Whether n tokens on the circle come within sampling error of {@link #ordinaryOnCircle}. */
  public static boolean saturatedOnCircle(int n, double delta) {
    return n >= SATURATED * 0.5 / delta;
  }
}
