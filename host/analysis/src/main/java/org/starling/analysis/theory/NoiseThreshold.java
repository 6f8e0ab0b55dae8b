package org.starling.analysis.theory;

import org.hipparchus.analysis.solvers.BrentSolver;
import org.hipparchus.special.Gamma;

/**
 * Noisy unnormalised attention dX = P(mean e^{beta &lt;X,X_j&gt;} X_j) dt + sqrt(2/kappa) dW on
 * S^{d-1} (causal.md 4.8): below kappa_1 the uniform law is stable.
 */
public final class NoiseThreshold {
  private NoiseThreshold() {}

  /** kappa_1 = 2 K#, the linear threshold of the first mode; tends to d as beta goes to 0. */
  public static double kappa(int d, double beta) {
    return 2 * sharp(d, beta);
  }

  /** K# = beta^{d/2}/(2^{d/2} Gamma(d/2) I_{d/2}(beta)) (arXiv 2606.05140). */
  public static double sharp(int d, double beta) {
    if (d < 2 || !(beta > 0)) {
      throw new IllegalArgumentException("no threshold for d = " + d + ", beta = " + beta);
    }
    double half = d / 2.0;
    return Math.exp(half * Math.log(beta / 2) - Gamma.logGamma(half) - BesselI.log(half, beta));
  }

  /**
   * beta_* with I_{d/2+1}(beta_*)/I_{d/2}(beta_*) = 1/d: the transition is continuous below and
   * discontinuous above.
   */
  public static double tricritical(int d) {
    double half = d / 2.0;
    return new BrentSolver(1e-13)
        .solve(1000, b -> BesselI.ratio(half + 1, half, b) - 1.0 / d, 1e-3, 50);
  }
}
