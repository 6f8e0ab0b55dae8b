package org.starling.core.experiment;

import java.util.List;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.model.Geometry;
import org.starling.core.model.Scheme;
import org.starling.core.model.Scheme.Kind;

/** Reads the key {@code model.scheme}. */
final class SchemeReader {
  private static final List<String> FORMS =
      List.of("post", "pre", "{mix: {until: t}}", "peri", "{ngpt: {alpha: a}}", "sqrt");
  private static final List<String> WORDS = List.of("post", "pre", "mix", "peri", "ngpt", "sqrt");

  private final Binding binding;

  SchemeReader(Binding binding) {
    this.binding = binding;
  }

  /**
   * The scheme; POST where the key is absent.
   *
   * @param weights of the model, which mix needs to be constant
   */
  Scheme read(Section model, Geometry geometry, WeightSpec... weights) {
    Node node = model.take("scheme");
    if (node == null) {
      return Scheme.POST;
    }
    String path = model.path("scheme");
    Scheme scheme = scheme(node, path);
    if (scheme == null) {
      binding.unknownWord(node, path, FORMS, WORDS);
      return Scheme.POST;
    }
    Kind kind = scheme.kind();
    Geometry needed = kind.radii() ? Geometry.EUCLIDEAN : Geometry.SPHERE;
    if (geometry != needed) {
      binding.problems.add(
          node.at(),
          path
              + (kind.radii()
                  ? ": under pre, mix and peri tokens have radii and live in R^d, x_i = r_i theta_i;"
                      + " use geometry: euclidean"
                  : ": under post, ngpt and sqrt tokens stay on the unit sphere; use geometry:"
                      + " sphere"));
      return Scheme.POST;
    }
    for (WeightSpec w : weights) {
      if (kind == Kind.MIX && w.varies()) {
        binding.problems.add(
            node.at(),
            path + ": mix switches once and needs weights that are the same in every layer");
        return Scheme.POST;
      }
    }
    return scheme;
  }

  private Scheme scheme(Node node, String path) {
    if (node instanceof Node.Scalar word) {
      return switch (word.text()) {
        case "post" -> Scheme.POST;
        case "pre" -> new Scheme(Kind.PRE, 1, 1);
        case "peri" -> new Scheme(Kind.PERI, 1, 1);
        case "ngpt" -> new Scheme(Kind.NGPT, 1, 1);
        case "sqrt" -> new Scheme(Kind.SQRT, 1, 1);
        default -> null;
      };
    }
    if (!(node instanceof Node.Mapping m) || m.entries().size() != 1) {
      return null;
    }
    Section s = new Section(binding, m, path);
    if (s.has("mix")) {
      Section mix = s.section("mix");
      Node until = mix.require("until", "the time at which it turns from post to pre");
      mix.done();
      double t = until == null ? 1 : binding.number(until, mix.path("until"), Range.POSITIVE);
      return new Scheme(Kind.MIX, t, 1);
    }
    if (s.has("ngpt")) {
      Section ngpt = s.section("ngpt");
      double alpha = ngpt.number("alpha", 1, Range.POSITIVE);
      ngpt.done();
      return new Scheme(Kind.NGPT, 1, alpha);
    }
    return null;
  }

  /** As it is written in a file. */
  static String text(Scheme scheme) {
    return switch (scheme.kind()) {
      case MIX -> "{mix: {until: " + YamlNumbers.text(scheme.switchTime()) + "}}";
      case NGPT -> "{ngpt: {alpha: " + YamlNumbers.text(scheme.alpha()) + "}}";
      default -> Binding.label(scheme.kind());
    };
  }
}
