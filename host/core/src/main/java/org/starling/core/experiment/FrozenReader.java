package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.TokensSpec.Frozen;
import org.starling.core.model.Geometry;

/** Reads {@code tokens.frozen}: which tokens stand still. */
final class FrozenReader {
  private static final String FORMS =
      "none, {first: m}, {tokens: [..]} (counted from 0), {angles: [..]} or {points: [[..], [..]]}"
          + " (the first tokens, put there), {centres: {c: 4, kind: strong}}";

  private final Binding binding;

  FrozenReader(Binding binding) {
    this.binding = binding;
  }

  /**
   * @return null for none
   */
  Frozen read(Node node, String path, Geometry geometry) {
    if (node == null || (node instanceof Node.Scalar word && word.text().equals("none"))) {
      return null;
    }
    if (!(node instanceof Node.Mapping m) || m.entries().size() != 1) {
      binding.problems.add(
          node.at(), path + " must be one of " + FORMS + ", not " + node.describe());
      return null;
    }
    Section s = new Section(binding, m, path);
    Node first = s.take("first");
    Node tokens = s.take("tokens");
    Node angles = s.take("angles");
    Node points = s.take("points");
    Node centres = s.take("centres");
    s.done();
    if (first != null) {
      return new Frozen.First((int) binding.integer(first, s.path("first"), 1, Integer.MAX_VALUE));
    }
    if (tokens != null) {
      return listed(tokens, s.path("tokens"));
    }
    if (angles != null) {
      return new Frozen.AtAngles(binding.numbers(angles, s.path("angles")));
    }
    if (points != null) {
      return points(points, s.path("points"), geometry);
    }
    return centres == null ? null : centres(centres, s.path("centres"), geometry);
  }

  private Frozen listed(Node node, String path) {
    List<Integer> tokens = new ArrayList<>();
    List<Node> items = binding.list(node, path);
    for (int i = 0; i < items.size(); i++) {
      String at = path + "[" + i + "]";
      int token = (int) binding.integer(items.get(i), at, 0, Integer.MAX_VALUE);
      if (tokens.contains(token)) {
        binding.problems.add(items.get(i).at(), at + " names token " + token + " a second time");
      }
      tokens.add(token);
    }
    if (items.isEmpty() && node instanceof Node.Sequence) {
      binding.problems.add(node.at(), path + " must not be an empty list; write none");
    }
    return new Frozen.Listed(tokens);
  }

  private Frozen points(Node node, String path, Geometry geometry) {
    List<List<Double>> rows = binding.rows(node, path);
    if (geometry == Geometry.SPHERE) {
      rows = UnitRows.of(rows, binding, node.at(), path);
    }
    return rows.isEmpty() || rows.get(0).isEmpty() ? null : new Frozen.At(rows);
  }

  private Frozen centres(Node node, String path, Geometry geometry) {
    Section s = binding.section(node, path);
    double c = s.number("c", 4, Range.POSITIVE);
    String kind = s.text("kind", "strong");
    s.done();
    if (!kind.equals("strong") && !kind.equals("ordinary")) {
      binding.problems.add(
          binding.where.get(s.path("kind")),
          s.path("kind") + " must be strong or ordinary, not " + kind);
    }
    if (geometry != Geometry.SPHERE) {
      binding.problems.add(
          node.at(), path + ": Renyi centres are chosen by angles; they need geometry: sphere");
    }
    return new Frozen.Centres(c, kind.equals("strong"));
  }
}
