package org.starling.analysis.theory;

/**
 * The interaction of two tokens on the circle with Q = K = V = I (causal.md 1.6): h(x) =
 * e^{beta(cos x-1)} sin x and g = h'. h peaks at tau*, cos tau* = (-1+sqrt(4 beta^2+1))/(2 beta),
 * which for beta &gt;= 1 lies between (beta+1/2)^{-1/2} and beta^{-1/2}: the range of the
 * interaction.
 *
 * @param beta inverse temperature, &gt; 0
 */
public record CircleInteraction(double beta) {
  public CircleInteraction {
    if (!(beta > 0 && beta < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("beta must be > 0 and finite, not " + beta);
    }
  }

  /** h(x). */
  public double h(double x) {
    return decay(x) * Math.sin(x);
  }

  /** g(x) = h'(x) = e^{beta(cos x - 1)} (cos x - beta sin^2 x). */
  public double g(double x) {
    return decay(x) * (Math.cos(x) - beta * Math.sin(x) * Math.sin(x));
  }

  private double decay(double x) {
    double half = Math.sin(x / 2);
    return Math.exp(-2 * beta * half * half);
  }

  /** tau*, radians: sin^2(tau/2) = (1 - cos tau)/2, written without cancellation. */
  public double peak() {
    // 1 - cos = (2 beta + 1 - sqrt(4 beta^2 + 1))/(2 beta) = 2/(2 beta + 1 + sqrt(...)).
    double oneMinusCos = 2 / (2 * beta + 1 + Math.sqrt(4 * beta * beta + 1));
    return 2 * Math.asin(Math.sqrt(oneMinusCos / 2));
  }

  /** e^{-beta x^2/2}(x - x^3/6): below h for 0 &lt; x &lt;= pi, not beyond. */
  public double lowerH(double x) {
    return Math.exp(-beta * x * x / 2) * (x - x * x * x / 6);
  }

  /** x e^{-beta x^2/2 + beta x^4/24}: above h for 0 &lt; x &lt;= pi. */
  public double upperH(double x) {
    return Math.exp(-beta * x * x / 2 + beta * x * x * x * x / 24) * x;
  }

  /** -beta x^2 e^{-beta x^2/2 + beta x^4/24}: below g where beta &gt;= 1, not for all beta. */
  public double lowerG(double x) {
    return -Math.exp(-beta * x * x / 2 + beta * x * x * x * x / 24) * beta * x * x;
  }
}
