package org.starling.core.experiment;

import java.util.List;
import java.util.Set;

/** What a claim can measure on the frames of a run. In files: the name in lower case, hyphens. */
public enum Measure {
  /**
   * Angle of token `of` seen from token `from` on the circle (d = 2), in [0, 2 pi) at the start and
   * lifted after: it does not jump by 2 pi.
   */
  ANGLE(
      "angle of token `of` seen from token `from` on the circle (d = 2), in [0, 2 pi) at the start"
          + " and lifted after: it does not jump by 2 pi",
      number("of", 1),
      number("from", 0)),
  /**
   * Mean cosine of two tokens' attention outputs, less nothing, the law of one layer on equiangular
   * tokens, or its limit for long contexts.
   */
  ATTENDED_COSINE(
      "mean cosine of two tokens' attention outputs, less nothing, the law of one layer on"
          + " equiangular tokens, or its limit for long contexts",
      word("less", "nothing")),
  /** Number of singular values of the attention matrix above tolerance. */
  ATTENTION_RANK(
      "number of singular values of the attention matrix above tolerance",
      number("tolerance", 1e-8)),
  /** Largest over tokens of 1 - |x_c|, with c the nearest coordinate axis: how far they are. */
  AXIS_DEFECT(
      "largest over tokens of 1 - |x_c|, with c the nearest coordinate axis: how far they are"),
  /** Largest distance that a Renyi centre of the start has moved; radius c / sqrt(beta). */
  CENTRE_DISPLACEMENT(
      "largest distance that a Renyi centre of the start has moved; radius c / sqrt(beta)",
      number("c", 4),
      word("kind", "strong")),
  /** Number of groups of tokens on the circle with an angle of more than gap between them. */
  CIRCLE_CLUSTERS(
      "number of groups of tokens on the circle with an angle of more than gap between them",
      number("gap", 0.02)),
  /** Number of single-linkage clusters of tokens nearer than distance. */
  CLUSTERS(
      "number of single-linkage clusters of tokens nearer than distance, in the given unit: one, or"
          + " width for 1 / sqrt(beta)",
      number("distance", 0.01),
      word("unit", "one")),
  /** Standard deviation of a coordinate over tokens. */
  COORDINATE_DEVIATION("standard deviation of a coordinate over tokens", number("coordinate", 0)),
  /** Largest 1 - cosine of two tokens. */
  COSINE_GAP("largest 1 - cosine of two tokens"),
  /**
   * Fraction of tokens within radius (an angle) of the present place of a Renyi centre of the
   * start.
   */
  COVERAGE(
      "fraction of tokens within radius (an angle) of the present place of a Renyi centre of the"
          + " start",
      number("c", 4),
      number("radius", 0.05),
      word("kind", "ordinary")),
  /** Distance of a token from its start. */
  DISPLACEMENT("distance of a token from its start", number("token", 0)),
  /** Largest distance of a token from token 0. */
  DISTANCE_TO_FIRST("largest distance of a token from token 0"),
  /** Largest distance of a token from the start of token 0. */
  DISTANCE_TO_FIRST_START("largest distance of a token from the start of token 0"),
  /**
   * Largest distance of a token (or of one) from the eigenvectors of the largest Jordan blocks in
   * L'.
   */
  DISTANCE_TO_JORDAN(
      "largest distance of a token (or of one) from the eigenvectors of the largest Jordan blocks"
          + " in L'",
      number("token", -1)),
  /**
   * Largest distance of a token (or of one token, from 0 on) from the unit sphere of L', the
   * generalised eigenvectors of V whose eigenvalues have the largest real part.
   */
  DISTANCE_TO_PRINCIPAL(
      "largest distance of a token (or of one token, from 0 on) from the unit sphere of L', the"
          + " generalised eigenvectors of V whose eigenvalues have the largest real part",
      number("token", -1)),
  /**
   * Largest distance of a token from P x / |P x|, with x the start of token 0 and P the projection
   * on L'.
   */
  DISTANCE_TO_PROJECTED_FIRST(
      "largest distance of a token from P x / |P x|, with x the start of token 0 and P the"
          + " projection on L'"),
  /** Largest difference of a pair's cosine from the solution of the equiangular equation. */
  EQUIANGULAR_ERROR(
      "largest difference of a pair's cosine from the solution of the equiangular equation"),
  /**
   * Time of an event of the replica: of the block events, by its name (clusters-K, collapse,
   * merged, plateau-left) and its number, from 1 on.
   */
  EVENT_TIME(
      "time of an event of the replica: of the block events, by its name (clusters-K, collapse,"
          + " merged, plateau-left) and its number, from 1 on",
      word("name", "merged"),
      number("number", 1)),
  /**
   * D = 1: largest distance of a row of the attention matrix, but for one row, from the unit row of
   * the smallest or of the largest token.
   */
  EXTREME_RESIDUAL(
      "d = 1: largest distance of a row of the attention matrix, but for one row, from the unit row"
          + " of the smallest or of the largest token"),
  /** Distance of token 0 from e^{tV} x / |e^{tV} x|, with x its start. */
  FIRST_TOKEN_ERROR("distance of token 0 from e^{tV} x / |e^{tV} x|, with x its start"),
  /**
   * Largest distance of the cosines of the first tokens (their number) from a signed frame: pairs
   * (0,1), (2,3), ... at -1, others at 0.
   */
  FRAME_DEFECT(
      "largest distance of the cosines of the first tokens (their number) from a signed frame:"
          + " pairs (0,1), (2,3), ... at -1, others at 0",
      number("tokens", 6)),
  /** Largest angle of a free token from the nearest frozen one, times sqrt(beta). */
  FROZEN_DISTANCE("largest angle of a free token from the nearest frozen one, times sqrt(beta)"),
  /** Largest growth of the convex hull since the frame before, over 64 directions. */
  HULL_GROWTH("largest growth of the convex hull since the frame before, over 64 directions"),
  /** Length, area or volume of the convex hull, of the first coordinates (0 for all; at most 3). */
  HULL_MEASURE(
      "length, area or volume of the convex hull, of the first coordinates (0 for all; at most 3)",
      number("coordinates", 0)),
  /** Number of vertices of the convex hull, of the first coordinates (0 for all; at most 3). */
  HULL_VERTICES(
      "number of vertices of the convex hull, of the first coordinates (0 for all; at most 3)",
      number("coordinates", 0),
      number("distance", 0.01)),
  /**
   * Number of groups of phi.z split at gaps above gap times its range, phi the leading left
   * eigenvector of V.
   */
  HYPERPLANES(
      "number of groups of phi.z split at gaps above gap times its range, phi the leading left"
          + " eigenvector of V",
      number("gap", 1e-3)),
  /** Largest distance that a token has moved, from a frame to the next, while leading itself. */
  LEADER_MOTION(
      "largest distance that a token has moved, from a frame to the next, while leading itself"),
  /** Number of tokens that some token attends to most. */
  LEADERS("number of tokens that some token attends to most"),
  /** Angle of a token in the plane of the leading complex pair of V, lifted. */
  LEADING_ANGLE(
      "angle of a token in the plane of the leading complex pair of V, lifted", number("token", 0)),
  /**
   * Largest real part of an eigenvalue of V where that eigenvalue is real and simple, else none.
   */
  LEADING_EIGENVALUE(
      "largest real part of an eigenvalue of V where that eigenvalue is real and simple, else"
          + " none"),
  /**
   * &lt;Q xi, K xi>, xi the unit eigenvector of the largest eigenvalue of V, which must be real and
   * simple.
   */
  LEADING_SCORE(
      "<Q xi, K xi>, xi the unit eigenvector of the largest eigenvalue of V, which must be real and"
          + " simple"),
  /**
   * Largest standard deviation within a level of phi.z of the coordinate of another eigenvalue of V
   * (by falling real part, from 0 on).
   */
  LEVEL_DEVIATION(
      "largest standard deviation within a level of phi.z of the coordinate of another eigenvalue"
          + " of V (by falling real part, from 0 on)",
      number("mode", 1),
      number("gap", 1e-3)),
  /** Largest difference of phi.z within a level. */
  LEVEL_SPREAD("largest difference of phi.z within a level", number("gap", 1e-3)),
  /**
   * Angle in the plane of a complex pair of V of the difference of two tokens of one level, lifted.
   */
  LEVEL_TURN(
      "angle in the plane of a complex pair of V of the difference of two tokens of one level,"
          + " lifted",
      number("mode", 1),
      number("gap", 1e-3)),
  /** Largest less smallest phi.z. */
  LEVEL_WIDTH("largest less smallest phi.z"),
  /** |(1/n) sum e^{i mode angle}| on the circle (d = 2). */
  MODE_AMPLITUDE("|(1/n) sum e^{i mode angle}| on the circle (d = 2)", number("mode", 1)),
  /**
   * Growth of the logarithm of mode-amplitude since the start, over what the linear law of the
   * uniform circle predicts.
   */
  MODE_GROWTH(
      "growth of the logarithm of mode-amplitude since the start, over what the linear law of the"
          + " uniform circle predicts",
      number("mode", 1)),
  /** T times an eigenvalue of (1/n) sum x_i x_i^T: the smallest or the largest. */
  MOMENT_LAW(
      "t times an eigenvalue of (1/n) sum x_i x_i^T: the smallest or the largest",
      word("which", "largest")),
  /** An observable that the run reports, by its name in scalars.jsonl. */
  OBSERVED(
      "an observable that the run reports, by its name in scalars.jsonl", word("name", "energy")),
  /** Largest difference of |&lt;x_i, xi>| from 1, xi the unit leading eigenvector of V. */
  OPPOSITE_DEFECT("largest difference of |<x_i, xi>| from 1, xi the unit leading eigenvector of V"),
  /** Fraction of pairs of tokens whose cosine is larger. */
  PAIR_FRACTION("fraction of pairs of tokens whose cosine is larger", number("cosine", 0.999)),
  /**
   * Largest rate at which a token on one of the two poles of V would leave it, by the causal
   * linearisation; negative where both are stable.
   */
  POLE_GROWTH(
      "largest rate at which a token on one of the two poles of V would leave it, by the causal"
          + " linearisation; negative where both are stable"),
  /** Number of signs of &lt;x_i, xi> that occur, xi the leading eigenvector of V. */
  POLES("number of signs of <x_i, xi> that occur, xi the leading eigenvector of V"),
  /**
   * Largest displacement of a strong Renyi centre until its time T_j, over its bound eps c /
   * sqrt(beta); T_j times `times`.
   */
  QUASI_STATIONARITY(
      "largest displacement of a strong Renyi centre until its time T_j, over its bound eps c /"
          + " sqrt(beta); T_j times `times`",
      number("c", 3),
      number("eps", 0.1),
      number("times", 1)),
  /** Largest relative difference of a |x_i| from the radius of the equiangular equation. */
  RADIUS_ERROR(
      "largest relative difference of a |x_i| from the radius of the equiangular equation"),
  /** Number of Renyi centres of the start, radius c / sqrt(beta). */
  RENYI_CENTRES(
      "number of Renyi centres of the start, radius c / sqrt(beta)",
      number("c", 4),
      word("kind", "strong")),
  /**
   * Position in the prompt, in (0, 1), that is retrieved worst under causal alibi attention of rate
   * lambda, by the kinetic theory with the modes of an angular window.
   */
  RETRIEVAL_MINIMUM(
      "position in the prompt, in (0, 1), that is retrieved worst under causal alibi attention of rate lambda, by the kinetic theory with the modes of an angular window; none where the last is",
      number("lambda", 1),
      number("window", 8),
      number("modes", 20)),
  /** Number of tokens that attend to themselves most. */
  SELF_LEADERS("number of tokens that attend to themselves most"),
  /** Largest distance from 1 of the largest weight in a row. */
  SELECTOR_RESIDUAL("largest distance from 1 of the largest weight in a row"),
  /**
   * Difference of the angle of token 2 of three on the circle from the end, 0 or 2 pi, that the
   * separatrix assigns to its start.
   */
  SEPARATRIX_ERROR(
      "difference of the angle of token 2 of three on the circle from the end, 0 or 2 pi, that the"
          + " separatrix assigns to its start"),
  /** Smallest positive real part of an eigenvalue of V. */
  SLOWEST_GROWTH("smallest positive real part of an eigenvalue of V"),
  /** Smallest distance of two tokens. */
  SMALLEST_DISTANCE("smallest distance of two tokens"),
  /**
   * Largest real part of an eigenvalue of V, less the next one; infinite where there is no other.
   */
  SPECTRAL_GAP(
      "largest real part of an eigenvalue of V, less the next one; infinite where there is no"
          + " other"),
  /** Largest distance of two tokens. */
  SPREAD("largest distance of two tokens"),
  /**
   * Largest relative difference of x^T B x from the largest v^T B v over hull vertices v, B = Q^T
   * K.
   */
  SUPPORT_RESIDUAL(
      "largest relative difference of x^T B x from the largest v^T B v over hull vertices v, B ="
          + " Q^T K"),
  /**
   * Difference of the angle between tokens `of` and `from` from the equation of two weighted
   * clusters, from the frame at start on.
   */
  TWO_CLUSTER_ERROR(
      "difference of the angle between tokens `of` and `from` from the equation of two weighted"
          + " clusters, from the frame at start on",
      number("of", 1),
      number("from", 0),
      number("start", 0)),
  /** Largest difference of a weight from 1/n, times n t. */
  UNIFORMITY("largest difference of a weight from 1/n, times n t"),
  /**
   * Number of groups of tokens whose coordinates for eigenvalues of V with positive real part
   * differ by less than distance.
   */
  UNSTABLE_GROUPS(
      "number of groups of tokens whose coordinates for eigenvalues of V with positive real part"
          + " differ by less than distance",
      number("distance", 0.05)),
  /**
   * Largest distance of a token from the nearest vertex of the convex hull, relative to the
   * diameter; first coordinates (0 for all).
   */
  VERTEX_DISTANCE(
      "largest distance of a token from the nearest vertex of the convex hull, relative to the"
          + " diameter; first coordinates (0 for all)",
      number("coordinates", 0));

  /**
   * A parameter of a measure.
   *
   * @param otherwise its default: a number or a word
   */
  public record Parameter(String name, Object otherwise) {
    /** Words and numbers that stand for all tokens, all coordinates, no unit, nothing. */
    private static final Set<Object> NOTHING = Set.of(-1.0, "one", "nothing");

    /** Whether a value is the default one, and that one says nothing. */
    boolean nothing(Object value) {
      boolean all = name.equals("coordinates");
      return value.equals(otherwise) && (all || NOTHING.contains(value));
    }
  }

  private final String words;
  private final List<Parameter> parameters;

  Measure(String words, Parameter... parameters) {
    this.words = words;
    this.parameters = List.of(parameters);
  }

  private static Parameter number(String name, double otherwise) {
    return new Parameter(name, otherwise);
  }

  private static Parameter word(String name, String otherwise) {
    return new Parameter(name, otherwise);
  }

  /** The word in files. */
  public String label() {
    return Binding.label(this);
  }

  /** What it is, as a clause. */
  public String words() {
    return words;
  }

  public List<Parameter> parameters() {
    return parameters;
  }
}
