package org.starling.analysis.predict;

import java.util.Arrays;
import java.util.List;
import org.starling.analysis.Significant;
import org.starling.analysis.Tokens;
import org.starling.analysis.predict.Hypothesis.Answer;
import org.starling.analysis.spectrum.GoodTriple;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Scheme;
import org.starling.core.model.Weight;

/** An experiment as statements see it: its first replica at the start, as numbers. */
public final class Situation {
  /** Entries further than this from c I, relative to the largest, make a matrix not scalar. */
  private static final double SCALAR = 1e-12;

  private final ResolvedExperiment experiment;
  private final Dynamics dynamics;
  private final Tokens start;
  private final Weight v;
  private final Weight b;
  private ValueSpectrum spectrum;
  private GoodTriple triple;

  private Situation(ResolvedExperiment experiment) {
    this.experiment = experiment;
    dynamics = experiment.dynamics();
    int n = experiment.shape().n();
    int d = experiment.shape().d();
    start = new Tokens(Arrays.copyOf(experiment.positions(), n * d), n, d);
    List<Head> heads = dynamics.weights().heads(0);
    v = Dynamics.totalValue(heads);
    b = dynamics.weights().merged(0).get(0).s();
  }

  /** The first replica of an experiment. */
  public static Situation of(ResolvedExperiment experiment) {
    return new Situation(experiment);
  }

  /** The experiment. */
  public ResolvedExperiment experiment() {
    return experiment;
  }

  Tokens start() {
    return start;
  }

  int n() {
    return start.n();
  }

  int d() {
    return start.d();
  }

  Mask mask() {
    return dynamics.mask();
  }

  Normalisation normalisation() {
    return dynamics.normalisation();
  }

  /** Effective beta: score scale included, the size of B = Q^T K not. */
  double beta() {
    return dynamics.at(0, 0).beta();
  }

  /** End time of the run. */
  double end() {
    return experiment.experiment().stop().t();
  }

  Weight v() {
    return v;
  }

  /** B = Q^T K of the first head. */
  Weight b() {
    return b;
  }

  ValueSpectrum spectrum() {
    spectrum = spectrum == null ? ValueSpectrum.of(v) : spectrum;
    return spectrum;
  }

  GoodTriple triple() {
    triple = triple == null ? GoodTriple.of(spectrum(), b) : triple;
    return triple;
  }

  boolean sphere() {
    return dynamics.geometry() == Geometry.SPHERE;
  }

  boolean euclidean() {
    return dynamics.geometry() == Geometry.EUCLIDEAN;
  }

  /** Whether the model is the one in R^d, in either coordinates. */
  boolean inSpace() {
    return !sphere();
  }

  /** Row k attends to all of 1..k and nothing else. */
  boolean plainCausal() {
    return mask().causal() && mask().window() == Mask.NONE && mask().alibi() == 0;
  }

  /** lambda where V = lambda I, else NaN. */
  double valueScalar() {
    return scalar(v);
  }

  /** c where B = c I, else NaN. */
  double scoreScalar() {
    return scalar(b);
  }

  private static double scalar(Weight w) {
    if (w instanceof Weight.Scalar s) {
      return s.c();
    }
    double[] a = w.dense();
    int d = w.rows();
    double c = a[0];
    double size = 0;
    double off = 0;
    for (int i = 0; i < a.length; i++) {
      size = Math.max(size, Math.abs(a[i]));
      off = Math.max(off, Math.abs(a[i] - (i % (d + 1) == 0 ? c : 0)));
    }
    return off <= SCALAR * size ? c : Double.NaN;
  }

  /** beta as it acts on inner products, where B = c I: beta c. */
  double pairBeta() {
    return beta() * scoreScalar();
  }

  /** Such as {@code 2 I}, {@code no multiple of I (largest eigenvalue 1.3)}. */
  String valueText() {
    double c = valueScalar();
    return Double.isNaN(c)
        ? "no multiple of I; eigenvalue of largest real part " + spectrum().values().get(0)
        : "V = " + multiple(c);
  }

  String scoreText() {
    double c = scoreScalar();
    return Double.isNaN(c) ? "Q^T K is no multiple of I" : "Q^T K = " + multiple(c);
  }

  private static String multiple(double c) {
    return c == 1 ? "I" : c == -1 ? "-I" : Significant.of(c) + " I";
  }

  Hypothesis softmax() {
    return holds(
        "softmax weights",
        normalisation().name().toLowerCase(java.util.Locale.ROOT),
        normalisation() == Normalisation.SOFTMAX);
  }

  /** The papers' model: one head, weights constant in time, scores from Q and K alone. */
  Hypothesis plainWeights() {
    return weights(true, false);
  }

  /** The same with noise. */
  Hypothesis plainButForNoise() {
    return weights(true, true);
  }

  /** Amplitude of the noise, sqrt(2 / kappa) on the sphere; 0 without noise. */
  double noise() {
    return dynamics.noise();
  }

