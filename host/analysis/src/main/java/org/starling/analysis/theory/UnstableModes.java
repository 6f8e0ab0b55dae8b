package org.starling.analysis.theory;

import org.hipparchus.special.Gamma;

/**
 * Linear stability of the uniform law on S^{d-1} under full attention with Q = K = V = I in the
 * mean-field limit (Bruno, Pasqualotto, Agazzi, arXiv 2410.23228; causal.md 4.3): the spherical
 * harmonic of degree k grows at rate k (k+d-2) c_k/beta, c_k = Gamma(d/2) (2/beta)^{d/2-1}
 * I_{k+d/2-1}(beta); softmax divides it by c_0.
 */
public final class UnstableModes {
  private UnstableModes() {}

  /** ln c_k. */
  private static double logCoefficient(int d, double beta, int k) {
    double half = d / 2.0;
    return Gamma.logGamma(half) + (half - 1) * Math.log(2 / beta) + BesselI.log(k + half - 1, beta);
  }

  /**
   * Growth rate of degree k &gt;= 1.
   *
   * @param d at least 2
   * @param beta &gt; 0
   */
  public static double growth(int d, double beta, int k, Equiangular.Model model) {
    if (d < 2 || !(beta > 0) || k < 1) {
      throw new IllegalArgumentException(
          "no mode of degree " + k + " with d = " + d + ", beta = " + beta);
    }
    double norm = model == Equiangular.Model.SOFTMAX ? logCoefficient(d, beta, 0) : 0;
    return k * (k + d - 2.0) / beta * Math.exp(logCoefficient(d, beta, k) - norm);
  }

  /** The fastest degree, about sqrt(2 beta) in d = 2: the number of clusters that form first. */
  public static int fastest(int d, double beta) {
    int best = 1;
    for (int k = 2; k <= 10 + 4 * Math.sqrt(beta); k++) {
      best =
          growth(d, beta, k, Equiangular.Model.SOFTMAX)
                  > growth(d, beta, best, Equiangular.Model.SOFTMAX)
              ? k
              : best;
    }
    return best;
  }
}
