package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.TokensSpec.Frozen;
import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.model.Geometry;

/** Reads the block {@code tokens}. */
final class TokensReader {
  private static final List<String> FORMS =
      List.of(
          "uniform-sphere",
          "gaussian or {gaussian: {std}}",
          "{uniform-cube: a}",
          "orthonormal",
          "{equiangular: rho}",
          "{points: [[..], [..]]}",
          "{angles: [..]}",
          "{file: NAME.npy}");
  private static final List<String> WORDS =
      List.of(
          "uniform-sphere",
          "gaussian",
          "uniform-cube",
          "orthonormal",
          "equiangular",
          "points",
          "angles",
          "file");

  private final Binding binding;

  TokensReader(Binding binding) {
    this.binding = binding;
  }

  TokensSpec read(Section s, Geometry geometry) {
    Integer n = s.optionalInteger("n", 1);
    Integer d = s.optionalInteger("d", 1);
    Integer replicas = s.optionalInteger("replicas", 1);
    Node initNode = s.take("init");
    Init init = initNode == null ? standard(geometry) : init(initNode, s.path("init"));
    Node frozenNode = s.take("frozen");
    Node weightsNode = s.take("weights");
    List<Double> weights = weightsNode == null ? null : weights(weightsNode, s.path("weights"));
    Frozen frozen = new FrozenReader(binding).read(frozenNode, s.path("frozen"), geometry);
    s.done();
    if (init instanceof Init.Points p && !p.rows().isEmpty()) {
      init =
          geometry == Geometry.SPHERE
              ? new Init.Points(UnitRows.of(p.rows(), binding, initNode.at(), s.path("init")))
              : p;
      n = given(n, p.rows().size(), "n", s, initNode.at());
      d = given(d, p.rows().get(0).size(), "d", s, initNode.at());
    } else if (init instanceof Init.Angles a) {
      n = given(n, a.angles().size(), "n", s, initNode.at());
      d = given(d, 2, "d", s, initNode.at());
    }
    if (!(init instanceof Init.Npy)) {
      need(s, n, "n", "the number of tokens");
      need(s, d, "d", "the dimension");
      replicas = replicas == null ? 1 : replicas;
    }
    if (n != null && d != null) {
      fits(s, init, n, d);
    }
    boolean onSphere = !(init instanceof Init.Gaussian) && !(init instanceof Init.UniformCube);
    if (geometry == Geometry.SPHERE && !onSphere) {
      binding.problems.add(
          initNode.at(),
          s.path("init")
              + " must give unit tokens in the sphere geometry; use uniform-sphere (a normalised"
              + " Gaussian), or geometry: euclidean");
    }
    if (frozen != null && n != null && d != null) {
      String reason = FrozenTokens.refusal(frozen, n, d);
      if (reason != null) {
        binding.problems.add(frozenNode.at(), s.path("frozen") + " " + reason);
      }
    }
    if (weights != null && n != null && weights.size() > n) {
      binding.problems.add(weightsNode.at(), tooMany(weights, n));
    }
    return new TokensSpec(n, d, replicas, init, frozen, weights);
  }

  /** What is wrong with more weights than tokens. */
  static String tooMany(List<Double> weights, int n) {
    return "tokens.weights gives "
        + weights.size()
        + " weights, but there are n = "
        + n
        + " tokens";
  }

  /** {@code none}, or the weights of the first tokens. */
  private List<Double> weights(Node node, String path) {
    if (node instanceof Node.Scalar word && word.text().equals("none")) {
      return null;
    }
    List<Double> weights = new ArrayList<>();
    List<Node> items = binding.list(node, path);
    for (int i = 0; i < items.size(); i++) {
      weights.add(binding.number(items.get(i), path + "[" + i + "]", Range.POSITIVE));
    }
    if (items.isEmpty() && node instanceof Node.Sequence) {
      binding.problems.add(node.at(), path + " must not be an empty list; write none");
    }
    return weights;
  }

