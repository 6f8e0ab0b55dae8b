package org.starling.analysis.theory;

/**
 * Linearised rates on the sphere near consensus and near two poles, for any Q, K, beta (causal.md
 * 1.4).
 */
public final class ConsensusRates {
  private ConsensusRates() {}

  /** V = I, causal mask: token k (from 1) returns to consensus at rate (k-1)/k. */
  public static double causal(int k) {
    return (k - 1.0) / k;
  }

  /** V = I: the rate of the slowest token, 1/2 under the causal mask and 1 under full attention. */
  public static double slowest(boolean causal, int n) {
    return n < 2 ? 0 : causal ? 0.5 : 1;
  }

  /**
   * All tokens at the eigenvector of a simple eigenvalue lambda &gt; 0, causal mask: token k falls
   * back at rate lambda - mu/k along the direction of another eigenvalue mu.
   */
  public static double atPole(double lambda, double mu, int k) {
    return lambda - mu / k;
  }

  /**
   * Two poles, causal mask: growth w mu - (p - q) lambda of a transverse disturbance of a token
   * with weight w on itself, p on its own pole (itself included) and q on the other.
   */
  public static double atTwoPoles(double lambda, double mu, double w, double p, double q) {
    return w * mu - (p - q) * lambda;
  }
}
