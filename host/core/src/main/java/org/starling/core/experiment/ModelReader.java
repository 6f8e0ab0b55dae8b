package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.ModelSpec.InteractionSpec;
import org.starling.core.experiment.ModelSpec.ScoreScale;
import org.starling.core.experiment.ModelSpec.SinkSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Scheme;

/** Reads the block {@code model}. */
final class ModelReader {
  private static final List<String> MASK_FORMS =
      List.of(
          "full",
          "causal",
          "{window: w}",
          "{prefix: p}",
          "{alibi: m}",
          "{alibi: [..]}",
          "{first: k}",
          "a list of these");
  private static final List<String> MASK_WORDS =
      List.of("full", "causal", "window", "prefix", "alibi", "first");

  private final Binding binding;

  /** Slopes of heads that the mask brought; null for none. */
  private List<Double> slopes;

  /** Whether the mask asked for the slopes 2^{-8 h / H}. */
  private boolean geometric;

  ModelReader(Binding binding) {
    this.binding = binding;
  }

  ModelSpec read(Section s) {
    Geometry geometry = s.word("geometry", Geometry.class, Geometry.SPHERE);
    Node maskNode = s.take("mask");
    Mask mask = maskNode == null ? Mask.FULL : mask(maskNode, s.path("mask"), true);
    Normalisation normalisation =
        s.word("normalisation", Normalisation.class, Normalisation.SOFTMAX);
    double beta = s.number("beta", 1, Range.FINITE);
    Integer heads = s.optionalInteger("heads", 1);
    ScoreScale scale = s.word("score_scale", ScoreScale.class, ScoreScale.NONE);
    double layerTime = s.number("layer_time", 1, Range.POSITIVE);
    WeightReader weights = new WeightReader(binding);
    WeightSpec q = weights.read(s, "Q");
    WeightSpec k = weights.read(s, "K");
    WeightSpec v = weights.read(s, "V");
    Node interactionNode = s.take("interaction");
    InteractionSpec interaction =
        interactionNode == null ? null : interaction(interactionNode, s.path("interaction"));
    NoiseSpec noise = noise(s, geometry);
    Node sinkNode = s.take("sink");
    SinkSpec sink = sink(sinkNode, s.path("sink"));
    Scheme scheme = new SchemeReader(binding).read(s, geometry, q, k, v);
    FeedForwardSpec feedForward = new FeedForwardReader(binding).read(s, geometry, scheme);
    s.done();
    boolean listed = heads == null && slopes != null && single(q) && single(k) && single(v);
    int count = heads(s, listed ? Integer.valueOf(slopes.size()) : heads, q, k, v);
    if (geometric) {
      slopes =
          IntStream.rangeClosed(1, count).mapToObj(h -> Math.pow(2, -8.0 * h / count)).toList();
    }
    if (slopes != null && slopes.size() != count) {
      problem(
          s.path("mask"),
          s.path("mask")
              + " lists "
              + slopes.size()
              + " slopes, but there "
              + (count == 1 ? "is 1 head" : "are " + count + " heads")
              + "; give one slope for all heads or one for each");
    }
    if (slopes != null && slopes.size() == 1) {
      mask = mask.and(Mask.alibi(slopes.get(0)));
      slopes = null;
    }
    String reason =
        Layer.whyNotKeyed(
            mask, normalisation, interaction != null, false, sink != null || slopes != null);
    reason = reason == null && sink != null ? Layer.whyNoSink(geometry, normalisation) : reason;
    if (reason != null) {
      String key = s.path(sink == null ? "mask" : "sink");
      problem(key, key + ": " + reason);
    }
    sameLayers(s, q, k, v);
    if (geometry == Geometry.RESCALED) {
      constant(s.path("Q"), q);
      constant(s.path("K"), k);
      constant(s.path("V"), v);
    }
    return new ModelSpec(
        geometry,
        mask,
        normalisation,
        beta,
        count,
        scale,
        layerTime,
        q,
        k,
        v,
        interaction,
        noise,
        feedForward,
        sink,
        slopes,
        scheme);
  }

