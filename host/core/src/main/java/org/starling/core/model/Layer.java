package org.starling.core.model;

import java.util.List;
import java.util.Objects;

/**
 * Everything an engine needs to evaluate attention once, as numbers: the parameters of the dynamics
 * frozen at one time. Engines may cache what they derive from a layer by identity.
 *
 * <p>Scores are s_ij = beta &lt;x_i, S_h x_j&gt; + mask.bias(i, j), or the interaction's score.
 *
 * @param geometry how u becomes a velocity
 * @param mask live keys and bias
 * @param normalisation weights from scores
 * @param beta effective inverse temperature: beta, times 1/sqrt(d) where score_scale asks for it
 * @param heads merged heads, at least one
 * @param interaction the user's own score, or null
 * @param merged tokens that stand together as keys, or null
 * @param roles what sets tokens apart, or null; rows of frozen tokens are 0
 * @param sink one more key that all see, or null
 * @param rule what becomes of the attention output token by token, or null for the geometry's own
 *     rule
 */
public record Layer(
    Geometry geometry,
    Mask mask,
    Normalisation normalisation,
    double beta,
    List<LayerHead> heads,
    Interaction interaction,
    MergedKeys merged,
    TokenRoles roles,
    Sink sink,
    TokenRule rule) {

  /**
   * One head as an engine sees it.
   *
   * @param s merged score matrix S = Q^T K (rescaled: e^{tV^T} Q^T K e^{tV}), {@code [d][d]}
   * @param v value matrix acting on the state, {@code [d][d]}
   * @param q the query matrix {@code [m][d]} and
   * @param k the key matrix {@code [m][d]} with s = q^T k; read only where an interaction needs
   *     them
   * @param alibi slope of this head alone, &gt;= 0: adds -alibi (i - j) to its scores, beside the
   *     mask's own; &gt; 0 requires a causal mask
   */
  public record LayerHead(Weight s, Weight v, Weight q, Weight k, double alibi) {
    /** A head without a slope of its own. */
    public LayerHead(Weight s, Weight v, Weight q, Weight k) {
      this(s, v, q, k, 0);
    }

    /** The same head with a slope of its own. */
    public LayerHead withAlibi(double slope) {
      return new LayerHead(s, v, q, k, slope);
    }
  }

  /** A layer in which every token is a key of its own. */
  public Layer(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      double beta,
      List<LayerHead> heads,
      Interaction interaction) {
    this(geometry, mask, normalisation, beta, heads, interaction, null, null, null, null);
  }

  public Layer {
    Objects.requireNonNull(geometry);
    Objects.requireNonNull(mask);
    Objects.requireNonNull(normalisation);
    heads = List.copyOf(heads);
    if (heads.isEmpty()) {
      throw new IllegalArgumentException("a layer needs at least one head");
    }
    boolean sloped = heads.stream().anyMatch(h -> h.alibi() != 0);
    if (sloped && !mask.causal()) {
      throw new IllegalArgumentException("slopes of heads need a causal mask");
    }
    String keys =
        whyNotKeyed(
            mask, normalisation, interaction != null, weighted(roles), sink != null || sloped);
    keys = keys == null && sink != null ? whyNoSink(geometry, normalisation) : keys;
    if (keys != null) {
      throw new IllegalArgumentException(keys);
    }
    if (merged != null) {
      String reason =
          whyNotMerged(mask, normalisation, interaction == null ? null : interaction.name());
      reason =
          reason == null && (roles != null || sink != null || sloped) ? ROLES_NOT_MERGED : reason;
      reason = reason == null && rule != null ? TokenRule.NOT_MERGED : reason;
      if (reason != null) {
        throw new IllegalArgumentException(reason);
      }
    }
  }

  /** Why tokens that differ in their roles cannot stand together. */
  public static final String ROLES_NOT_MERGED =
      "frozen and weighted tokens, a sink and slopes of heads are for tokens of their own, which"
          + " cannot be merged";

  private static boolean weighted(TokenRoles roles) {
    return roles != null && roles.weighted();
  }

  /**
   * Why keys cannot differ, by their weights, a sink, first keys for all or slopes of heads, under
   * such a layer; null if they can or do not.
   *
   * @param other a sink, or slopes of heads
   */
  public static String whyNotKeyed(
      Mask mask,
      Normalisation normalisation,
      boolean interaction,
      boolean weighted,
      boolean other) {
    boolean first = mask.gaps();
    if (!weighted && !other && !first) {
      return null;
    }
    String what =
        weighted ? "weights of tokens" : other ? "a sink or slopes of heads" : "first keys for all";
    if (normalisation == Normalisation.HARDMAX) {
      return what + " and hardmax do not go together: a single key counts, whatever its weight";
    }
    if (interaction) {
      return what + " and an interaction of your own do not go together: put them into its score";
    }
    return null;
  }

  /** Why there can be no sink in such a layer; null if there can. */
  public static String whyNoSink(Geometry geometry, Normalisation normalisation) {
    if (geometry == Geometry.RESCALED) {
      return "a sink stands still in R^d, so in the rescaled geometry it would move; use geometry:"
          + " euclidean";
    }
    return normalisation == Normalisation.UNNORMALISED
        ? "a sink takes its part of a softmax, and unnormalised weights have none to give"
        : null;
  }

  /** Whether keys differ by more than where they stand, or heads in their slopes. */
  public boolean keyed() {
    return weighted(roles) || sink != null || mask.gaps() || sloped();
  }

  /** Whether heads have slopes of their own. */
  public boolean sloped() {
    return heads.stream().anyMatch(h -> h.alibi() != 0);
  }

  /** Bias added to the score s_ij of a head after beta: the mask's, and the head's own. */
  public double bias(int head, int i, int j) {
    double slope = heads.get(head).alibi();
    return slope == 0 ? mask.bias(i, j) : mask.bias(i, j) - slope * (i - j);
  }

  /** a_j of token j as a key. */
  public double weight(int j) {
    return roles == null ? 1 : roles.weight(j);
  }

  /** Sum of a_j over the live keys of row i among n tokens. */
  public double liveMass(int i, int n) {
    if (!weighted(roles)) {
      return mask.liveKeys(i, n);
    }
    double sum = 0;
    for (int j = mask.firstKey(i); j <= mask.lastKey(i, n); j++) {
      sum += mask.live(i, j) ? roles.weight(j) : 0;
    }
    return sum;
  }

  /**
   * Why tokens cannot stand together as keys under such a layer; null if they can.
   *
   * @param interaction name of the user's own score, or null
   */
  public static String whyNotMerged(Mask mask, Normalisation normalisation, String interaction) {
    if (normalisation == Normalisation.HARDMAX) {
      return "with hardmax a single key counts, so merging keys saves and means nothing";
    }
    if (mask.alibi() != 0) {
      return "with alibi every key has a bias of its own, so keys at one place cannot be merged";
    }
    if (mask.gaps()) {
      return "with first keys that all see, live keys are no interval, so keys cannot be merged";
    }
    if (interaction != null) {
      return "the interaction "
          + interaction
          + " scores pairs of tokens by their indices, so keys cannot be merged";
    }
    return null;
  }

  /** The same layer with tokens that stand together as keys; null ends that. */
  public Layer withMerged(MergedKeys keys) {
    return new Layer(
        geometry, mask, normalisation, beta, heads, interaction, keys, roles, sink, rule);
  }

  /** The same layer for tokens that differ; null for tokens that are alike. */
  public Layer withRoles(TokenRoles others) {
    return new Layer(
        geometry, mask, normalisation, beta, heads, interaction, merged, others, sink, rule);
  }

  /** The same layer with one more key; null for none. */
  public Layer withSink(Sink other) {
    return new Layer(
        geometry, mask, normalisation, beta, heads, interaction, merged, roles, other, rule);
  }

  /** The same layer with a rule for what becomes of the attention output; null ends that. */
  public Layer withRule(TokenRule with) {
    return new Layer(
        geometry, mask, normalisation, beta, heads, interaction, merged, roles, sink, with);
  }

  /** The attention of this layer in R^d, without a rule. */
  public Layer free() {
    return new Layer(
        Geometry.EUCLIDEAN,
        mask,
        normalisation,
        beta,
        heads,
        interaction,
        merged,
        roles,
        sink,
        null);
  }

  /** Whether attention reads directions x / |x| instead of positions. */
  public boolean readsDirections() {
    return rule != null && rule.readsDirections();
  }

  /** Whether token i stands still. */
  public boolean frozen(int i) {
    return roles != null && roles.frozen(i);
  }

  public int d() {
    return heads.get(0).v().rows();
  }
}
