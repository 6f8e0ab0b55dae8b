package org.starling.analysis.theory;

/** Linearised rates on the sphere near the two poles of V, for any Q, K, beta (causal.md 1.4). */
public final class ConsensusRates {
  private ConsensusRates() {}

  /**
   * Two poles, causal mask: growth w mu - (p - q) lambda of a transverse disturbance of a token
   * with weight w on itself, p on its own pole (itself included) and q on the other. With one pole
   * alone token k has w = 1/k, p = 1 and q = 0: it falls back at the rate lambda - mu/k.
   */
  public static double atTwoPoles(double lambda, double mu, double w, double p, double q) {
    return w * mu - (p - q) * lambda;
  }
}
