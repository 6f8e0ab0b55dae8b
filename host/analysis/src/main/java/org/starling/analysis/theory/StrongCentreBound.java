package org.starling.analysis.theory;

/**
 * Lemma 5.1 of the causal paper: on the circle with Q = K = V = I, strong Renyi centres separated
 * by c (1+2 eps) beta^{-1/2} stay within eps c beta^{-1/2} of their start until a time exponential
 * in c^2 (science/causal.md 1.6).
 *
 * @param beta inverse temperature, &gt; 0
 * @param c separation in units of beta^{-1/2}, &gt; 0
 * @param eps relative displacement allowed, &gt; 0
 */
public record StrongCentreBound(double beta, double c, double eps) {
  public StrongCentreBound {
    if (!(beta > 0 && c > 0 && eps > 0)) {
      throw new IllegalArgumentException(
          "beta, c and eps must be > 0; got " + beta + ", " + c + ", " + eps);
    }
  }

  /** beta^{1/2} tau*: condition (2) asks for a larger c. Tends to 1 from below as beta grows. */
  public double threshold() {
    return Math.sqrt(beta) * new CircleInteraction(beta).peak();
  }

  /** Condition (2). */
  public boolean holds() {
    return c > threshold();
  }

  /** The separation asked for: c (1+2 eps) beta^{-1/2}, radians. */
  public double separation() {
    return c * (1 + 2 * eps) / Math.sqrt(beta);
  }

  /** The displacement allowed: eps c beta^{-1/2}, radians. */
  public double displacement() {
    return eps * c / Math.sqrt(beta);
  }

  /**
   * T_j = eps c beta^{-1/2}/(s_j h(c beta^{-1/2})).
   *
   * @param token index s_j of the centre, from 1
   */
  public double lifetime(int token) {
    return displacement() / (token * new CircleInteraction(beta).h(c / Math.sqrt(beta)));
  }

  /** eps exp(c^2/2 - c^4/(24 beta))/s_j: a shorter, explicit time. */
  public double explicitLifetime(int token) {
    return eps * Math.exp(c * c / 2 - c * c * c * c / (24 * beta)) / token;
  }
}
