package org.starling.core.experiment;

import java.util.List;
import org.starling.core.model.FeedForward.Activation;
import org.starling.core.model.FeedForward.Source;
import org.starling.core.model.Geometry;
import org.starling.core.model.Scheme;

/** Reads the block {@code model.feed_forward}. */
final class FeedForwardReader {
  private final Binding binding;

  FeedForwardReader(Binding binding) {
    this.binding = binding;
  }

  /** The term; null for none. */
  FeedForwardSpec read(Section model, Geometry geometry, Scheme scheme) {
    Node node = model.take("feed_forward");
    if (node == null || (node instanceof Node.Scalar word && word.text().equals("none"))) {
      return null;
    }
    String path = model.path("feed_forward");
    Section s = binding.section(node, path);
    Source of = s.word("of", Source.class, Source.TOKENS);
    Activation activation = s.word("activation", Activation.class, Activation.RELU);
    WeightReader weights = new WeightReader(binding);
    WeightSpec w1 = weights.read(s, "W1");
    WeightSpec w2 = weights.read(s, "W2");
    Node bias = s.take("bias");
    List<Double> b = bias == null ? List.of() : binding.numbers(bias, s.path("bias"));
    s.done();
    if (of == Source.ATTENTION && geometry == Geometry.SPHERE) {
      binding.problems.add(
          node.at(),
          path
              + ": a map of the attention drift leaves the sphere; use of: tokens, whose term is"
              + " projected, or geometry: rescaled or euclidean");
    }
    if (scheme.kind() != Scheme.Kind.POST) {
      binding.problems.add(
          node.at(),
          path + ": a feed-forward term has no form under a scheme; leave out one of both");
    }
    constant(s.path("W1"), w1);
    constant(s.path("W2"), w2);
    return new FeedForwardSpec(of, activation, w1, w2, b);
  }

  private void constant(String path, WeightSpec w) {
    if (w.varies() || w.layers().get(0).size() > 1) {
      binding.problems.add(
          binding.where.get(path), path + " is one matrix, the same in every layer");
    }
  }
}
