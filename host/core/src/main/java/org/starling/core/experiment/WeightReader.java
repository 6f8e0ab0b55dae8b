package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.model.Ensemble;

/** Reads Q, K and V. */
final class WeightReader {
  private static final List<String> FORMS =
      List.of(
          "identity",
          "{scale: c}",
          "{diag: [..]}",
          "{rows: [[..], [..]]}",
          "gaussian or {gaussian: {seed, std, scale}}",
          "wigner or {wigner: {seed, scale}}",
          "goe or {goe: {seed, scale}}",
          "{principal: {multiplicity, value, rest, seed}}",
          "{file: NAME.npy}",
          "{safetensors: FILE, tensor: NAME}");
  private static final List<String> WORDS =
      List.of(
          "identity",
          "scale",
          "diag",
          "rows",
          "gaussian",
          "wigner",
          "goe",
          "principal",
          "file",
          "safetensors",
          "layers",
          "per_layer");
  private static final Map<String, Ensemble> ENSEMBLES =
      Map.of("gaussian", Ensemble.GAUSSIAN, "wigner", Ensemble.WIGNER, "goe", Ensemble.GOE);

  private final Binding binding;

  WeightReader(Binding binding) {
    this.binding = binding;
  }

  WeightSpec read(Section model, String letter) {
    Node node = model.take(letter);
    if (node == null) {
      return WeightSpec.of(new MatrixSpec.Identity());
    }
    String path = model.path(letter);
    if (node instanceof Node.Mapping m && m.entries().containsKey("layers")) {
      return layers(new Section(binding, m, path));
    }
    if (node instanceof Node.Mapping m && m.entries().containsKey("per_layer")) {
      return perLayer(new Section(binding, m, path));
    }
    return new WeightSpec(List.of(heads(node, path)), false);
  }

  private WeightSpec layers(Section s) {
    Node node = s.take("layers");
    s.done();
    List<List<MatrixSpec>> layers = new ArrayList<>();
    if (node != null) {
      List<Node> items = binding.list(node, s.path("layers"));
      for (int i = 0; i < items.size(); i++) {
        layers.add(heads(items.get(i), s.path("layers") + "[" + i + "]"));
      }
    }
    if (layers.isEmpty()) {
      binding.problems.add(s.at(), s.path("layers") + " must list at least one layer");
      layers.add(List.of(new MatrixSpec.Identity()));
    }
    return new WeightSpec(layers, false);
  }

  private WeightSpec perLayer(Section s) {
    Node node = s.require("per_layer", "the ensemble to draw from, such as per_layer: gaussian");
    s.done();
    if (node == null) {
      return WeightSpec.of(new MatrixSpec.Identity());
    }
    List<MatrixSpec> heads = heads(node, s.path("per_layer"));
    for (MatrixSpec matrix : heads) {
      if (!(matrix instanceof MatrixSpec.Random)) {
        binding.problems.add(
            node.at(),
            s.path("per_layer")
                + " must be random (gaussian, wigner or goe): a fresh draw in each layer;"
                + " list given matrices under layers");
        break;
      }
    }
    return new WeightSpec(List.of(heads), true);
  }

