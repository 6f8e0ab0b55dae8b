package org.starling.analysis.theory;

/**
 * One attention layer without a skip connection at beta = gamma ln n on equiangular inputs (Chen,
 * Lin, Polyanskiy, Rigollet, arXiv 2510.05554; causal.md 4.2): as n grows the output cosine goes to
 * 1 for gamma &lt; 1/(1-rho), to 4 rho/(1+3 rho) at equality, and stays rho above.
 */
public final class LongContext {
  private LongContext() {}

  /** gamma_c = 1/(1 - rho). */
  public static double critical(double rho) {
    return 1 / (1 - rho);
  }

  /** Cosine of two outputs for n tokens. */
  public static double cosine(int n, double gamma, double rho) {
    return new EquiangularLayer(n, gamma * Math.log(n), 0, 1).apply(rho);
  }

  /** Its limit for n to infinity. */
  public static double limit(double gamma, double rho) {
    double c = critical(rho);
    return gamma < c ? 1 : gamma > c ? rho : 4 * rho / (1 + 3 * rho);
  }
}
