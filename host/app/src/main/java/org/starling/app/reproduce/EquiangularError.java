package org.starling.app.reproduce;

import org.starling.analysis.Tokens;
import org.starling.analysis.theory.Equiangular;
import org.starling.analysis.theory.NormalisationScheme;
import org.starling.core.model.Geometry;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Scheme;

/**
 * Difference of pairs' cosines from the one that {@link Equiangular} says all pairs have, or of
 * radii from the one that {@link NormalisationScheme} says all tokens have.
 */
final class EquiangularError implements Probe {
  private static final double STEP = 1e-3;

  /** Cosine and radius, from frame to frame. */
  private interface Law {
    NormalisationScheme.Point at(double t);
  }

  private final ReplicaFacts facts;
  private final boolean radius;
  private final Law law;

  EquiangularError(ReplicaFacts facts, boolean radius) {
    this.facts = facts;
    this.radius = radius;
    Scheme scheme = facts.dynamics().scheme();
    boolean sphere = facts.dynamics().geometry() == Geometry.SPHERE;
    if (!sphere && !scheme.kind().radii() || facts.n() < 2) {
      throw new IllegalArgumentException(
          "the equiangular equation is for two tokens or more on the sphere, or under a"
              + " normalisation scheme");
    }
    Tokens start = facts.tokens(facts.start());
    double cosine = start.dot(0, 1) / (start.norm(0) * start.norm(1));
    boolean softmax = facts.dynamics().normalisation() == Normalisation.SOFTMAX;
    if (scheme.kind() == Scheme.Kind.POST) {
      Equiangular.Model model =
          softmax ? Equiangular.Model.SOFTMAX : Equiangular.Model.UNNORMALISED;
      Equiangular plain = new Equiangular(facts.n(), facts.beta(), model);
      ScalarFlow gamma = new ScalarFlow(plain::rate, STEP, 0, cosine);
      law = t -> new NormalisationScheme.Point(gamma.at(t), 1);
    } else if (softmax) {
      NormalisationScheme own = NormalisationScheme.valueOf(scheme.kind().name());
      NormalisationScheme.Setting setting =
          new NormalisationScheme.Setting(
              facts.n(), facts.beta(), start.norm(0), scheme.switchTime(), scheme.alpha());
      law = t -> own.at(setting, cosine, t);
    } else {
      throw new IllegalArgumentException(
          "the equiangular equation under a normalisation scheme is known for softmax");
    }
  }

  @Override
  public double at(double t, double[] x) {
    NormalisationScheme.Point expected = law.at(t);
    Tokens tokens = facts.tokens(x);
    double worst = 0;
    for (int i = 0; i < facts.n(); i++) {
      if (radius) {
        worst = Math.max(worst, Math.abs(tokens.norm(i) / expected.radius() - 1));
      }
      for (int j = 0; !radius && j < i; j++) {
        double cosine = tokens.dot(i, j) / (tokens.norm(i) * tokens.norm(j));
        worst = Math.max(worst, Math.abs(cosine - expected.g()));
      }
    }
    return worst;
  }
}