  /** A size that the start decides. */
  private int given(Integer written, int size, String key, Section s, Position at) {
    if (written != null && written != size) {
      binding.problems.add(
          at, s.path("init") + " has " + key + " = " + size + ", but " + key + " is " + written);
    }
    return size;
  }

  private static Init standard(Geometry geometry) {
    return geometry == Geometry.SPHERE ? new Init.UniformSphere() : new Init.Gaussian(1);
  }

  private void need(Section s, Integer value, String key, String what) {
    if (value == null && !s.has(key)) {
      binding.problems.add(
          s.at(),
          s.path(key)
              + " is missing: "
              + what
              + ", such as "
              + key
              + ": "
              + (key.equals("n") ? "64" : "3"));
    } else if (value == null) {
      binding.problems.add(binding.where.get(s.path(key)), s.path(key) + " is empty: " + what);
    }
  }

  private void fits(Section s, Init init, int n, int d) {
    Position at = binding.where.get(s.path("init"));
    boolean frame = init instanceof Init.Orthonormal || init instanceof Init.Equiangular;
    if (frame && n > d) {
      binding.problems.add(at, s.path("init") + " needs n <= d, but n = " + n + " and d = " + d);
    }
    if (init instanceof Init.Equiangular e) {
      double least = n == 1 ? -1 : -1.0 / (n - 1);
      if (!(e.rho() >= least && e.rho() < 1)) {
        binding.problems.add(
            at,
            s.path("init.equiangular")
                + " must lie in [-1/(n-1), 1) = ["
                + YamlNumbers.text(least)
                + ", 1) for n = "
                + n
                + ", not "
                + YamlNumbers.text(e.rho()));
      }
    }
  }

  private static Init word(String text) {
    return switch (text) {
      case "uniform-sphere" -> new Init.UniformSphere();
      case "gaussian" -> new Init.Gaussian(1);
      case "orthonormal" -> new Init.Orthonormal();
      default -> null;
    };
  }

  private Init init(Node node, String path) {
    Init word = node instanceof Node.Scalar s ? word(s.text()) : null;
    if (word != null) {
      return word;
    }
    if (node instanceof Node.Mapping m && !m.entries().isEmpty()) {
      Section s = new Section(binding, m, path);
      Init init = keyed(s);
      if (init != null) {
        s.done();
        return init;
      }
      String key = m.entries().keySet().iterator().next();
      binding.problems.add(
          m.entries().get(key).at(),
          "unknown start "
              + key
              + Suggestion.forWord(key, WORDS)
              + " (known: "
              + String.join(", ", FORMS)
              + ")");
    } else {
      binding.unknownWord(node, path, FORMS, WORDS);
    }
    return new Init.UniformSphere();
  }

  private Init keyed(Section s) {
    if (s.has("gaussian")) {
      Section g = s.section("gaussian");
      double std = g.number("std", 1, Range.NON_NEGATIVE);
      g.done();
      return new Init.Gaussian(std);
    }
    if (s.has("uniform-cube")) {
      Node a = s.require("uniform-cube", "the half width a: entries are uniform on [-a, a]");
      return new Init.UniformCube(
          a == null ? 1 : binding.number(a, s.path("uniform-cube"), Range.POSITIVE));
    }
    if (s.has("equiangular")) {
      Node rho = s.require("equiangular", "the common inner product rho");
      return new Init.Equiangular(
          rho == null ? 0 : binding.number(rho, s.path("equiangular"), Range.FINITE));
    }
    if (s.has("points")) {
      Node points = s.require("points", "the list of tokens, each a list of d numbers");
      return new Init.Points(points == null ? List.of() : binding.rows(points, s.path("points")));
    }
    if (s.has("angles")) {
      Node angles = s.require("angles", "the list of the tokens' angles on the circle, in radians");
      return new Init.Angles(
          angles == null ? List.of() : binding.numbers(angles, s.path("angles")));
    }
    if (s.has("file")) {
      InputFile file = InputFiles.read(binding, s, "file");
      if (file == null) {
        binding.problems.add(s.at(), s.path("file") + " must be a file name");
        return new Init.UniformSphere();
      }
      return new Init.Npy(file);
    }
    return null;
  }
}