  /** The same, whatever sets tokens apart. */
  Hypothesis weightsOfAnyTokens() {
    return weights(false, false);
  }

  private Hypothesis weights(boolean alike, boolean noisy) {
    int heads = dynamics.weights().heads(0).size();
    boolean constant = dynamics.weights().constant();
    boolean own = dynamics.interaction() != null;
    return holds(
        "one head, constant weights, scores beta <Qx, Ky>",
        (heads == 1 ? "one head" : heads + " heads")
            + (constant ? ", constant" : ", other weights in each layer")
            + (own ? ", scores of " + dynamics.interaction().name() : "")
            + (dynamics.sink() == null ? "" : ", a sink")
            + (noisy || noise() == 0 ? "" : ", noise")
            + scheme()
            + (alike ? roles() : ""),
        heads == 1
            && constant
            && !own
            && scheme().isEmpty()
            && dynamics.sink() == null
            && (noisy || noise() == 0)
            && !(alike && (dynamics.roles() != null || mask().gaps())));
  }

  /** How a feed-forward term or a scheme other than post is told beside the rest; else empty. */
  private String scheme() {
    Scheme.Kind kind = dynamics.scheme().kind();
    if (dynamics.feedForward() != null) {
      return ", feed-forward term";
    }
    return kind == Scheme.Kind.POST
        ? ""
        : ", normalisation scheme " + kind.name().toLowerCase(java.util.Locale.ROOT);
  }

  Hypothesis constantWeights() {
    boolean constant = dynamics.weights().constant() && dynamics.interaction() == null;
    return holds(
        "weights constant in time, no interaction of one's own",
        (constant ? "so" : "not so") + (noise() == 0 ? "" : ", noise") + roles() + scheme(),
        constant
            && noise() == 0
            && scheme().isEmpty()
            && dynamics.roles() == null
            && dynamics.sink() == null
            && !dynamics.sloped());
  }

  /** What sets tokens apart, as the end of a list. */
  private String roles() {
    return (frozen().length == 0 ? "" : ", frozen tokens")
        + (dynamics.roles() != null && dynamics.roles().weighted() ? ", weighted tokens" : "")
        + (mask().gaps() ? ", first keys for all beside a window" : "");
  }

  /** N: the sum of the tokens' weights. */
  double mass() {
    return dynamics.roles() == null ? n() : dynamics.roles().mass();
  }

  /** a_i of token i. */
  double weight(int i) {
    return dynamics.roles() == null ? 1 : dynamics.roles().weight(i);
  }

  /** The frozen tokens, ascending. */
  int[] frozen() {
    return dynamics.roles() == null ? new int[0] : dynamics.roles().frozen();
  }

  /** V = lambda I with lambda &gt; 0. */
  Hypothesis positiveScalarValue() {
    return holds("V = lambda I with lambda > 0", valueText(), valueScalar() > 0);
  }

  /** Q^T K = c I with beta c &gt;= 0. */
  Hypothesis scalarScores() {
    return holds("Q^T K = c I with beta c >= 0", scoreText(), pairBeta() >= 0);
  }

  /** The start comes from a law with a density, so exceptional sets have probability 0. */
  Hypothesis almostEveryStart() {
    Init init = experiment.experiment().tokens().init();
    if (n() == 2 && d() > 1 && Math.abs(start.angle(0, 1) - Math.PI) < 1e-12) {
      return holds("almost every start", "x_2 = -x_1, which stays so", false);
    }
    boolean drawn =
        init instanceof Init.UniformSphere
            || init instanceof Init.Gaussian
            || init instanceof Init.UniformCube;
    return new Hypothesis(
        "almost every start (exceptional ones have measure 0)",
        drawn ? "drawn from a density" : "given, so it may be exceptional",
        drawn ? Answer.HOLDS : Answer.OPEN);
  }

  /** Independent uniform tokens on the sphere. */
  Hypothesis uniformStart() {
    Init init = experiment.experiment().tokens().init();
    return holds(
        "independent uniform start on the sphere",
        init.getClass().getSimpleName(),
        init instanceof Init.UniformSphere);
  }

  static Hypothesis holds(String text, String measured, boolean yes) {
    return new Hypothesis(text, measured, yes ? Answer.HOLDS : Answer.FAILS);
  }

  /** A vector in few numbers: {@code (0.1, -0.2, 0.97)}, cut after four. */
  static String vector(double[] x) {
    StringBuilder text = new StringBuilder("(");
    for (int c = 0; c < Math.min(4, x.length); c++) {
      text.append(c == 0 ? "" : ", ").append(Significant.of(x[c]));
    }
    return text.append(x.length > 4 ? ", ...)" : ")").toString();
  }

  /** How a time compares with the run's end: {@code (the run ends at t = 20, before that)}. */
  String against(double time) {
    return " (the run ends at t = "
        + Significant.of(end())
        + (end() < time ? ", before that)" : ")");
  }
}
