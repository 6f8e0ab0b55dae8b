package org.starling.analysis.predict;

import java.util.Arrays;
import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.Tokens;
import org.starling.analysis.hull.HullVertices;
import org.starling.analysis.predict.Judgement.Builder;
import org.starling.analysis.predict.Judgement.Kind;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.GoodTriple;
import org.starling.analysis.theory.TerminalLaw;

/** Tokens in R^d, rescaled or not: "The emergence of clusters", arXiv 2305.05465. */
final class SpaceStatements {
  private static final String PAPER = "The emergence of clusters in self-attention dynamics, ";
  private static final int VERTICES_UP_TO = 512;
  private static final double CLOSE = 0.01;

  /** lambda t from which rows of the one-dimensional model are basis vectors (T1). */
  private static final double BOOLEAN_TIME = 12;

  private SpaceStatements() {}

  static List<Judgement> of(Situation s) {
    return List.of(lowRank(s), polytope(s), hyperplanes(s), mix(s), codimension(s), origin(s));
  }

  private static Builder space(Situation s, String id, Kind kind, String title, String source) {
    return Judgement.of(id, kind, title, PAPER + source)
        .about(s.inSpace() && s.mask().full())
        .needs(s.softmax())
        .needs(s.plainWeights());
  }

  private static Hypothesis positiveScores(Situation s) {
    GoodTriple t = s.triple();
    return Situation.holds(
        "beta > 0 and Q^T K symmetric positive definite",
        "beta = "
            + Significant.of(s.beta())
            + (t.symmetric() ? ", symmetric" : ", not symmetric")
            + ", smallest eigenvalue "
            + Significant.of(t.smallestForm()),
        s.beta() > 0 && t.positiveDefinite());
  }

  private static Hypothesis form(Situation s) {
    double form = s.triple().form();
    return Situation.holds(
        "beta <Q phi_1, K phi_1> > 0", Significant.of(s.beta() * form), s.beta() * form > 0);
  }

  private static Hypothesis simpleTop(Situation s) {
    GoodTriple t = s.triple();
    return Situation.holds(
        "the eigenvalue of V of largest modulus is real, > 0 and simple",
        t.top() + ", relative gap " + Significant.of(t.gap()),
        t.simpleTop());
  }

  /** Theorem 2.1. */
  private static Judgement lowRank(Situation s) {
    double v = s.d() == 1 ? s.valueScalar() : Double.NaN;
    Builder b =
        space(
                s,
                "boolean-low-rank",
                Kind.THEOREM,
                "attention becomes Boolean of rank 1 or 2, in one dimension",
                "Theorem 2.1")
            .needs("d = 1", "d = " + s.d(), s.d() == 1);
    if (s.d() == 1) {
      b.needs("V > 0", Significant.of(v), v > 0);
      double score = s.pairBeta();
      b.needs("beta Q K > 0", Significant.of(score), score > 0);
      double gap = smallestGap(s.start().x());
      b.needs("distinct tokens", "smallest gap " + Significant.of(gap), gap > 0);
    }
    if (b.possible()) {
      int[] ends = ends(s.start());
      b.predict(
          "leaders",
          "all rows but at most one become e_"
              + ends[0]
              + " or e_"
              + ends[1]
              + " (smallest and largest token, counted from 0); rank 2, or 1 if all tokens have"
              + " one sign",
          ends);
      b.predict(
          "time",
          "rows are within 1e-9 of that at about t = "
              + Significant.of(BOOLEAN_TIME / v)
              + s.against(BOOLEAN_TIME / v),
          BOOLEAN_TIME / v);
    }
    return b.done();
  }

  private static int[] ends(Tokens x) {
    int low = 0;
    int high = 0;
    for (int i = 1; i < x.n(); i++) {
      low = x.at(i, 0) < x.at(low, 0) ? i : low;
      high = x.at(i, 0) > x.at(high, 0) ? i : high;
    }
    return new int[] {low, high};
  }

  private static double smallestGap(double[] x) {
    double[] sorted = x.clone();
    Arrays.sort(sorted);
    double gap = Double.POSITIVE_INFINITY;
    for (int i = 1; i < sorted.length; i++) {
      gap = Math.min(gap, sorted[i] - sorted[i - 1]);
    }
    return gap;
  }

  /** Theorem 3.1. */
  private static Judgement polytope(Situation s) {
    Builder b =
        space(
                s,
                "polytope",
                Kind.THEOREM,
                "rescaled tokens go to the boundary of a polytope, generically its vertices",
                "Theorem 3.1")
            .needs(s.positiveScalarValue())
            .needs(positiveScores(s));
    if (!b.possible()) {
      return b.done();
    }
    double lambda = s.valueScalar();
    b.predict("hull", "the hull of z never grows", null);
    if (s.n() <= VERTICES_UP_TO) {
      int most = HullVertices.of(s.start(), 1e-9 * diameter(s.start())).tokens().length;
      b.predict("vertices", "at most " + most + ", the vertices at the start", most);
    }
    settle(s, b, lambda);
    return b.done();
  }

