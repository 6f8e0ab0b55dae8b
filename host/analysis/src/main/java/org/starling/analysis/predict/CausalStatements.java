package org.starling.analysis.predict;

import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.predict.Judgement.Builder;
import org.starling.analysis.predict.Judgement.Kind;
import org.starling.analysis.spectrum.AtlasRow;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.LeadingSpace;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.analysis.theory.FirstToken;
import org.starling.analysis.theory.TokenPair;
import org.starling.core.model.Normalisation;

/** Causal attention on the sphere: "Clustering in Causal Attention Masking", arXiv 2411.04990. */
final class CausalStatements {
  private static final String PAPER = "Clustering in Causal Attention Masking, ";
  private static final double ARRIVED = 0.01;
  private static final double PASSAGE_LIMIT = 600;
  private static final int EXPONENTIAL_UP_TO = 256;

  private CausalStatements() {}

  static List<Judgement> of(Situation s) {
    return List.of(collapse(s), twoPoles(s), pointInSpace(s), atlas(s), firstToken(s));
  }

  private static Builder causal(Situation s, String id, Kind kind, String title, String source) {
    Builder b = Judgement.of(id, kind, title, PAPER + source);
    return b.about(s.sphere() && s.mask().causal())
        .needs(s.softmax())
        .needs(s.plainWeights())
        .needs(
            "causal mask without window or bias",
            s.plainCausal() ? "so" : s.mask().toString(),
            s.plainCausal())
        .needs("d >= 2", "d = " + s.d(), s.d() >= 2);
  }

  /** Theorem 4.1. */
  private static Judgement collapse(Situation s) {
    Builder b =
        causal(
                s,
                "causal-collapse",
                Kind.THEOREM,
                "every token converges to the first one",
                "Theorem 4.1")
            .needs(s.positiveScalarValue())
            .needs(s.almostEveryStart());
    if (!b.possible()) {
      return b.done();
    }
    double lambda = s.valueScalar();
    double[] x1 = s.start().row(0);
    b.predict("limit", "every x_k(t) goes to x_1(0) = " + Situation.vector(x1), x1);
    b.predict("clusters", "1 in the end", 1);
    b.predict(
        "rate",
        "last phase: the largest distance to x_1(0) falls like "
            + Significant.decay(lambda / 2)
            + " (full attention: "
            + Significant.decay(lambda)
            + ")",
        lambda / 2);
    if (s.pairBeta() >= 0 && s.pairBeta() < PASSAGE_LIMIT) {
      double merge = TokenPair.causalPassage(s.pairBeta(), Math.PI / 2, ARRIVED) / lambda;
      b.predict(
          "merge-time",
          "a later cluster at a right angle to an earlier one of the same mass joins it in about "
              + Significant.of(merge)
              + s.against(merge)
              + "; several clusters can last until then",
          merge);
    }
    return b.done();
  }

  /** First conjecture. */
  private static Judgement twoPoles(Situation s) {
    ValueSpectrum v = s.spectrum();
    Eigenvalue top = v.values().get(0);
    Builder b =
        causal(
                s,
                "causal-two-poles",
                Kind.CONJECTURE,
                "every token converges to xi or -xi",
                "section 4, first conjecture")
            .needs(
                "the eigenvalue of V of largest real part is real, simple and > 0",
                top.toString(),
                v.leading().size() == 1 && top.simpleReal() && top.re() > 0)
            .needs(s.almostEveryStart());
    if (!b.possible()) {
      return b.done();
    }
    double[] xi = v.rightEigenvector(top);
    b.predict("limit", "xi = " + Situation.vector(xi), xi);
    b.predict(
        "rate",
        "the first token arrives like "
            + Significant.decay(v.gap())
            + "; where both poles are taken, later tokens can be slower",
        v.gap());
    if (v.values().size() > 1) {
      double form = s.triple().top().simpleReal() ? s.triple().form() : Double.NaN;
      double mu = v.values().get(1).re();
      boolean same = s.triple().top().re() == top.re();
      if (same) {
        double ratio = Math.exp(-2 * s.beta() * form);
        boolean two = mu < top.re() * (1 - ratio);
        b.predict(
            "poles",
            "linearised: two poles of equal mass are "
                + (two ? "stable" : "unstable, so one is expected")
                + " (mu = "
                + Significant.of(mu)
                + (two ? " < " : " >= ")
                + "lambda (1 - e^{-2 beta <Q xi, K xi>}) = "
                + Significant.of(top.re() * (1 - ratio))
                + ")",
            two ? 2 : 1);
      }
    }
    return b.done();
  }

