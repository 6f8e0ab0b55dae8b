package org.starling.core.experiment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** An experiment as read, with the places its parts were written at. */
public final class ExperimentFile {
  private final Experiment experiment;
  private final NavigableMap<String, Position> where;
  private final Position start;
  private final SweptFile swept;
  private final Claim claim;

  private ExperimentFile(
      Experiment experiment,
      NavigableMap<String, Position> where,
      Position start,
      SweptFile swept,
      Claim claim) {
    this.claim = claim;
    this.experiment = experiment;
    this.where = where;
    this.start = start;
    this.swept = swept;
  }

  /**
   * Reads a file and applies overrides.
   *
   * @param overrides {@code key=value} each; the last one wins
   * @throws ExperimentException with everything that is wrong
   */
  public static ExperimentFile read(Path file, List<String> overrides) {
    return read(file, overrides, ClaimRun.MAIN);
  }

  /**
   * Reads a file as one of the runs of its claim.
   *
   * @param overrides {@code key=value} each; they win over what a quick run changes
   * @throws ExperimentException with everything that is wrong
   */
  public static ExperimentFile read(Path file, List<String> overrides, ClaimRun run) {
    Path absolute = file.toAbsolutePath().normalize();
    return parse(file.toString(), text(file), absolute.getParent(), overrides, run);
  }

  /**
   * Reads the text of an experiment.
   *
   * @param name shown in messages
   * @param base directory that file names in the text are relative to
   */
  public static ExperimentFile parse(String name, String text, Path base, List<String> overrides) {
    return parse(name, text, base, overrides, ClaimRun.MAIN);
  }

  /** As {@link #parse(String, String, Path, List)}, as one of the runs of its claim. */
  public static ExperimentFile parse(
      String name, String text, Path base, List<String> overrides, ClaimRun run) {
    Problems problems = new Problems();
    Position start = new Position(name, 0, 0, base);
    Node root = YamlTree.read(name, base, text, problems, true);
    problems.throwIfAny();
    Overrides setter = new Overrides(problems, Path.of("").toAbsolutePath());
    root = SweptFile.written(root, problems);
    Node written = root;
    root = run.quick() ? changed(root, run.quickChanges(written), setter) : root;
    for (String override : overrides) {
      root = setter.apply(root, override);
    }
    root = changed(root, run.changes(written), setter);
    problems.throwIfAny();
    if (root == null) {
      problems.add(
          start, "the experiment is empty; the least is tokens: {n: 64, d: 3} and stop: {t: 10}");
      problems.throwIfAny();
    }
    Binding binding = new Binding(problems);
    Claim claim =
        new ClaimReader(binding)
            .read(
                root instanceof Node.Mapping m && m.entries().containsKey(ClaimReader.CLAIM)
                    ? m.entries().get(ClaimReader.CLAIM).value()
                    : null);
    SweptFile swept = SweptFile.of(root, binding);
    Experiment experiment;
    if (swept == null) {
      experiment = new ExperimentReader(binding).read(root);
    } else {
      SweepSpec sweep = swept.spec();
      Node first = swept.tree(new int[sweep.axes().size()], problems);
      experiment = new ExperimentReader(binding).read(first);
      if (problems.isEmpty()) {
        swept.check(experiment, problems);
      }
      experiment = experiment.with(sweep);
    }
    problems.throwIfAny();
    return new ExperimentFile(experiment, new TreeMap<>(binding.where), start, swept, claim);
  }

  private static Node changed(Node root, Map<String, Node> changes, Overrides setter) {
    Node tree = root;
    for (Map.Entry<String, Node> change : changes.entrySet()) {
      tree = setter.apply(tree, change.getKey(), change.getValue());
    }
    return tree;
  }

  static String text(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (NoSuchFileException e) {
      throw unreadable(file, "there is no such file");
    } catch (AccessDeniedException e) {
      throw unreadable(file, "no permission to read it");
    } catch (IOException e) {
      throw unreadable(
          file, Files.isDirectory(file) ? "is a directory, not a file" : e.getMessage());
    }
  }

  private static ExperimentException unreadable(Path file, String why) {
    return new ExperimentException(
        List.of(new Problem(new Position(file.toString(), 0, 0, file.getParent()), why)));
  }

  public Experiment experiment() {
    return experiment;
  }

  /** What the experiment is said to show; null where it says nothing. */
  public Claim claim() {
    return claim;
  }

  /** The points of the sweep; null where there is none. */
  SweptFile swept() {
    return swept;
  }

  /**
   * Reads the input files and fills in what they decide.
   *
   * @throws ExperimentException with everything that is wrong with the inputs
   */
  public ResolvedExperiment resolve() {
    return new Resolver(this).resolve();
  }

  /** Where a key such as {@code model.V} was written, or the nearest key above it. */
  public Position where(String key) {
    String path = key;
    while (true) {
      Position at = where.get(path);
      if (at != null) {
        return at;
      }
      int cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
      if (cut < 0) {
        return start;
      }
      path = path.substring(0, cut);
    }
  }
}