  private void problem(String path, String message) {
    binding.problems.add(binding.where.get(path), message);
  }

  private void constant(String path, WeightSpec weight) {
    if (weight.varies()) {
      problem(
          path,
          path
              + " must be the same in every layer: the rescaled geometry z = e^{-tV} x needs constant"
              + " weights; use geometry: euclidean");
    }
  }

  /** The number of heads: given, or the length of a list of matrices, else 1. */
  private int heads(Section s, Integer given, WeightSpec... weights) {
    Integer heads = given;
    String source = s.path("heads");
    String[] names = {"Q", "K", "V"};
    for (int w = 0; w < weights.length; w++) {
      for (List<MatrixSpec> layer : weights[w].layers()) {
        int listed = layer.size();
        if (listed == 1) {
          continue;
        }
        if (heads == null) {
          heads = listed;
          source = s.path(names[w]);
        } else if (heads != listed) {
          problem(
              s.path(names[w]),
              s.path(names[w])
                  + " lists "
                  + listed
                  + " matrices, but there "
                  + (heads == 1 ? "is 1 head" : "are " + heads + " heads")
                  + " by "
                  + source
                  + "; give one matrix for all heads or one for each");
          return heads;
        }
      }
    }
    return heads == null ? 1 : heads;
  }

  private void sameLayers(Section s, WeightSpec... weights) {
    String[] names = {"Q", "K", "V"};
    int layers = 1;
    String source = null;
    for (int w = 0; w < weights.length; w++) {
      int listed = weights[w].layers().size();
      if (listed > 1 && layers > 1 && listed != layers) {
        problem(
            s.path(names[w]),
            s.path(names[w]) + " lists " + listed + " layers, but " + source + " lists " + layers);
      } else if (listed > 1) {
        layers = listed;
        source = s.path(names[w]);
      }
    }
  }

  private Mask mask(Node node, String path, boolean listAllowed) {
    if (node instanceof Node.Scalar word && word.text().equals("full")) {
      return Mask.FULL;
    }
    if (node instanceof Node.Scalar word && word.text().equals("causal")) {
      return Mask.CAUSAL;
    }
    if (node instanceof Node.Mapping m && m.entries().size() == 1) {
      Section s = new Section(binding, m, path);
      if (s.has("window")) {
        Node w = s.require("window", "the width w: |i - j| < w");
        return w == null ? Mask.FULL : Mask.window(integer(w, s.path("window"), 1));
      }
      if (s.has("prefix")) {
        Node p = s.require("prefix", "the number p of tokens that all see");
        return p == null ? Mask.FULL : Mask.prefix(integer(p, s.path("prefix"), 0));
      }
      if (s.has("first")) {
        Node k = s.require("first", "the number k of first tokens that all behind them see");
        return k == null ? Mask.FULL : Mask.first(integer(k, s.path("first"), 0));
      }
      if (s.has("alibi")) {
        Node slope = s.require("alibi", "the slope m");
        if (slope instanceof Node.Sequence) {
          return slopes(slope, s.path("alibi"));
        }
        if (slope instanceof Node.Scalar word && word.text().equals("geometric")) {
          geometric = true;
          return Mask.CAUSAL;
        }
        return slope == null
            ? Mask.FULL
            : Mask.alibi(binding.number(slope, s.path("alibi"), Range.NON_NEGATIVE));
      }
    }
    if (listAllowed && node instanceof Node.Sequence list && !list.items().isEmpty()) {
      Mask all = Mask.FULL;
      for (int i = 0; i < list.items().size(); i++) {
        all = all.and(mask(list.items().get(i), path + "[" + i + "]", false));
      }
      return all;
    }
    if (listAllowed && node instanceof Node.Sequence) {
      binding.problems.add(
          node.at(), path + " must not be an empty list; every key is seen by full");
      return Mask.FULL;
    }
    if (node instanceof Node.Mapping m && m.entries().size() == 1) {
      String key = m.entries().keySet().iterator().next();
      binding.problems.add(
          m.entries().get(key).at(),
          "unknown mask "
              + key
              + Suggestion.forWord(key, MASK_WORDS)
              + " ("
              + String.join(", ", MASK_FORMS)
              + ")");
    } else if (node instanceof Node.Mapping) {
      binding.problems.add(
          node.at(),
          path + " must have one key; compose masks in a list, such as [causal, {window: 64}]");
    } else {
      binding.unknownWord(node, path, MASK_FORMS, MASK_WORDS);
    }
    return Mask.FULL;
  }

