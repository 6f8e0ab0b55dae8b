package org.starling.core.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.starling.core.engine.Storage;
import org.starling.core.model.Geometry;
import org.starling.core.model.Interaction;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Sink;
import org.starling.core.model.Weight;

/**
 * One way in which an engine may compute attention: what decides the code that runs. A certificate
 * has a line for each; beta, n and the positions vary inside a variant.
 *
 * @param geometry geometry of the velocity
 * @param mask live keys
 * @param normalisation weights from scores
 * @param weights form of the score and value matrices
 * @param heads number of heads
 * @param d dimension
 * @param precision working precision
 * @param interaction the user's own score, or null
 * @param expansion sums over keys by a series
 * @param merged whether tokens stand together as keys
 * @param keyed whether keys have weights, heads slopes of their own, or there is a sink
 * @param half whether keys and values are kept as numbers of 16 bits
 */
public record Variant(
    Geometry geometry,
    Mask mask,
    Normalisation normalisation,
    Form weights,
    int heads,
    int d,
    Precision precision,
    Interaction interaction,
    boolean expansion,
    boolean merged,
    boolean keyed,
    boolean half) {

  /** Digits of the hash of an interaction's code that stand in a label. */
  private static final int HASH_DIGITS = 16;

  /** How far a sink's score may be above those of tokens for float32: ln of 2^87. */
  private static final double SINK_ROOM = 60;

  /** A variant whose sums are formed pair by pair, every token a key of its own. */
  public Variant(
      Geometry geometry,
      Mask mask,
      Normalisation normalisation,
      Form weights,
      int heads,
      int d,
      Precision precision,
      Interaction interaction) {
    this(
        geometry,
        mask,
        normalisation,
        weights,
        heads,
        d,
        precision,
        interaction,
        false,
        false,
        false,
        false);
  }

  /** The same with sums by a series; measured on an engine opened for that. */
  public Variant expanded() {
    return with(true, merged, keyed, half);
  }

  /** The same with tokens that stand together as keys. */
  public Variant withMerged() {
    return with(false, true, keyed, half);
  }

  /** The same with keys that have weights, and a sink where a layer may have one. */
  public Variant withKeys() {
    return with(false, false, true, half);
  }

  /** The same with keys and values as an engine keeps them. */
  public Variant stored(Storage storage) {
    return with(expansion, merged, keyed, storage == Storage.HALF);
  }

  private Variant with(boolean expanded, boolean together, boolean differ, boolean rounded) {
    return new Variant(
        geometry,
        mask,
        normalisation,
        weights,
        heads,
        d,
        precision,
        interaction,
        expanded,
        together,
        differ,
        rounded);
  }

  /** Form of a head's matrices; the more general one of score and value matrix. */
  public enum Form {
    SCALAR,
    DIAGONAL,
    DENSE
  }

  /** The variant that a layer needs. */
  public static Variant of(Layer layer, Precision precision) {
    Form form = Form.SCALAR;
    for (Layer.LayerHead h : layer.heads()) {
      form = max(form, max(form(h.s()), form(h.v())));
    }
    return new Variant(
        layer.geometry(),
        layer.mask(),
        layer.normalisation(),
        form,
        layer.heads().size(),
        layer.d(),
        precision,
        layer.interaction(),
        false,
        layer.merged() != null,
        layer.sink() != null || weighted(layer) || layer.sloped(),
        false);
  }

  private static boolean weighted(Layer layer) {
    return layer.roles() != null && layer.roles().weighted();
  }

  private static Form form(Weight w) {
    return w instanceof Weight.Scalar
        ? Form.SCALAR
        : w instanceof Weight.Diagonal ? Form.DIAGONAL : Form.DENSE;
  }

  private static Form max(Form a, Form b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  /** Name in certificates, e.g. {@code sphere causal softmax scalar single d=128}. */
  public String label() {
    StringBuilder text = new StringBuilder(lower(geometry)).append(' ').append(maskLabel());
    text.append(' ').append(lower(normalisation)).append(' ').append(lower(weights));
    if (heads > 1) {
      text.append(" heads=").append(heads);
    }
    if (interaction != null) {
      text.append(" interaction=").append(interaction.name());
      String code = interaction.codeHash();
      text.append(code.isEmpty() ? "" : "@" + code.substring(0, HASH_DIGITS));
    }
    text.append(expansion ? " expansion" : "").append(merged ? " merged" : "");
    text.append(keyed ? " keyed" : "");
    text.append(half ? " half" : "");
    return text.append(' ').append(lower(precision)).append(" d=").append(d).toString();
  }

  private String maskLabel() {
    List<String> parts = new ArrayList<>();
    if (mask.causal() && mask.alibi() == 0) {
      parts.add("causal");
    }
    if (mask.alibi() > 0) {
      parts.add("alibi");
    }
    if (mask.window() != Mask.NONE) {
      parts.add("window");
    }
    if (mask.gaps()) {
      parts.add("first");
    }
    if (mask.prefix() != Mask.NONE) {
      parts.add("prefix");
    }
    return parts.isEmpty() ? "full" : String.join("+", parts);
  }

  private static String lower(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }

  /**
   * A layer of this variant with test weights of its form: identity, diagonals in [0.5, 1.5], or
   * Gaussian matrices with entries of variance 1/d.
   */
  Layer layer(double beta, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Layer.LayerHead> list = new ArrayList<>();
    for (int h = 0; h < heads; h++) {
      Weight q = matrix(random);
      Weight k = matrix(random);
      Weight v = weights == Form.SCALAR ? Weight.identity(d) : matrix(random);
      // An interaction reads Q and K; otherwise one matrix is as good a test of S as a product.
      Weight s = interaction == null ? q : q.transposed().times(k);
      Weight key = interaction == null ? Weight.identity(d) : k;
      Weight query = interaction == null ? q.transposed() : q;
      double slope =
          keyed && mask.causal() && normalisation != Normalisation.HARDMAX ? 0.05 * h : 0;
      list.add(new Layer.LayerHead(s, v, query, key, slope));
    }
    Layer layer = new Layer(geometry, mask, normalisation, beta, list, interaction);
    boolean sunk = keyed && Layer.whyNoSink(geometry, normalisation) == null;
    return sunk
        ? layer.withSink(
            new Sink(sinkScore(layer), TestCloud.gaussian(random, d, 1 / Math.sqrt(d))))
        : layer;
  }

  /** Half of beta; lower where a float32 would have no room for weights so far below the sink's. */
  private static double sinkScore(Layer layer) {
    double room = SINK_ROOM;
    for (Layer.LayerHead head : layer.heads()) {
      room = Math.min(room, SINK_ROOM - Math.abs(layer.beta()) * head.s().spectralBound());
    }
    return Math.min(layer.beta() / 2, room);
  }

  private Weight matrix(SplittableRandom random) {
    return switch (weights) {
      case SCALAR -> Weight.identity(d);
      case DIAGONAL -> {
        double[] entries = new double[d];
        for (int a = 0; a < d; a++) {
          entries[a] = 0.5 + random.nextDouble();
        }
        yield Weight.diagonal(entries);
      }
      case DENSE -> Weight.dense(d, d, TestCloud.gaussian(random, d * d, 1 / Math.sqrt(d)));
    };
  }
}
