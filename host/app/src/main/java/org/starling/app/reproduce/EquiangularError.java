package org.starling.app.reproduce;

import org.starling.core.model.Geometry;
import org.starling.core.model.Normalisation;

/**
 * Difference of pairs' cosines from the equiangular reduction: with one cosine g for all pairs, g'
 * = 2 (1 - g) ((n-1) g + 1) / (e^{beta (1 - g)} + n - 1) for softmax, and (2/n) e^{beta g} (1 - g)
 * ((n-1) g + 1) for unnormalised attention (emergence.md 1.9). Integrated from frame to frame by
 * Runge-Kutta steps of at most {@link #STEP}.
 */
final class EquiangularError implements Probe {
  private static final double STEP = 1e-3;

  private final ReplicaFacts facts;
  private final boolean softmax;
  private double g;
  private double time;

  EquiangularError(ReplicaFacts facts) {
    this.facts = facts;
    this.softmax = facts.dynamics().normalisation() == Normalisation.SOFTMAX;
    if (facts.dynamics().geometry() != Geometry.SPHERE || facts.n() < 2) {
      throw new IllegalArgumentException(
          "equiangular-error is for two tokens or more on the sphere");
    }
    this.g = facts.tokens(facts.start()).dot(0, 1);
  }

  private double slope(double at) {
    int n = facts.n();
    double beta = facts.beta();
    double common = 2 * (1 - at) * ((n - 1) * at + 1);
    return softmax
        ? common / (Math.exp(beta * (1 - at)) + n - 1)
        : common * Math.exp(beta * at) / n;
  }

  @Override
  public double at(double t, double[] x) {
    int steps = (int) Math.ceil((t - time) / STEP);
    for (int k = 0; k < steps; k++) {
      double h = (t - time) / steps;
      double k1 = slope(g);
      double k2 = slope(g + h / 2 * k1);
      double k3 = slope(g + h / 2 * k2);
      double k4 = slope(g + h * k3);
      g += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    time = t;
    double worst = 0;
    for (int i = 0; i < facts.n(); i++) {
      for (int j = 0; j < i; j++) {
        worst = Math.max(worst, Math.abs(facts.tokens(x).dot(i, j) - g));
      }
    }
    return worst;
  }
}
