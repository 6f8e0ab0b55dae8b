package org.starling.core.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The dynamics of one replica as numbers: gives the {@link Layer} in force at a time.
 *
 * <p>With per-layer weights, layer l is in force on [l layerTime, (l+1) layerTime); integrators
 * never step across a switch. In the rescaled geometry the score matrix of head h at time t is
 * e^{tV^T} Q_h^T K_h e^{tV} and its value matrix e^{-tV} V_h e^{tV} with V = sum_h V_h (emergence
 * paper, model R; for one head the value matrix is V itself), formed here in float64.
 */
public final class Dynamics {
  private static final int RECENT = 4;

  private final Geometry geometry;
  private final Mask mask;
  private final Normalisation normalisation;
  private final double beta;
  private final WeightSchedule weights;
  private final double layerTime;
  private final Interaction interaction;
  private final double noise;
  private final Additions added;

  /** Layers used last, so that replicas in the same layer at the same time share one object. */
  private final Map<Key, Layer> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Layer> eldest) {
          return size() > RECENT;
        }
      };

  private record Key(int index, double time) {}

  /**
   * @param beta effective inverse temperature, score scale included; finite
   * @param layerTime duration of a layer, &gt; 0; read only where weights are not constant
   * @param interaction the user's own score, or null
   */
  public Dynamics(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      double beta,
      WeightSchedule weights,
      double layerTime,
      Interaction interaction) {
    this(geometry, mask, normalisation, beta, weights, layerTime, interaction, 0);
  }

  /**
   * A dynamics with noise: dx_i = v_i dt + noise P_{x_i} dW_i on the sphere (no projection in R^d),
   * W_i independent Brownian motions, in the sense that keeps tokens on the sphere (Stratonovich
   * there; the two agree in R^d). With sqrt(2 / kappa) the equation of noisy transformers.
   *
   * @param noise amplitude of dW, finite and &gt;= 0; 0 for none, and in the rescaled geometry
   */
  public Dynamics(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      double beta,
      WeightSchedule weights,
      double layerTime,
      Interaction interaction,
      double noise) {
    this(
        geometry,
        mask,
        normalisation,
        beta,
        weights,
        layerTime,
        interaction,
        noise,
        new Additions(null, null, null, Scheme.POST, null));
  }

  /** What is beyond the plain model; null for none. */
  private record Additions(
      TokenRoles roles, Sink sink, double[] slopes, Scheme scheme, FeedForward feedForward) {
    private Additions {
      Objects.requireNonNull(scheme);
    }
  }

  private Dynamics(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      double beta,
      WeightSchedule weights,
      double layerTime,
      Interaction interaction,
      double noise,
      Additions added) {
    this.added = added;
    this.geometry = Objects.requireNonNull(geometry);
    this.mask = Objects.requireNonNull(mask);
    this.normalisation = Objects.requireNonNull(normalisation);
    this.beta = beta;
    this.weights = Objects.requireNonNull(weights);
    this.layerTime = layerTime;
    this.interaction = interaction;
    this.noise = noise;
    if (!Double.isFinite(beta)) {
      throw new IllegalArgumentException("beta must be finite, got " + beta);
    }
    if (!(layerTime > 0)) {
      throw new IllegalArgumentException("layer_time must be > 0, got " + layerTime);
    }
    if (!(noise >= 0 && noise < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the amplitude of noise must be finite and >= 0, got " + noise);
    }
    checkRules();
  }

  private void checkRules() {
    boolean plain = added.scheme.kind() == Scheme.Kind.POST;
    Geometry needed = added.scheme.kind().radii() ? Geometry.EUCLIDEAN : Geometry.SPHERE;
    if (!plain && geometry != needed) {
      throw new IllegalArgumentException(
          "the scheme "
              + added.scheme.kind()
              + " needs the geometry "
              + needed
              + ", got "
              + geometry);
    }
    if (mixes() && !weights.constant()) {
      throw new IllegalArgumentException(
          "the scheme MIX switches once and needs weights that do not");
    }
    if (added.feedForward == null) {
      return;
    }
    if (!plain) {
      throw new IllegalArgumentException(
          "a feed-forward term has no form under the scheme " + added.scheme.kind());
    }
    if (added.roles != null && added.roles.frozen().length > 0) {
      throw new IllegalArgumentException("a feed-forward term moves every token, frozen ones too");
    }
    if (added.feedForward.of() == FeedForward.Source.ATTENTION && geometry == Geometry.SPHERE) {
      throw new IllegalArgumentException(
          "a feed-forward map of the attention drift leaves the sphere");
    }
  }

  private boolean mixes() {
    return added.scheme.kind() == Scheme.Kind.MIX;
  }

  private Dynamics with(Additions others) {
    return new Dynamics(
        geometry, mask, normalisation, beta, weights, layerTime, interaction, noise, others);
  }

  /** The same dynamics for tokens that differ. */
  public Dynamics withRoles(TokenRoles others) {
    return with(new Additions(others, added.sink, added.slopes, added.scheme, added.feedForward));
  }

  /** The same dynamics with one more key; null for none. */
  public Dynamics withSink(Sink other) {
    return with(new Additions(added.roles, other, added.slopes, added.scheme, added.feedForward));
  }

  /**
   * The same dynamics with slopes of their own for the heads.
   *
   * @param alibi a slope for each head, &gt;= 0; null for none
   */
  public Dynamics withSlopes(double[] alibi) {
    double[] own = alibi == null ? null : alibi.clone();
    return with(new Additions(added.roles, added.sink, own, added.scheme, added.feedForward));
  }

  /** Whether heads have slopes of their own. */
  public boolean sloped() {
    return added.slopes != null;
  }

  /**
   * The same dynamics under a normalisation scheme.
   *
   * @param other POST, NGPT and SQRT on the sphere, PRE, MIX and PERI in the Euclidean geometry;
   *     POST says nothing off the sphere
   */
  public Dynamics withScheme(Scheme other) {
    return with(new Additions(added.roles, added.sink, added.slopes, other, added.feedForward));
  }

  /**
   * The same dynamics with a feed-forward term, of the tokens x where they are rescaled.
   *
   * @param term null for none
   */
  public Dynamics withFeedForward(FeedForward term) {
    return with(new Additions(added.roles, added.sink, added.slopes, added.scheme, term));
  }

  /** Where tokens are normalised. */
  public Scheme scheme() {
    return added.scheme;
  }

  /** The feed-forward term, or null. */
  public FeedForward feedForward() {
    return added.feedForward;
  }

  /** One more key that all see, or null. */
  public Sink sink() {
    return added.sink;
  }

  public Geometry geometry() {
    return geometry;
  }

  public Mask mask() {
    return mask;
  }

  public Normalisation normalisation() {
    return normalisation;
  }

  /** The user's own score, or null. */
  public Interaction interaction() {
    return interaction;
  }

  /** Amplitude of dW; 0 without noise. */
  public double noise() {
    return noise;
  }

  /** What sets tokens apart, or null. */
  public TokenRoles roles() {
    return added.roles;
  }

  public WeightSchedule weights() {
    return weights;
  }

  public double layerTime() {
    return layerTime;
  }

  /** Index of the layer in force at time t &gt;= 0 (the later one at a switch). */
  public int layerIndex(double t) {
    if (mixes()) {
      return t < added.scheme.switchTime() ? 0 : 1;
    }
    if (weights.constant()) {
      return 0;
    }
    int l = (int) Math.floor(t / layerTime);
    // Division rounds: make start(l) <= t < start(l + 1) hold exactly.
    if (start(l + 1) <= t) {
      l++;
    } else if (start(l) > t) {
      l--;
    }
    return l;
  }

  /** Time at which layer {@code index} begins. */
  public double start(int index) {
    return mixes() ? index * added.scheme.switchTime() : index * layerTime;
  }

  /**
   * Time at which layer {@code index} ends; infinite for constant weights, but for the switch of a
   * scheme.
   */
  public double end(int index) {
    boolean last = mixes() ? index > 0 : weights.constant();
    return last ? Double.POSITIVE_INFINITY : start(index + 1);
  }

  /** True when the layer does not depend on time within one weight set. */
  public boolean autonomous() {
    return geometry != Geometry.RESCALED && added.scheme.kind() != Scheme.Kind.SQRT;
  }

  /**
   * The layer at time t within weight set {@code index}; t may equal its end, since the last stage
   * of a step that reaches a switch still belongs to the layer it started in.
   */
  public Layer at(double t, int index) {
    return recent.computeIfAbsent(new Key(index, autonomous() ? 0 : t), key -> make(t, index));
  }

  private Layer make(double t, int index) {
    List<Layer.LayerHead> merged = weights.merged(index);
    if (geometry == Geometry.RESCALED) {
      List<Head> heads = weights.heads(index);
      Weight v = totalValue(heads);
      Weight forward = MatrixExponential.of(v, t);
      Weight backward = heads.size() == 1 ? null : MatrixExponential.of(v, -t);
      List<Layer.LayerHead> carried = new ArrayList<>(heads.size());
      for (Layer.LayerHead h : merged) {
        Weight s = forward.transposed().times(h.s()).times(forward);
        Weight value = backward == null ? h.v() : backward.times(h.v()).times(forward);
        carried.add(new Layer.LayerHead(s, value, h.q().times(forward), h.k().times(forward)));
      }
      merged = carried;
    }
    double pace = added.scheme.pace(t);
    if (pace != 1) {
      merged =
          merged.stream()
              .map(h -> new Layer.LayerHead(h.s(), h.v().scaled(pace), h.q(), h.k()))
              .toList();
    }
    // Before its switch MIX moves tokens as on a sphere, whatever their radii.
    Geometry own = mixes() && index == 0 ? Geometry.SPHERE : geometry;
    return new Layer(
        own,
        mask,
        normalisation,
        beta,
        sloped(merged),
        interaction,
        null,
        added.roles,
        added.sink,
        rule(t, index));
  }

  private List<Layer.LayerHead> sloped(List<Layer.LayerHead> heads) {
    if (added.slopes == null) {
      return heads;
    }
    List<Layer.LayerHead> own = new ArrayList<>(heads.size());
    for (int h = 0; h < heads.size(); h++) {
      own.add(heads.get(h).withAlibi(added.slopes[h]));
    }
    return own;
  }

  private TokenRule rule(double t, int index) {
    if (added.feedForward != null && geometry == Geometry.RESCALED) {
      Weight v = totalValue(weights.heads(index));
      return added.feedForward.carried(MatrixExponential.of(v, t), MatrixExponential.of(v, -t));
    }
    return added.feedForward != null ? added.feedForward : added.scheme.rule(index > 0);
  }

  /** V = sum_h V_h, the generator of the rescaling. */
  public static Weight totalValue(List<Head> heads) {
    Weight v = heads.get(0).v();
    for (int h = 1; h < heads.size(); h++) {
      v = sum(v, heads.get(h).v());
    }
    return v;
  }

  private static Weight sum(Weight a, Weight b) {
    if (a instanceof Weight.Scalar p && b instanceof Weight.Scalar q) {
      return Weight.scalar(p.d(), p.c() + q.c());
    }
    double[] c = a.dense();
    double[] e = b.dense();
    for (int i = 0; i < c.length; i++) {
      c[i] += e[i];
    }
    return Weight.dense(a.rows(), a.columns(), c);
  }
}
