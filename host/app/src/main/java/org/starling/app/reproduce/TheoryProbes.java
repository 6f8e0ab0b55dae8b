package org.starling.app.reproduce;

import org.starling.analysis.Tokens;
import org.starling.analysis.attention.AttentionRows;
import org.starling.analysis.cluster.CircleGaps;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.analysis.theory.ConsensusRates;
import org.starling.analysis.theory.Equiangular;
import org.starling.analysis.theory.LongContext;
import org.starling.analysis.theory.Separatrix;
import org.starling.analysis.theory.UnstableModes;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/** Quantities that hold the tokens against a law: modes, layers, poles, the separatrix. */
final class TheoryProbes {
  private TheoryProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    return switch (call.measure()) {
      case ATTENDED_COSINE -> attendedCosine(facts, call.word("less"));
      case CIRCLE_CLUSTERS -> {
        requireCircle(call, facts);
        double gap = call.number("gap");
        yield (t, x) -> CircleGaps.of(angles(facts, x), gap).count();
      }
      case MODE_AMPLITUDE -> {
        requireCircle(call, facts);
        int mode = (int) call.number("mode");
        yield (t, x) -> amplitude(facts, x, mode);
      }
      case MODE_GROWTH -> modeGrowth(call, facts);
      case POLE_GROWTH -> poleGrowth(facts);
      case SEPARATRIX_ERROR -> separatrixError(call, facts);
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  private static void requireCircle(QuantityCall call, ReplicaFacts facts) {
    if (facts.d() != 2) {
      throw new IllegalArgumentException(
          call.measure().label() + " is measured for d = 2, not " + facts.d());
    }
  }

  private static double[] angles(ReplicaFacts facts, double[] x) {
    double[] angles = new double[facts.n()];
    for (int i = 0; i < angles.length; i++) {
      angles[i] = Math.atan2(x[2 * i + 1], x[2 * i]);
    }
    return angles;
  }

  // --- one layer ---

  private static Probe attendedCosine(ReplicaFacts facts, String less) {
    double rho = facts.tokens(facts.start()).dot(0, 1);
    double gamma = facts.beta() / Math.log(facts.n());
    double law =
        switch (less) {
          case "nothing" -> 0;
          case "law" -> LongContext.cosine(facts.n(), gamma, rho);
          case "limit" -> LongContext.limit(gamma, rho);
          default -> throw new IllegalArgumentException("less: nothing, law or limit, not " + less);
        };
    return (t, x) -> meanCosine(outputs(facts, t, x)) - law;
  }

  /** sum_j w_ij x_j of every token. */
  private static Tokens outputs(ReplicaFacts facts, double t, double[] x) {
    AttentionRows rows = AttentionProbes.rows(facts, t, x);
    int d = facts.d();
    double[] u = new double[facts.n() * d];
    for (int i = 0; i < facts.n(); i++) {
      double[] w = rows.weights(i);
      for (int j = 0; j < w.length; j++) {
        for (int c = 0; c < d; c++) {
          u[i * d + c] += w[j] * x[j * d + c];
        }
      }
    }
    return new Tokens(u, facts.n(), d);
  }

  private static double meanCosine(Tokens u) {
    double sum = 0;
    for (int i = 0; i < u.n(); i++) {
      for (int j = 0; j < i; j++) {
        sum += u.dot(i, j) / (u.norm(i) * u.norm(j));
      }
    }
    return 2 * sum / ((double) u.n() * (u.n() - 1));
  }

  // --- modes of the circle ---

  private static double amplitude(ReplicaFacts facts, double[] x, int mode) {
    double re = 0;
    double im = 0;
    for (double angle : angles(facts, x)) {
      re += Math.cos(mode * angle) / facts.n();
      im += Math.sin(mode * angle) / facts.n();
    }
    return Math.hypot(re, im);
  }

  private static Probe modeGrowth(QuantityCall call, ReplicaFacts facts) {
    requireCircle(call, facts);
    int mode = (int) call.number("mode");
    Equiangular.Model model =
        facts.dynamics().normalisation() == Normalisation.SOFTMAX
            ? Equiangular.Model.SOFTMAX
            : Equiangular.Model.UNNORMALISED;
    double rate = UnstableModes.growth(2, facts.beta(), mode, model);
    double start = amplitude(facts, facts.start(), mode);
    return (t, x) -> t == 0 ? Double.NaN : Math.log(amplitude(facts, x, mode) / start) / (rate * t);
  }

  // --- poles ---

  /** Of every token on its pole, along the slowest other direction. */
  private static Probe poleGrowth(ReplicaFacts facts) {
    ValueSpectrum spectrum = ValueSpectrum.of(facts.value());
    Eigenvalue first = spectrum.values().get(0);
    double[] xi = spectrum.rightEigenvector(first);
    double mu = first.re() - spectrum.gap();
    return (t, x) -> {
      AttentionRows rows = AttentionProbes.rows(facts, t, x);
      Tokens tokens = facts.tokens(x);
      double worst = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < facts.n(); i++) {
        double[] w = rows.weights(i);
        double own = tokens.dot(i, xi);
        double same = 0;
        double opposite = 0;
        for (int j = 0; j < w.length; j++) {
          if (own * tokens.dot(j, xi) > 0) {
            same += w[j];
          } else {
            opposite += w[j];
          }
        }
        worst = Math.max(worst, ConsensusRates.atTwoPoles(first.re(), mu, w[i], same, opposite));
      }
      return worst;
    };
  }

  // --- the separatrix ---

  private static Probe separatrixError(QuantityCall call, ReplicaFacts facts) {
    requireCircle(call, facts);
    if (facts.n() != 3 || !(facts.value() instanceof Weight.Scalar s) || s.c() != 1) {
      throw new IllegalArgumentException("the separatrix is that of three tokens with V = I");
    }
    Probe angle = Probes.angle(facts, 2, 0);
    double phi2 = Probes.angle(facts, 1, 0).at(0, facts.start());
    double phi3 = Probes.angle(facts, 2, 0).at(0, facts.start());
    double end = Separatrix.goesBack(facts.beta(), phi2, phi3) ? 0 : 2 * Math.PI;
    return (t, x) -> Math.abs(angle.at(t, x) - end);
  }
}