  private List<MatrixSpec> heads(Node node, String path) {
    binding.where.put(path, node.at());
    if (!(node instanceof Node.Sequence list)) {
      return List.of(matrix(node, path));
    }
    List<MatrixSpec> heads = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      heads.add(matrix(list.items().get(i), path + "[" + i + "]"));
    }
    if (heads.isEmpty()) {
      binding.problems.add(node.at(), path + " must not be an empty list: one matrix a head");
      heads.add(new MatrixSpec.Identity());
    }
    return heads;
  }

  private MatrixSpec matrix(Node node, String path) {
    binding.where.put(path, node.at());
    if (node instanceof Node.Scalar word) {
      Ensemble ensemble = ENSEMBLES.get(word.text());
      if (ensemble != null) {
        return new MatrixSpec.Random(ensemble, null, null, 1);
      }
      if (word.number() != null) {
        binding.problems.add(
            node.at(),
            path
                + " must be a matrix, not the number "
                + word.text()
                + "; that multiple of the identity is {scale: "
                + word.text()
                + "}");
      } else if (!word.text().equals("identity")) {
        binding.unknownWord(node, path, FORMS, WORDS);
      }
      return new MatrixSpec.Identity();
    }
    if (!(node instanceof Node.Mapping mapping)) {
      binding.unknownWord(node, path, FORMS, WORDS);
      return new MatrixSpec.Identity();
    }
    Section s = new Section(binding, mapping, path);
    MatrixSpec matrix = keyed(s, mapping);
    if (matrix == null) {
      String written =
          mapping.entries().isEmpty() ? "" : mapping.entries().keySet().iterator().next();
      Position at = written.isEmpty() ? node.at() : mapping.entries().get(written).at();
      binding.problems.add(
          at,
          path
              + ": unknown kind of matrix "
              + written
              + Suggestion.forWord(written, WORDS)
              + " (known: "
              + String.join(", ", FORMS)
              + ")");
      return new MatrixSpec.Identity();
    }
    s.done();
    return matrix;
  }

  /** The matrix of a mapping, or null if none of its keys names a kind. */
  private MatrixSpec keyed(Section s, Node.Mapping mapping) {
    if (s.has("scale")) {
      return new MatrixSpec.Scale(s.number("scale", 1, Range.FINITE));
    }
    if (s.has("diag")) {
      Node entries = s.require("diag", "the list of its d entries");
      return new MatrixSpec.Diagonal(
          entries == null ? List.of() : binding.numbers(entries, s.path("diag")));
    }
    if (s.has("rows")) {
      Node rows = s.require("rows", "the list of its rows, each a list of numbers");
      return new MatrixSpec.Rows(rows == null ? List.of() : binding.rows(rows, s.path("rows")));
    }
    for (Map.Entry<String, Ensemble> e : ENSEMBLES.entrySet()) {
      if (mapping.entries().containsKey(e.getKey())) {
        return random(s.section(e.getKey()), e.getValue());
      }
    }
    if (s.has("principal")) {
      return principal(s.section("principal"));
    }
    if (s.has("file")) {
      InputFile file = InputFiles.read(binding, s, "file");
      return file == null ? missing(s, "file") : new MatrixSpec.Npy(file);
    }
    if (s.has("safetensors")) {
      InputFile file = InputFiles.read(binding, s, "safetensors");
      Node tensor = s.require("tensor", "the name of the tensor in the file");
      return file == null || tensor == null
          ? missing(s, "safetensors")
          : new MatrixSpec.SafeTensor(file, binding.text(tensor, s.path("tensor")));
    }
    return null;
  }

  private MatrixSpec missing(Section s, String key) {
    binding.problems.add(s.at(), s.path(key) + " must be a file name");
    return new MatrixSpec.Identity();
  }

  private MatrixSpec principal(Section s) {
    Node multiplicity = s.take("multiplicity");
    int m =
        multiplicity == null
            ? 1
            : (int) binding.integer(multiplicity, s.path("multiplicity"), 1, Integer.MAX_VALUE);
    double value = s.number("value", 1, Range.FINITE);
    double rest = s.number("rest", 0.5, Range.FINITE);
    Long seed = seed(s);
    s.done();
    return new MatrixSpec.Principal(m, value, rest, seed);
  }

  private Long seed(Section s) {
    Node node = s.take("seed");
    return node == null ? null : binding.integer(node, s.path("seed"), 0, Long.MAX_VALUE);
  }

  private MatrixSpec random(Section s, Ensemble ensemble) {
    Long seed = seed(s);
    Double std = null;
    if (ensemble == Ensemble.GAUSSIAN) {
      Node stdNode = s.take("std");
      std = stdNode == null ? null : binding.number(stdNode, s.path("std"), Range.NON_NEGATIVE);
    }
    double scale = s.number("scale", 1, Range.FINITE);
    s.done();
    return new MatrixSpec.Random(ensemble, seed, std, scale);
  }
}
