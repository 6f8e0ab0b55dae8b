package org.starling.analysis.predict;

import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.Tokens;
import org.starling.analysis.hull.NearestPoint;
import org.starling.analysis.predict.Judgement.Builder;
import org.starling.analysis.predict.Judgement.Kind;
import org.starling.analysis.theory.Equiangular;
import org.starling.analysis.theory.Equiangular.Model;
import org.starling.analysis.theory.EquiangularLayer;
import org.starling.analysis.theory.Hemisphere;
import org.starling.analysis.theory.SeparatedCaps;
import org.starling.analysis.theory.Separation;
import org.starling.analysis.theory.TokenPair;
import org.starling.analysis.theory.UnstableModes;
import org.starling.core.integrate.Method;
import org.starling.core.model.Normalisation;

/** Full attention on the sphere: arXiv 2312.10794, 2410.06833, 2410.23228. */
final class SphereStatements {
  private static final String PERSPECTIVE = "A mathematical perspective on Transformers, ";
  private static final double LEVEL = 0.999;
  private static final double ARRIVED = 0.01;
  private static final double TOO_LONG = 600;
  private static final int PAIRS_UP_TO = 4096;
  private static final int GROUPS_UP_TO = 512;

  /** Part of the largest admissible lambda that the metastability times are quoted for. */
  private static final double ADMITTED = 0.8;

  private SphereStatements() {}

  static List<Judgement> of(Situation s) {
    return List.of(
        singleCluster(s), cone(s), equiangular(s), energy(s), metastable(s), fastestMode(s));
  }

  private static Builder full(Situation s, String id, Kind kind, String title, String source) {
    return Judgement.of(id, kind, title, source)
        .about(s.sphere() && s.mask().full())
        .needs(
            "softmax or unnormalised weights",
            s.normalisation().name().toLowerCase(java.util.Locale.ROOT),
            s.normalisation() != Normalisation.HARDMAX)
        .needs(s.plainWeights())
        .needs("d >= 2", "d = " + s.d(), s.d() >= 2);
  }

  private static Model model(Situation s) {
    return s.normalisation() == Normalisation.SOFTMAX ? Model.SOFTMAX : Model.UNNORMALISED;
  }

  private static double lateRate(Situation s) {
    double own = model(s) == Model.SOFTMAX ? 1 : Math.exp(s.pairBeta());
    return s.valueScalar() * own;
  }

  private static Judgement singleCluster(Situation s) {
    Builder b =
        full(
                s,
                "single-cluster",
                Kind.THEOREM,
                "all tokens meet in one point",
                PERSPECTIVE
                    + "Theorems 4.1, 4.3, 5.1, 6.1; d = 2 by later work cited in arXiv 2512.01868")
            .needs(s.positiveScalarValue())
            .needs(s.scalarScores())
            .needs(s.almostEveryStart());
    if (!b.possible()) {
      return b.done();
    }
    b.predict("clusters", "1 in the end, at a point that depends on all tokens", 1);
    b.predict(
        "rate", "last phase: distances fall like " + Significant.decay(lateRate(s)), lateRate(s));
    if (model(s) == Model.SOFTMAX && s.pairBeta() < TOO_LONG) {
      double merge =
          TokenPair.mergeTime(s.pairBeta(), 1, 1, Math.PI / 2, ARRIVED) / s.valueScalar();
      b.predict(
          "merge-time",
          "two clusters of equal mass at a right angle merge in "
              + Significant.of(merge)
              + s.against(merge)
              + "; several clusters can last until then",
          merge);
    }
    return b.done();
  }

