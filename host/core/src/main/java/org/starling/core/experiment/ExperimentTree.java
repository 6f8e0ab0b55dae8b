package org.starling.core.experiment;

import java.nio.file.Path;
import java.util.List;

/**
 * A YAML experiment of any kind, to be read key by key; whatever is wrong is told with its place,
 * all of it at once.
 */
public final class ExperimentTree {
  private final Problems problems = new Problems();
  private final Binding binding = new Binding(problems);
  private final Section top;

  private ExperimentTree(String name, String text, Path base, List<String> overrides) {
    Node root = YamlTree.read(name, base, text, problems, true);
    problems.throwIfAny();
    Overrides setter = new Overrides(problems, Path.of("").toAbsolutePath());
    for (String override : overrides) {
      root = setter.apply(root, override);
    }
    Position start = new Position(name, 0, 0, base);
    if (root != null && !(root instanceof Node.Mapping)) {
      problems.add(root.at(), "an experiment is a mapping of keys, not " + root.describe());
    }
    problems.throwIfAny();
    top = new Section(binding, root instanceof Node.Mapping m ? m : Node.Mapping.empty(start), "");
  }

  /**
   * Reads a file.
   *
   * @param overrides {@code key=value} each; the last one wins
   * @throws ExperimentException if it is no YAML mapping
   */
  public static ExperimentTree read(Path file, List<String> overrides) {
    Path absolute = file.toAbsolutePath().normalize();
    return parse(file.toString(), ExperimentFile.text(file), absolute.getParent(), overrides);
  }

  /**
   * Reads a text.
   *
   * @param name shown in messages
   * @param base directory that file names in the text are relative to
   */
  public static ExperimentTree parse(String name, String text, Path base, List<String> overrides) {
    return new ExperimentTree(name, text, base, overrides);
  }

  /** The keys of the file. */
  public Section top() {
    return top;
  }

  /** Turns nodes into values. */
  public Binding binding() {
    return binding;
  }

  /** Where a key path was written; null where it was not. */
  public Position where(String key) {
    return binding.where.get(key);
  }

  /**
   * Ends the reading.
   *
   * @throws ExperimentException with everything that is wrong, if anything is
   */
  public void finish() {
    top.done();
    problems.throwIfAny();
  }

  /**
   * @throws ExperimentException if anything was found wrong so far
   */
  public void requireSound() {
    problems.throwIfAny();
  }
}
