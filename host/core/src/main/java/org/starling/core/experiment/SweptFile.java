package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.experiment.SweepReader.SweptKey;
import org.starling.core.experiment.SweepSpec.Axis;

/** The tree of an experiment with the axes of its sweep: an experiment for every point. */
final class SweptFile {
  private final Node.Mapping root;
  private final List<SweptKey> keys;

  private SweptFile(Node.Mapping root, List<SweptKey> keys) {
    this.root = root;
    this.keys = keys;
  }

  /** The tree with its sweep, if it has one, written out; for overrides to be applied to. */
  static Node written(Node root, Problems problems) {
    if (!(root instanceof Node.Mapping m)
        || !m.entries().containsKey(SweepKeys.SWEEP)
        || !(m.entries().get(SweepKeys.SWEEP).value() instanceof Node.Mapping sweep)) {
      return root;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(m.entries());
    Node.Mapping flat = new SweepReader(new Binding(problems)).flat(sweep);
    entries.put(SweepKeys.SWEEP, new Node.Entry(m.entries().get(SweepKeys.SWEEP).at(), flat));
    return new Node.Mapping(m.at(), entries);
  }

  /** Takes the sweep out of a tree; null where there is none. */
  static SweptFile of(Node tree, Binding binding) {
    Node written = written(tree, binding.problems);
    if (!(written instanceof Node.Mapping m) || !m.entries().containsKey(SweepKeys.SWEEP)) {
      return null;
    }
    Map<String, Node.Entry> entries = new LinkedHashMap<>(m.entries());
    Node sweep = entries.remove(SweepKeys.SWEEP).value();
    if (sweep instanceof Node.Scalar s && s.isNull()) {
      return null;
    }
    List<SweptKey> keys = new SweepReader(binding).read(sweep);
    binding.problems.throwIfAny();
    if (keys.isEmpty()) {
      return null;
    }
    SweptFile file = new SweptFile(new Node.Mapping(m.at(), entries), keys);
    file.refuseOverridden(binding.problems);
    binding.where.putAll(SweepReader.places(keys));
    return file;
  }

  /** A value given on the command line for a swept key would be ignored. */
  private void refuseOverridden(Problems problems) {
    for (SweptKey key : keys) {
      Node at = root;
      for (String part : key.axis().key().split("\\.", -1)) {
        Node.Entry entry = at instanceof Node.Mapping m ? m.entries().get(part) : null;
        at = entry == null ? null : entry.value();
      }
      if (at != null && at.at().isOverride()) {
        String name = SweepKeys.SWEEP + "." + key.axis().key();
        problems.add(
            at.at(),
            key.axis().key()
                + " is swept at "
                + key.at()
                + ", so that one value has no meaning; change the sweep with --set "
                + name
                + "=[...], or end it with --set "
                + name
                + "=null");
      }
    }
  }

  SweepSpec spec() {
    return new SweepSpec(keys.stream().map(SweptKey::axis).toList());
  }

  /** The tree of a point; {@code index[a]} is the number of the value of axis a. */
  Node tree(int[] index, Problems problems) {
    Overrides setter = new Overrides(problems, Path.of("").toAbsolutePath());
    Node tree = root;
    for (int a = 0; a < index.length; a++) {
      SweptKey key = keys.get(a);
      List<String> path = List.of(key.axis().key().split("\\.", -1));
      Node value = key.node(index[a]);
      tree = setter.with(tree, path, value, value.at());
    }
    return tree;
  }

  /** The experiment at a point, without the sweep. */
  Experiment at(int[] index) {
    Problems problems = new Problems();
    Experiment experiment = new ExperimentReader(new Binding(problems)).read(tree(index, problems));
    problems.throwIfAny();
    return experiment;
  }

  /**
   * Tries every axis by itself: what its values may be, and that nothing else changes with them.
   *
   * @param first the experiment at the first point
   */
  void check(Experiment first, Problems problems) {
    for (int a = 0; a < keys.size(); a++) {
      Axis axis = keys.get(a).axis();
      int[] index = new int[keys.size()];
      for (int k : SweepReader.tried(axis.values())) {
        index[a] = k;
        Problems own = new Problems();
        Experiment point = new ExperimentReader(new Binding(own)).read(tree(index, own));
        own.all().forEach(p -> problems.add(p.at(), p.message()));
        List<String> changed = own.isEmpty() ? changed(first, point) : List.of();
        if (!changed.isEmpty()) {
          problems.add(
              keys.get(a).at(),
              axis.key()
                  + " cannot be swept here: "
                  + String.join(" and ", changed)
                  + " would change with it, and the replicas of a run share "
                  + (changed.size() == 1 ? "it" : "them")
                  + "; give "
                  + (changed.size() == 1 ? "it" : "them")
                  + " outright");
        }
      }
    }
  }

  private static List<String> changed(Experiment a, Experiment b) {
    List<String> names = new ArrayList<>();
    if (!a.integrator().equals(b.integrator())) {
      names.add("integrator");
    }
    if (!a.save().equals(b.save())) {
      names.add("save");
    }
    if (a.model().heads() != b.model().heads()) {
      names.add("model.heads");
    }
    return names;
  }
}
