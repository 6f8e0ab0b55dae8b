package org.starling.analysis.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.Tokens;
import org.starling.analysis.centres.CentreCounts;
import org.starling.analysis.centres.RenyiCentres;
import org.starling.analysis.predict.Judgement.Builder;
import org.starling.analysis.predict.Judgement.Kind;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.theory.FrozenCentres;
import org.starling.analysis.theory.StrongCentreBound;

/** Renyi centres under the causal mask: section 5 of arXiv 2411.04990. */
final class CentreStatements {
  private static final String PAPER = "Clustering in Causal Attention Masking, ";

  /** The paper's delta = 4 beta^{-1/2}; its lemma separates by c (1 + 2 eps). */
  private static final double FIGURES = 4;

  private static final double EPS = 0.1;

  /** Theorem 5.2 asks for eps below 0.1. */
  private static final double FROZEN_EPS = 0.09;

  private static final int SHOWN = 8;

  /** Clusters at t = 30 over beta^{1/2} on the circle (science/causal.md 1.6). */
  private static final double MEASURED = 1.1;

  private CentreStatements() {}

  static List<Judgement> of(Situation s) {
    return List.of(strong(s), counts(s), frozen(s), metastable(s));
  }

  private static Hypothesis delta(double delta) {
    return Situation.holds(
        "delta = 4 beta^{-1/2} < pi", "delta = " + Significant.of(delta), delta < Math.PI);
  }

  private static Builder circle(Situation s, Builder b) {
    return circle(s, s.plainWeights(), b);
  }

  private static Builder circle(Situation s, Hypothesis weights, Builder b) {
    return b.about(s.sphere() && s.mask().causal())
        .needs("d = 2", "d = " + s.d(), s.d() == 2)
        .needs(s.softmax())
        .needs(weights)
        .needs(
            "causal mask without window or bias",
            s.plainCausal() ? "so" : s.mask().toString(),
            s.plainCausal())
        .needs(s.positiveScalarValue())
        .needs("Q^T K = c I with beta c > 0", s.scoreText(), s.pairBeta() > 0);
  }

  /** Lemma 5.1. */
  private static Judgement strong(Situation s) {
    Builder b =
        circle(
            s,
            Judgement.of(
                "strong-centres",
                Kind.THEOREM,
                "strong Renyi centres stay where they are for a long time",
                PAPER + "Lemma 5.1"));
    if (!b.possible()) {
      return b.done();
    }
    double beta = s.pairBeta();
    double delta = RenyiCentres.delta(FIGURES, beta);
    b.needs(delta(delta));
    if (!b.possible()) {
      return b.done();
    }
    StrongCentreBound bound = new StrongCentreBound(beta, FIGURES / (1 + 2 * EPS), EPS);
    b.needs(
        "condition (2): c > beta^{1/2} tau*",
        "c = " + Significant.of(bound.c()) + ", bound " + Significant.of(bound.threshold()),
        bound.holds());
    if (b.possible()) {
      int[] strong = RenyiCentres.of(s.start(), delta).strong();
      b.predict(
          "centres",
          strong.length
              + " tokens are strong centres at delta = "
              + Significant.of(delta)
              + " (counted from 0): "
              + list(strong),
          strong);
      double[] until = new double[strong.length];
      for (int k = 0; k < strong.length; k++) {
        until[k] = bound.lifetime(strong[k] + 1) / s.valueScalar();
      }
      b.predict(
          "lifetimes",
          "each stays within "
              + Significant.of(bound.displacement())
              + " rad of its start until t = "
              + list(until)
              + " at least",
          until);
    }
    return b.done();
  }

  /** Lemma C.1 and the parking constant. */
  private static Judgement counts(Situation s) {
    double beta = s.pairBeta();
    double delta = beta > 0 ? RenyiCentres.delta(FIGURES, beta) : Double.NaN;
    Builder b =
        Judgement.of(
                "centre-counts",
                Kind.THEOREM,
                "expected numbers of Renyi centres of the start",
                PAPER + "Lemma C.1; Renyi 1958 on the circle")
            .about(s.sphere() && s.mask().causal())
            .needs(s.uniformStart())
            .needs("Q^T K = c I with beta c > 0", s.scoreText(), beta > 0)
            .needs("d >= 2", "d = " + s.d(), s.d() >= 2)
            .needs(delta(delta));
    if (!b.possible()) {
      return b.done();
    }
    double cap = CentreCounts.capMass(s.d(), delta);
    double strong = CentreCounts.strong(s.n(), cap);
    b.predict(
        "strong",
        Significant.of(strong)
            + " strong centres on average at delta = "
            + Significant.of(delta)
            + " (n = infinity: "
            + Significant.of(1 / cap)
            + ")",
        strong);
    if (s.d() == 2) {
      double ordinary = CentreCounts.ordinaryOnCircle(delta);
      boolean full = CentreCounts.saturatedOnCircle(s.n(), delta);
      b.predict(
          "ordinary",
          Significant.of(ordinary)
              + " ordinary centres for n = infinity"
              + (full ? "" : "; n = " + s.n() + " is too few to saturate, expect fewer"),
          ordinary);
    }
    return b.done();
  }