  private Mask slopes(Node list, String path) {
    List<Double> given = new ArrayList<>();
    List<Node> items = binding.list(list, path);
    for (int h = 0; h < items.size(); h++) {
      given.add(binding.number(items.get(h), path + "[" + h + "]", Range.NON_NEGATIVE));
    }
    if (slopes != null || given.isEmpty()) {
      binding.problems.add(
          list.at(), path + (given.isEmpty() ? " must not be an empty list" : " is given twice"));
    }
    slopes = given.isEmpty() ? null : given;
    return Mask.CAUSAL;
  }

  /** Whether there is one matrix for all heads. */
  private static boolean single(WeightSpec weight) {
    return weight.layers().stream().allMatch(layer -> layer.size() == 1);
  }

  private int integer(Node node, String path, int min) {
    return (int) binding.integer(node, path, min, Integer.MAX_VALUE);
  }

  /** {@code noise: none}, or its strength by the key that belongs to the geometry. */
  private NoiseSpec noise(Section model, Geometry geometry) {
    Node node = model.take("noise");
    if (node == null || (node instanceof Node.Scalar word && word.text().equals("none"))) {
      return null;
    }
    String path = model.path("noise");
    Section s = binding.section(node, path);
    Node kappa = s.take("kappa");
    Node sigma = s.take("sigma");
    s.done();
    boolean sphere = geometry == Geometry.SPHERE;
    if (geometry == Geometry.RESCALED) {
      binding.problems.add(
          node.at(), path + ": " + Integrators.whyNoNoise(Method.EULER_MARUYAMA, null, geometry));
      return null;
    }
    if (sphere ? sigma != null : kappa != null) {
      binding.problems.add(
          sphere ? sigma.at() : kappa.at(),
          sphere
              ? s.path("sigma")
                  + ": on the sphere the strength of noise is written kappa, with sigma = sqrt(2 /"
                  + " kappa)"
              : s.path("kappa")
                  + ": off the sphere the strength of noise is written sigma, as in sigma dW");
      return null;
    }
    Node value = sphere ? kappa : sigma;
    if (value == null) {
      binding.problems.add(
          node.at(),
          path
              + " must be none, or "
              + (sphere
                  ? "{kappa: k}: dx = ... + sqrt(2 / k) P_x dW"
                  : "{sigma: s}: dx = ... + s dW"));
      return null;
    }
    return sphere
        ? new NoiseSpec.Kappa(binding.number(value, s.path("kappa"), Range.POSITIVE))
        : new NoiseSpec.Sigma(binding.number(value, s.path("sigma"), Range.NON_NEGATIVE));
  }

  /** {@code sink: none}, or its score and where it stands. */
  private SinkSpec sink(Node node, String path) {
    if (node == null || (node instanceof Node.Scalar word && word.text().equals("none"))) {
      return null;
    }
    Section s = binding.section(node, path);
    Node score = s.require("score", "the score that every query gives it, such as {score: 0}");
    Node place = s.take("place");
    List<Double> at = place == null ? null : binding.numbers(place, s.path("place"));
    s.done();
    return new SinkSpec(
        score == null ? 0 : binding.number(score, s.path("score"), Range.FINITE), at);
  }

  private InteractionSpec interaction(Node node, String path) {
    Section s = binding.section(node, path);
    Node name = s.require("class", "the fully qualified name of the class");
    String className = name == null ? "x" : binding.text(name, s.path("class"));
    InputFile classpath = InputFiles.read(binding, s, "classpath");
    s.done();
    return new InteractionSpec(className, classpath);
  }
}