  /** Second conjecture. */
  private static Judgement pointInSpace(Situation s) {
    ValueSpectrum v = s.spectrum();
    Eigenvalue top = v.values().get(0);
    Builder b =
        causal(
                s,
                "causal-point-in-L",
                Kind.CONJECTURE,
                "every token converges to the direction of P_L x_1(0)",
                "section 4, second conjecture")
            .needs(
                "the eigenvalue of V of largest real part is real and > 0, with an eigenspace L of"
                    + " dimension >= 2 (and not all)",
                top.toString(),
                v.leading().size() == 1
                    && top.real()
                    && top.re() > 0
                    && top.semisimple()
                    && top.multiplicity() >= 2
                    && top.multiplicity() < s.d())
            .needs(s.almostEveryStart());
    if (!b.possible()) {
      return b.done();
    }
    double[][] basis = v.principalSpace();
    LeadingSpace l = LeadingSpace.of(s.v(), basis);
    b.needs(
        "V maps the complement of L into itself",
        "leak " + Significant.of(l.leak()),
        l.leak() <= 1e-9);
    b.needs(
        "<Vz, z> < lambda |z|^2 for z orthogonal to L",
        "largest " + Significant.of(l.complement()) + ", lambda = " + Significant.of(top.re()),
        l.complement() < top.re());
    if (b.possible()) {
      double[] limit = v.limitDirection(s.start().row(0));
      b.needs("x_1(0) has a part in L", limit == null ? "none" : "so", limit != null);
      if (limit == null) {
        return b.done();
      }
      b.predict("limit", "P_L x_1(0)/|P_L x_1(0)| = " + Situation.vector(limit), limit);
      b.predict("clusters", "1 in the end", 1);
    }
    return b.done();
  }

  /** Table 1. */
  private static Judgement atlas(Situation s) {
    AtlasRow row = AtlasRow.of(s.spectrum());
    Kind kind =
        row.status() == AtlasRow.Status.THEOREM
            ? Kind.THEOREM
            : row.status() == AtlasRow.Status.CONJECTURE ? Kind.CONJECTURE : Kind.OBSERVATION;
    Builder b =
        causal(s, "causal-atlas", kind, "the spectrum of V decides the final shape", "Table 1")
            .needs(
                "V has a row in the table",
                s.spectrum().values().get(0).toString(),
                row.status() != AtlasRow.Status.NONE);
    if (!b.possible()) {
      return b.done();
    }
    b.predict("shape", row.sentence(), row.shape().name());
    Eigenvalue top = s.spectrum().values().get(0);
    if (!top.real()) {
      b.predict("speed", "angular speed " + Significant.of(top.im()), top.im());
    }
    if (s.valueScalar() < 0 && s.scoreScalar() > 0) {
      b.predict(
          "frame",
          "tokens 1.." + 2 * s.d() + " go to an orthonormal frame with signs, x_2 to -x_1 first",
          2 * s.d());
    }
    return b.done();
  }

  /** Lemma 3.1 and its exact solution. */
  private static Judgement firstToken(Situation s) {
    boolean alone =
        s.mask().lastKey(0, s.n()) == 0 && s.normalisation() != Normalisation.UNNORMALISED;
    Builder b =
        Judgement.of(
                "first-token",
                Kind.EXACT,
                "x_1(t) = e^{tV} x_1(0)/|e^{tV} x_1(0)| whatever Q, K, beta",
                PAPER + "Lemma 3.1")
            .about(s.sphere() && s.mask().causal())
            .needs(
                "the first token attends to itself with weight 1", alone ? "so" : "not so", alone)
            .needs(s.constantWeights());
    if (!b.possible()) {
      return b.done();
    }
    ValueSpectrum v = s.spectrum();
    double[] limit = v.limitDirection(s.start().row(0));
    Eigenvalue top = v.values().get(0);
    if (limit != null) {
      b.predict("limit", Situation.vector(limit), limit);
    } else if (v.leading().size() > 1 || top.real()) {
      b.predict(
          "limit",
          v.leading().size() > 1
              ? "none: several eigenvalues lead, and their parts turn against each other"
              : "x_1(0) has no part along the leading eigenvectors; others decide",
          null);
    } else {
      b.predict(
          "limit",
          "none: it turns for ever in the plane of "
              + top
              + " at angular speed "
              + Significant.of(top.im()),
          top.im());
    }
    if (v.leadingBlock() > 1) {
      b.predict("rate", "distance to L falls like 1/t: a Jordan block leads", null);
    } else if (Double.isInfinite(v.gap())) {
      b.predict("rate", top.real() ? "it does not move" : "it is in L from the start", 0.0);
    } else {
      b.predict("rate", "distance to L falls like " + Significant.decay(v.gap()), v.gap());
    }
    if (s.d() <= EXPONENTIAL_UP_TO) {
      double[] x = FirstToken.position(s.v(), s.start().row(0), s.end());
      b.predict("position", "at t = " + Significant.of(s.end()) + ": " + Situation.vector(x), x);
    }
    return b.done();
  }
}
