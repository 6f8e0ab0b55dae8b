package org.starling.analysis.theory;

/** Wendel's formula. */
public final class Hemisphere {
  private Hemisphere() {}

  /**
   * Probability that n independent uniform points of S^{d-1} lie in an open hemisphere: 2^{-(n-1)}
   * sum_{k&lt;d} C(n-1, k); 1 for n &lt;= d (Wendel 1962).
   */
  public static double probability(int n, int d) {
    double term = Math.exp(-(n - 1) * Math.log(2));
    double sum = 0;
    for (int k = 0; k < Math.min(d, n); k++) {
      sum += term;
      term *= (n - 1.0 - k) / (k + 1);
    }
    return Math.min(1, sum);
  }
}
