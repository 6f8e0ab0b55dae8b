package org.starling.analysis.theory;

/**
 * Theorem 5.2 of the causal paper: free tokens on the circle among frozen ones settle within eps
 * beta^{-1/2} of them (science/causal.md 1.6, with the corrections of the printed text: the
 * condition on g has a minus sign, and there is at least one frozen token).
 *
 * @param beta inverse temperature, &gt; 0
 * @param c frozen tokens are further apart than c beta^{-1/2}
 * @param eps distance reached, in units of beta^{-1/2}
 * @param mass N = free tokens plus the weights of the frozen ones
 */
public record FrozenCentres(double beta, double c, double eps, double mass) {
  private static final double LARGEST_EPS = 0.1;

  public FrozenCentres {
    if (!(beta > 0 && c > 0 && eps > 0 && mass > 0)) {
      throw new IllegalArgumentException(
          "beta, c, eps and N must be > 0; got " + beta + ", " + c + ", " + eps + ", " + mass);
    }
  }

  private double scaled(double units) {
    return units / Math.sqrt(beta);
  }

  private CircleInteraction pair() {
    return new CircleInteraction(beta);
  }

  /** c &gt; 2 + 2 eps, and eps &lt; 0.1, without which the source lemma is false. */
  public boolean separated() {
    return c > 2 + 2 * eps && eps < LARGEST_EPS;
  }

  /** N h((c-1-2eps) beta^{-1/2}) &lt; h(eps beta^{-1/2}). */
  public boolean forceCondition() {
    return mass < largestMassByForce();
  }

  /** The N up to which {@link #forceCondition} holds. */
  public double largestMassByForce() {
    return pair().h(scaled(eps)) / pair().h(scaled(c - 1 - 2 * eps));
  }

  /** -N g((c-2eps) beta^{-1/2}) &lt; g(eps beta^{-1/2}). */
  public boolean stabilityCondition() {
    return -mass * pair().g(scaled(c - 2 * eps)) < pair().g(scaled(eps));
  }

  /** The N up to which {@link #stabilityCondition} holds; infinite where g &gt;= 0 that far out. */
  public double largestMassByStability() {
    double far = pair().g(scaled(c - 2 * eps));
    return far < 0 ? pair().g(scaled(eps)) / -far : Double.POSITIVE_INFINITY;
  }

  /**
   * The condition on g as printed, without the minus sign: it holds for any N wherever g is
   * negative, so it asks for nothing. Kept to show that it cannot be meant.
   */
  static boolean printedStabilityCondition(FrozenCentres f) {
    return f.mass * f.pair().g(f.scaled(f.c - 2 * f.eps)) < f.pair().g(f.scaled(f.eps));
  }

  /** All hypotheses about numbers. */
  public boolean holds() {
    return separated() && forceCondition() && stabilityCondition();
  }

  /** Smallest c of the explicit window: 5.5 + 2 eps. */
  public double windowSeparation() {
    return 5.5 + 2 * eps;
  }

  /** Smallest beta of the explicit window: (c-1-2eps)^2/2. */
  public double windowBeta() {
    return (c - 1 - 2 * eps) * (c - 1 - 2 * eps) / 2;
  }

  /** Largest N of the explicit window: eps/(c-1) exp(3 (c-1-2eps)^2/8). */
  public double windowMass() {
    return eps / (c - 1) * Math.exp(3 * (c - 1 - 2 * eps) * (c - 1 - 2 * eps) / 8);
  }

  /** Whether the explicit window holds, which implies the two conditions. */
  public boolean inWindow() {
    return eps < LARGEST_EPS
        && c >= windowSeparation()
        && beta >= windowBeta()
        && mass <= windowMass();
  }
}