  /** Theorem 5.2. */
  private static Judgement frozen(Situation s) {
    Builder b =
        circle(
            s,
            s.weightsOfAnyTokens(),
            Judgement.of(
                "frozen-centres",
                Kind.THEOREM,
                "free tokens settle within eps beta^{-1/2} of frozen ones",
                PAPER + "Theorem 5.2 (with its sign corrected)"));
    if (!b.possible()) {
      return b.done();
    }
    double beta = s.pairBeta();
    int[] frozen = s.frozen();
    boolean any = frozen.length > 0;
    int[] centres = any ? frozen : strongOrFirst(s, beta);
    double c = Math.sqrt(beta) * smallestAngle(s.start(), centres);
    FrozenCentres f = new FrozenCentres(beta, c, FROZEN_EPS, s.mass());
    b.needs("at least one frozen token", any ? list(frozen) : "none in this experiment", any);
    b.needs(
        "all free tokens see all frozen ones: those come first",
        any && frozen[frozen.length - 1] >= frozen.length ? "not so" : "so",
        !any || frozen[frozen.length - 1] < frozen.length);
    boolean light = true;
    for (int i = 0; i < s.n(); i++) {
      boolean still = i < frozen.length && frozen[i] == i;
      light &= still ? s.weight(i) >= 1 : s.weight(i) == 1;
    }
    b.needs("frozen tokens weigh a_j >= 1, free ones 1", light ? "so" : "not so", light);
    b.needs(s.almostEveryStart());
    b.needs(
        "frozen tokens further apart than c beta^{-1/2}, c > 2 + 2 eps",
        (any ? "c = " : "if the strong centres were frozen: c = ")
            + Significant.of(c)
            + " at eps = "
            + FROZEN_EPS,
        f.separated());
    if (f.separated()) {
      b.needs(
          "N h((c-1-2eps) beta^{-1/2}) < h(eps beta^{-1/2})",
          "N = " + Significant.of(s.mass()) + ", bound " + Significant.of(f.largestMassByForce()),
          f.forceCondition());
      b.needs(
          "-N g((c-2eps) beta^{-1/2}) < g(eps beta^{-1/2})",
          "N = "
              + Significant.of(s.mass())
              + ", bound "
              + Significant.of(f.largestMassByStability()),
          f.stabilityCondition());
    }
    if (b.possible()) {
      double reach = FROZEN_EPS / Math.sqrt(beta);
      b.predict(
          "distance",
          "every free token ends within "
              + Significant.of(reach)
              + " rad of one of the "
              + frozen.length
              + " frozen ones; the theorem says nothing about when",
          reach);
    }
    return b.done();
  }

  private static int[] strongOrFirst(Situation s, double beta) {
    double delta = RenyiCentres.delta(FIGURES, beta);
    return delta < Math.PI ? RenyiCentres.of(s.start(), delta).strong() : new int[] {0};
  }

  /** The number of metastable clusters: a conjecture for general V, measured for V = I. */
  private static Judgement metastable(Situation s) {
    Eigenvalue top = s.spectrum().values().get(0);
    Builder b =
        Judgement.of(
                "metastable-count",
                Kind.CONJECTURE,
                "the number of metastable clusters grows like beta^{(d_1-1)/2}",
                PAPER + "section 5; d_1 is the dimension of L")
            .about(s.sphere() && (s.plainCausal() || s.mask().full()))
            .needs(s.softmax())
            .needs(s.plainWeights())
            .needs(s.uniformStart())
            .needs("Q^T K = c I with beta c > 1", s.scoreText(), s.pairBeta() > 1)
            .needs(
                "the eigenvalue of V of largest real part is real, semisimple and > 0",
                top.toString(),
                s.spectrum().leading().size() == 1
                    && top.real()
                    && top.semisimple()
                    && top.re() > 0);
    if (b.possible()) {
      double exponent = (top.multiplicity() - 1) / 2.0;
      b.predict("exponent", "beta^{" + Significant.of(exponent) + "}", exponent);
      if (s.d() == 2 && s.valueScalar() > 0) {
        double count = MEASURED * Math.sqrt(s.pairBeta());
        b.predict(
            "count",
            "about "
                + Significant.of(count)
                + " at t = "
                + Significant.of(30 / s.valueScalar())
                + " (1.1 beta^{1/2}, measured for n = 400 and beta = 16 to 256)",
            count);
      }
    }
    return b.done();
  }

  private static double smallestAngle(Tokens x, int[] tokens) {
    double smallest = Math.PI;
    for (int i : tokens) {
      for (int j : tokens) {
        smallest = i < j ? Math.min(smallest, x.angle(i, j)) : smallest;
      }
    }
    return smallest;
  }

  private static String list(int[] values) {
    return cut(Arrays.stream(values).mapToObj(Integer::toString).toList());
  }

  private static String list(double[] values) {
    return cut(Arrays.stream(values).mapToObj(Significant::of).toList());
  }

  private static String cut(List<String> words) {
    List<String> shown = new ArrayList<>(words.subList(0, Math.min(SHOWN, words.size())));
    if (words.size() > SHOWN) {
      shown.add("...");
    }
    return String.join(", ", shown);
  }
}
