package org.starling.app.reproduce;

import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.core.experiment.Claim.QuantityCall;

/** Quantities of Q, K and V alone, the same at all times: what statements suppose. */
final class WeightProbes {
  private WeightProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    ValueSpectrum spectrum = ValueSpectrum.of(facts.value());
    double value =
        switch (call.measure()) {
          case LEADING_EIGENVALUE -> leadingEigenvalue(spectrum);
          case LEADING_SCORE -> leadingScore(spectrum, facts);
          case SLOWEST_GROWTH ->
              spectrum.values().stream()
                  .mapToDouble(Eigenvalue::re)
                  .filter(re -> re > 0)
                  .min()
                  .orElse(Double.NaN);
          case SPECTRAL_GAP -> spectrum.gap();
          default -> throw new IllegalArgumentException(call.text());
        };
    return (t, x) -> value;
  }

  private static double leadingEigenvalue(ValueSpectrum spectrum) {
    Eigenvalue first = spectrum.values().get(0);
    return first.simpleReal() ? first.re() : Double.NaN;
  }

  private static double leadingScore(ValueSpectrum spectrum, ReplicaFacts facts) {
    Eigenvalue first = spectrum.values().get(0);
    if (!first.simpleReal()) {
      return Double.NaN;
    }
    double[] xi = spectrum.rightEigenvector(first);
    double[] b = AttentionProbes.merged(facts).dense();
    double score = 0;
    for (int r = 0; r < xi.length; r++) {
      for (int c = 0; c < xi.length; c++) {
        score += xi[r] * b[r * xi.length + c] * xi[c];
      }
    }
    return score;
  }
}
