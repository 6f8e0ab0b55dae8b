package org.starling.app.reproduce;

import org.starling.analysis.theory.Equiangular;
import org.starling.core.model.Geometry;
import org.starling.core.model.Normalisation;

/** Difference of pairs' cosines from the one that {@link Equiangular} says all pairs have. */
final class EquiangularError implements Probe {
  private static final double STEP = 1e-3;

  private final ReplicaFacts facts;
  private final ScalarFlow gamma;

  EquiangularError(ReplicaFacts facts) {
    this.facts = facts;
    if (facts.dynamics().geometry() != Geometry.SPHERE || facts.n() < 2) {
      throw new IllegalArgumentException(
          "equiangular-error is for two tokens or more on the sphere");
    }
    Equiangular.Model model =
        facts.dynamics().normalisation() == Normalisation.SOFTMAX
            ? Equiangular.Model.SOFTMAX
            : Equiangular.Model.UNNORMALISED;
    Equiangular law = new Equiangular(facts.n(), facts.beta(), model);
    gamma = new ScalarFlow(law::rate, STEP, 0, facts.tokens(facts.start()).dot(0, 1));
  }

  @Override
  public double at(double t, double[] x) {
    double g = gamma.at(t);
    double worst = 0;
    for (int i = 0; i < facts.n(); i++) {
      for (int j = 0; j < i; j++) {
        worst = Math.max(worst, Math.abs(facts.tokens(x).dot(i, j) - g));
      }
    }
    return worst;
  }
}