  private static Judgement cone(Situation s) {
    Builder b =
        full(
                s,
                "cone-collapse",
                Kind.THEOREM,
                "tokens of an open hemisphere meet exponentially fast",
                PERSPECTIVE + "Theorems 6.3 and 6.4; any Q, K")
            .needs(s.softmax())
            .needs(s.positiveScalarValue());
    if (!b.possible()) {
      return b.done();
    }
    if (s.n() > PAIRS_UP_TO) {
      b.needs(
          "all tokens in an open hemisphere",
          "not looked at above n = " + PAIRS_UP_TO,
          Hypothesis.Answer.OPEN);
      return b.done();
    }
    double[][] rows = new double[s.n()][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = s.start().row(i);
    }
    NearestPoint near = NearestPoint.of(rows, new double[s.d()]);
    b.needs(
        "all tokens in an open hemisphere",
        near.lower() > 1e-12
            ? "yes: <x_i, w> >= " + Significant.of(near.lower()) + " for some unit w"
            : "no; the chance for a uniform start is "
                + Significant.of(Hemisphere.probability(s.n(), s.d())),
        near.lower() > 1e-12);
    b.predict("cone", "min_i <x_i, w> never falls", near.lower());
    b.predict("clusters", "1", 1);
    b.predict(
        "rate", "last phase: distances fall like " + Significant.decay(lateRate(s)), lateRate(s));
    if (s.pairBeta() >= 0) {
      double least = s.valueScalar() / (2 * s.n() * Math.exp(2 * s.pairBeta()));
      b.predict("guaranteed-rate", "at least " + Significant.of(least) + " from the start", least);
    }
    return b.done();
  }

  private static Judgement equiangular(Situation s) {
    Builder b =
        full(
                s,
                "equiangular",
                Kind.EXACT,
                "all pairs keep one common inner product",
                PERSPECTIVE + "Theorem 6.8")
            .needs(s.positiveScalarValue())
            .needs(s.scalarScores())
            .needs("n >= 2", "n = " + s.n(), s.n() >= 2);
    if (!b.possible()) {
      return b.done();
    }
    double rho = s.start().dot(0, 1);
    double spread = s.n() <= PAIRS_UP_TO ? gramSpread(s.start(), rho) : Double.NaN;
    b.needs(
        "all pairs have the same inner product at the start",
        Double.isNaN(spread) ? "not looked at" : "spread " + Significant.of(spread),
        spread <= 1e-12);
    if (!b.possible() || rho <= -1.0 / (s.n() - 1) + 1e-12) {
      return b.done();
    }
    Equiangular e = new Equiangular(s.n(), s.pairBeta(), model(s));
    double lambda = s.valueScalar();
    double end = e.gamma(rho, lambda * s.end());
    b.predict("gamma", "gamma(" + Significant.of(s.end()) + ") = " + Significant.of(end), end);
    if (rho < LEVEL) {
      double hit = e.time(rho, LEVEL) / lambda;
      b.predict(
          "hitting-time",
          "gamma reaches 0.999 at t = " + Significant.of(hit) + s.against(hit),
          hit);
    }
    Method method = s.experiment().integrator().method();
    if (method == Method.LAYERS && model(s) == Model.SOFTMAX) {
      double dt = s.experiment().integrator().dt();
      int steps = (int) Math.round(s.end() / dt);
      double map = EquiangularLayer.euler(s.n(), s.pairBeta(), lambda * dt).apply(rho, steps);
      b.predict(
          "gamma-of-layers",
          "the discrete layers give gamma = " + Significant.of(map) + " after " + steps,
          map);
    }
    return b.done();
  }

  private static double gramSpread(Tokens x, double rho) {
    double worst = 0;
    for (int i = 0; i < x.n(); i++) {
      for (int j = 0; j < i; j++) {
        worst = Math.max(worst, Math.abs(x.dot(i, j) - rho));
      }
    }
    return worst;
  }

  private static Judgement energy(Situation s) {
    double ratio = valueOverScore(s);
    Builder b =
        full(
                s,
                "monotone-energy",
                Kind.THEOREM,
                "the interaction energy is monotone",
                PERSPECTIVE + "gradient-flow structure of its energy")
            .needs(
                "Q^T K symmetric and V a multiple of it",
                Double.isNaN(ratio)
                    ? "not so"
                    : "V = " + (ratio == 1 ? "" : Significant.of(ratio) + " ") + "Q^T K",
                !Double.isNaN(ratio) && ratio != 0 && s.triple().symmetric())
            .needs("beta > 0", "beta = " + Significant.of(s.beta()), s.beta() > 0);
    if (b.possible()) {
      boolean up = ratio > 0;
      b.predict("energy", up ? "never falls" : "never rises", up ? 1 : -1);
    }
    return b.done();
  }

