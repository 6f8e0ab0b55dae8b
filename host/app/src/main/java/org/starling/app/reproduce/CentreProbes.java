package org.starling.app.reproduce;

import org.starling.analysis.Tokens;
import org.starling.analysis.centres.Coverage;
import org.starling.analysis.centres.RenyiCentres;
import org.starling.analysis.theory.StrongCentreBound;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.experiment.Measure;
import org.starling.core.model.TokenRoles;

/** Quantities of Renyi centres, which are found in the start and then followed. */
final class CentreProbes {
  private CentreProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    if (call.measure() == Measure.FROZEN_DISTANCE) {
      return frozenDistance(facts);
    }
    double c = call.number("c");
    return switch (call.measure()) {
      case RENYI_CENTRES -> {
        double count = centres(facts, facts.radius(c), strong(call)).length;
        yield (t, x) -> count;
      }
      case CENTRE_DISPLACEMENT -> {
        int[] centres = centres(facts, facts.radius(c), strong(call));
        yield (t, x) -> displacement(facts, centres, x);
      }
      case COVERAGE -> {
        int[] centres = centres(facts, facts.radius(c), strong(call));
        double radius = call.number("radius");
        yield (t, x) -> Coverage.of(facts.tokens(x), centres, radius);
      }
      case QUASI_STATIONARITY ->
          new QuasiStationarity(facts, c, call.number("eps"), call.number("times"));
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  /** Largest angle of a free token from the nearest frozen one, in units of beta^{-1/2}. */
  private static Probe frozenDistance(ReplicaFacts facts) {
    TokenRoles roles = facts.dynamics().roles();
    if (roles == null || roles.frozen().length == 0) {
      throw new IllegalArgumentException("frozen-distance needs tokens.frozen");
    }
    int[] frozen = roles.frozen();
    return (t, x) -> {
      Tokens tokens = facts.tokens(x);
      double largest = 0;
      for (int i = 0; i < facts.n(); i++) {
        double nearest = Double.POSITIVE_INFINITY;
        for (int k : frozen) {
          nearest = Math.min(nearest, tokens.angle(i, k));
        }
        largest = Math.max(largest, nearest);
      }
      return largest * Math.sqrt(facts.beta());
    };
  }

  private static boolean strong(QuantityCall call) {
    String kind = call.word("kind");
    if (!kind.equals("strong") && !kind.equals("ordinary")) {
      throw new IllegalArgumentException("kind: must be strong or ordinary, not " + kind);
    }
    return kind.equals("strong");
  }

  private static int[] centres(ReplicaFacts facts, double delta, boolean strong) {
    RenyiCentres centres = RenyiCentres.of(facts.tokens(facts.start()), delta);
    return strong ? centres.strong() : centres.ordinary();
  }

  private static double displacement(ReplicaFacts facts, int[] centres, double[] x) {
    double[] all = Coverage.displacements(facts.tokens(facts.start()), facts.tokens(x));
    double largest = 0;
    for (int i : centres) {
      largest = Math.max(largest, all[i]);
    }
    return largest;
  }

  /**
   * Displacement of strong centres over what {@link StrongCentreBound} allows them, until so many
   * times its lifetime.
   */
  private static final class QuasiStationarity implements Probe {
    private final ReplicaFacts facts;
    private final int[] centres;
    private final double[] until;
    private final double bound;
    private double largest;

    QuasiStationarity(ReplicaFacts facts, double c, double eps, double times) {
      this.facts = facts;
      StrongCentreBound lemma = new StrongCentreBound(facts.beta(), c, eps);
      this.bound = lemma.displacement();
      this.centres = centres(facts, lemma.separation(), true);
      this.until = new double[centres.length];
      for (int k = 0; k < until.length; k++) {
        until[k] = times * lemma.lifetime(centres[k] + 1);
      }
    }

    @Override
    public double at(double t, double[] x) {
      double[] all = Coverage.displacements(facts.tokens(facts.start()), facts.tokens(x));
      for (int k = 0; k < centres.length; k++) {
        if (t <= until[k]) {
          largest = Math.max(largest, all[centres[k]] / bound);
        }
      }
      return largest;
    }
  }
}
