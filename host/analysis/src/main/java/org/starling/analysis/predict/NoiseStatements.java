package org.starling.analysis.predict;

import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.predict.Judgement.Builder;
import org.starling.analysis.predict.Judgement.Kind;
import org.starling.analysis.theory.NoiseThreshold;
import org.starling.core.model.Normalisation;

/** Statements about noisy attention on the sphere (science/causal.md 4.8). */
final class NoiseStatements {
  private NoiseStatements() {}

  static List<Judgement> of(Situation s) {
    return List.of(threshold(s));
  }

  /** Linear stability of the uniform law; kappa = 2 / amplitude^2. */
  private static Judgement threshold(Situation s) {
    double amplitude = s.noise();
    Builder b =
        Judgement.of(
                "noise-threshold",
                Kind.OBSERVATION,
                "below kappa_1 noise keeps tokens spread out, above it they order",
                "Noisy transformers, arXiv 2606.05140 (mean field, linearised)")
            .about(s.sphere() && s.mask().full() && amplitude > 0)
            .needs(
                "unnormalised weights",
                s.normalisation().name().toLowerCase(java.util.Locale.ROOT),
                s.normalisation() == Normalisation.UNNORMALISED)
            .needs(s.plainButForNoise())
            .needs("V = I", s.valueText(), s.valueScalar() == 1)
            .needs(s.scalarScores())
            .needs("beta > 0", "beta = " + Significant.of(s.pairBeta()), s.pairBeta() > 0)
            .needs("d >= 2", "d = " + s.d(), s.d() >= 2);
    if (b.possible()) {
      double kappa = 2 / (amplitude * amplitude);
      double threshold = NoiseThreshold.kappa(s.d(), s.pairBeta());
      double change = NoiseThreshold.tricritical(s.d());
      b.predict(
          "kappa-1",
          "kappa_1 = "
              + Significant.of(threshold)
              + ", and kappa = "
              + Significant.of(kappa)
              + " here: the uniform law is "
              + (kappa < threshold ? "stable, tokens stay spread out" : "unstable, tokens order"),
          threshold);
      b.predict(
          "kind",
          "the transition is "
              + (s.pairBeta() <= change ? "continuous" : "discontinuous")
              + ": beta_* = "
              + Significant.of(change),
          change);
    }
    return b.done();
  }
}