  private static void settle(Situation s, Builder b, double rate) {
    double time = TerminalLaw.collapseTime(rate, diameter(s.start()), CLOSE);
    b.predict(
        "rate",
        "once rows are basis vectors, differences fall like "
            + Significant.decay(rate)
            + ": from the diameter to 0.01 takes "
            + Significant.of(time)
            + s.against(time),
        rate);
  }

  private static double diameter(Tokens x) {
    double[] centre = new double[x.d()];
    for (int i = 0; i < x.n(); i++) {
      for (int c = 0; c < x.d(); c++) {
        centre[c] += x.at(i, c) / x.n();
      }
    }
    double far = 0;
    for (int i = 0; i < x.n(); i++) {
      double square = 0;
      for (int c = 0; c < x.d(); c++) {
        square += (x.at(i, c) - centre[c]) * (x.at(i, c) - centre[c]);
      }
      far = Math.max(far, square);
    }
    return Math.max(2 * Math.sqrt(far), Double.MIN_NORMAL);
  }

  /** Theorem 4.2. */
  private static Judgement hyperplanes(Situation s) {
    Builder b =
        space(
                s,
                "three-hyperplanes",
                Kind.THEOREM,
                "rescaled tokens go to at most three parallel hyperplanes",
                "Theorem 4.2 (good triple)")
            .needs(simpleTop(s));
    if (!b.possible()) {
      return b.done();
    }
    b.needs(form(s));
    if (!b.possible()) {
      return b.done();
    }
    Eigenvalue top = s.triple().top();
    double[] phi = s.spectrum().leftEigenvector(top);
    boolean below = false;
    boolean above = false;
    for (int i = 0; i < s.n(); i++) {
      below |= s.start().dot(i, phi) < 0;
      above |= s.start().dot(i, phi) > 0;
    }
    int levels = below && above ? 2 : 1;
    b.predict("levels", levels + " generically (at most 3)", levels);
    b.predict(
        "normal", "left eigenvector phi = " + Situation.vector(phi) + ", not the right one", phi);
    settle(s, b, top.re());
    return b.done();
  }

  /** Theorem 5.2. */
  private static Judgement mix(Situation s) {
    GoodTriple t = s.triple();
    Builder b =
        space(
                s,
                "polytope-times-subspace",
                Kind.THEOREM,
                "rescaled tokens go to a polytope times a subspace",
                "Theorem 5.2 (paranormal V)")
            .needs(
                "V is lambda I > 0 on F and of smaller modulus on G, both invariant and not 0",
                t.top() + ", relative gap " + Significant.of(t.gap()),
                t.paranormal() && t.top().multiplicity() < s.d())
            .needs(positiveScores(s));
    if (!b.possible()) {
      return b.done();
    }
    int k = t.top().multiplicity();
    b.predict("polytope-dimension", k + " of " + s.d() + " coordinates", k);
    double slowest = s.spectrum().values().get(s.spectrum().values().size() - 1).re();
    b.predict(
        "spread",
        slowest < 0
            ? "along G tokens spread like e^{" + Significant.of(-slowest) + " t}"
            : "along G tokens do not spread",
        Math.max(0, -slowest));
    settle(s, b, t.top().re());
    return b.done();
  }

  /** The conjecture on codimension, with the hypotheses that its printed form lacks. */
  private static Judgement codimension(Situation s) {
    Builder b =
        space(
                s,
                "codimension",
                Kind.CONJECTURE,
                "rescaled tokens go to at most three parallel subspaces of codimension k",
                "conjecture on k eigenvalues of positive real part (false as printed for V = I)")
            .needs(simpleTop(s));
    if (!b.possible()) {
      return b.done();
    }
    b.needs(form(s));
    int k = 0;
    double slowest = Double.POSITIVE_INFINITY;
    for (Eigenvalue e : s.spectrum().values()) {
      if (e.re() > 0) {
        k += e.dimension();
        slowest = Math.min(slowest, e.re());
      }
    }
    if (b.possible()) {
      b.predict("codimension", "k = " + k, k);
      settle(s, b, slowest);
    }
    return b.done();
  }

  /** Theorem 8.5. */
  private static Judgement origin(Situation s) {
    Builder b =
        space(
                s,
                "collapse-to-origin",
                Kind.THEOREM,
                "all tokens go to the origin, slowly, and attention becomes uniform",
                "Theorem 8.5")
            .needs("V = -lambda I with lambda > 0", s.valueText(), s.valueScalar() < 0)
            .needs("Q^T K = c I with beta c > 0", s.scoreText(), s.pairBeta() > 0);
    if (b.possible()) {
      double law = 1 / (-2 * s.valueScalar() * s.pairBeta());
      b.predict(
          "law",
          "t (1/n) sum x_i x_i^T tends to " + Significant.of(law) + " I, so |x| ~ t^{-1/2}",
          law);
    }
    return b.done();
  }
}
