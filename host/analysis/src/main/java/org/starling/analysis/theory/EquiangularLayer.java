package org.starling.analysis.theory;

/**
 * One attention layer applied to n equiangular unit tokens with Q = K = V = I: x_i goes to the
 * direction of r x_i + eta sum_j w_ij x_j, and the tokens stay equiangular (emergence.md 1.9).
 *
 * @param n tokens, at least 2
 * @param beta inverse temperature
 * @param residual r: 1 for a layer with a skip connection, 0 for attention alone
 * @param step eta &gt; 0
 */
public record EquiangularLayer(int n, double beta, double residual, double step) {
  public EquiangularLayer {
    if (n < 2 || !(step > 0) || !(residual >= 0) || !Double.isFinite(beta)) {
      throw new IllegalArgumentException(
          "no layer with n = " + n + ", beta = " + beta + ", step " + step + ", skip " + residual);
    }
  }

  /**
   * The Euler-and-normalise step of the published sphere codes, whose phase boundary is not that of
   * the ODE.
   */
  public static EquiangularLayer euler(int n, double beta, double step) {
    return new EquiangularLayer(n, beta, 1, step);
  }

  /** Inner product after the layer. */
  public double apply(double rho) {
    // Weights from 1/(1 + (n-1) e^{-beta(1-rho)}), which neither overflows nor cancels.
    double others = (n - 1) * Math.exp(-beta * (1 - rho));
    double own = 1 / (1 + others);
    double other = Math.exp(-beta * (1 - rho)) * own;
    double a = residual + step * own;
    double c = step * other;
    double m = n;
    double square = a * a + 2 * a * c * (m - 1) * rho + c * c * ((m - 1) + (m - 1) * (m - 2) * rho);
    double product =
        a * a * rho
            + 2 * a * c * (1 + (m - 2) * rho)
            + c * c * ((m - 2) + ((m - 1) * (m - 1) - (m - 2)) * rho);
    return product / square;
  }

  /** Inner product after some layers. */
  public double apply(double rho, int layers) {
    double value = rho;
    for (int k = 0; k < layers; k++) {
      value = apply(value);
    }
    return value;
  }
}