  /** r where V = r B up to rounding, else NaN. */
  private static double valueOverScore(Situation s) {
    double[] v = s.v().dense();
    double[] b = s.b().dense();
    double vb = 0;
    double bb = 0;
    double vv = 0;
    for (int i = 0; i < v.length; i++) {
      vb += v[i] * b[i];
      bb += b[i] * b[i];
      vv += v[i] * v[i];
    }
    double ratio = vb / bb;
    double off = 0;
    for (int i = 0; i < v.length; i++) {
      off += (v[i] - ratio * b[i]) * (v[i] - ratio * b[i]);
    }
    return off <= 1e-24 * vv ? ratio : Double.NaN;
  }

  private static Judgement metastable(Situation s) {
    Builder b =
        full(
                s,
                "metastability",
                Kind.THEOREM,
                "separated groups contract by T1 and stay until T2",
                "Dynamic metastability in the self-attention model, main theorem (constants"
                    + " corrected)")
            .needs(s.positiveScalarValue())
            .needs("Q^T K = c I with beta c > 1", s.scoreText(), s.pairBeta() > 1);
    if (!b.possible()) {
      return b.done();
    }
    if (s.n() > GROUPS_UP_TO) {
      b.needs(
          "(beta, eps)-separated start",
          "not looked at above n = " + GROUPS_UP_TO,
          Hypothesis.Answer.OPEN);
      return b.done();
    }
    Separation sep = SeparatedCaps.best(s.start(), s.pairBeta());
    b.needs(
        "(beta, eps)-separated start: gamma(beta) > 0",
        sep == null
            ? "no grouping into caps with eps < 1/8"
            : "best grouping: "
                + sep.clusters()
                + " caps, eps = "
                + Significant.of(sep.eps())
                + ", gamma = "
                + Significant.of(sep.gamma()),
        sep != null && sep.separated());
    if (!b.possible()) {
      return b.done();
    }
    double speed = s.valueScalar() * (model(s) == Model.SOFTMAX ? 1 : Math.exp(s.pairBeta()));
    double lambda = ADMITTED * sep.largestLambda();
    double t1 = sep.contracted(lambda) / speed;
    double t2 = sep.lifetime() / speed;
    b.predict("clusters", sep.clusters() + " until T2", sep.clusters());
    b.predict(
        "T1",
        "at the latest from t = "
            + Significant.of(t1)
            + " on, tokens of a cap are within squared distance "
            + Significant.of(2 * Math.exp(-lambda * s.pairBeta()))
            + " (lambda = "
            + Significant.of(lambda)
            + ")",
        t1);
    b.predict("T2", "tokens stay in their caps until t = " + Significant.of(t2) + " at least", t2);
    return b.done();
  }

  private static Judgement fastestMode(Situation s) {
    double noise = 1 / Math.sqrt(s.n());
    Builder b =
        full(
                s,
                "fastest-mode",
                Kind.OBSERVATION,
                "a uniform start first breaks into the fastest growing mode",
                "Emergence of metastable clustering, arXiv 2410.23228 (mean field, linearised)")
            .needs(s.positiveScalarValue())
            .needs("Q^T K = c I with beta c > 0", s.scoreText(), s.pairBeta() > 0)
            .needs(s.uniformStart())
            .needs("many tokens: n^{-1/2} < 0.1", Significant.of(noise), noise < 0.1);
    if (b.possible() && s.pairBeta() < TOO_LONG) {
      int k = UnstableModes.fastest(s.d(), s.pairBeta());
      double rate = s.valueScalar() * UnstableModes.growth(s.d(), s.pairBeta(), k, model(s));
      b.predict(
          "mode", "degree " + k + (s.d() == 2 ? ": about " + k + " clusters form first" : ""), k);
      b.predict("rate", "it grows like e^{" + Significant.of(rate) + " t}", rate);
    }
    return b.done();
  }
}
