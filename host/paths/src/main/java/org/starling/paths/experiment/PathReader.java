package org.starling.paths.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.starling.core.experiment.Binding;
import org.starling.core.experiment.Binding.Range;
import org.starling.core.experiment.ExperimentTree;
import org.starling.core.experiment.InputFile;
import org.starling.core.experiment.InputFiles;
import org.starling.core.experiment.Node;
import org.starling.core.experiment.Position;
import org.starling.core.experiment.Section;
import org.starling.core.model.Precision;
import org.starling.core.paths.Readout;
import org.starling.paths.task.HiddenMarkovTask;

/** Reads experiments on attention paths. */
public final class PathReader {
  private static final long LARGEST_SEED = 0xffffffffL;
  private static final int MOST_PATHS = 4096;
  private static final List<String> HEADS = List.of("good", "uniform", "random", "w", "query");

  private final ExperimentTree tree;
  private final Binding binding;

  private PathReader(ExperimentTree tree) {
    this.tree = tree;
    this.binding = tree.binding();
  }

  /**
   * Reads a file.
   *
   * @throws org.starling.core.experiment.ExperimentException with everything that is wrong
   */
  public static PathExperiment read(Path file, List<String> overrides) {
    return new PathReader(ExperimentTree.read(file, overrides)).read();
  }

  /** Reads a text. */
  public static PathExperiment parse(String name, String text, Path base, List<String> overrides) {
    return new PathReader(ExperimentTree.parse(name, text, base, overrides)).read();
  }

  private PathExperiment read() {
    Section top = tree.top();
    TaskSpec task = task(top.section("task"));
    Section network = top.section("network");
    List<List<HeadSpec>> heads = heads(network, task);
    int depth = heads.size();
    double beta = network.number("beta", 1, Range.FINITE);
    boolean hardmax =
        network.word("attention", Attention.class, Attention.SOFTMAX) == Attention.HARDMAX;
    Readout readout = network.word("readout", Readout.class, Readout.LAST_TOKEN);
    int width = network.integer("width", 100, 1);
    List<Integer> widths = widths(network, width, depth);
    int readoutWidth = network.integer("readout_width", width, 1);
    Section variances = network.section("variances");
    double input = variances.number("input", 1, Range.POSITIVE);
    List<Double> layers = variances(variances, depth);
    double last = variances.number("readout", 1, Range.POSITIVE);
    variances.done();
    double temperature = network.number("temperature", 0.01, Range.NON_NEGATIVE);
    network.done();
    Section fit = top.section("fit");
    int starts = fit.integer("starts", 2, 1);
    int iterations = fit.integer("iterations", 1000, 1);
    fit.done();
    long seed = top.integer("seed", 0L, 0L);
    PathExperiment.Sweep sweep = sweep(top, network);
    Section execution = top.section("execution");
    String device = execution.text("device", null);
    Precision precision = precision(execution);
    long memory = execution.integer("memory_mib", 1024L, 0L);
    execution.done();
    tree.finish();
    return new PathExperiment(
        task,
        heads,
        beta,
        hardmax,
        readout,
        widths,
        readoutWidth,
        input,
        layers,
        last,
        temperature,
        seed,
        starts,
        iterations,
        sweep,
        device,
        precision,
        memory << 20);
  }

  private enum Attention {
    SOFTMAX,
    HARDMAX
  }

  private Precision precision(Section execution) {
    Precision precision = execution.word("precision", Precision.class, Precision.DOUBLE);
    if (precision == Precision.MIXED) {
      binding.problem(
          tree.where("execution.precision"),
          "execution.precision must be single or double for attention paths, not mixed");
    }
    return precision;
  }

  private TaskSpec task(Section s) {
    Node markov = s.take("hidden-markov");
    Node files = s.take("files");
    s.done();
    if ((markov == null) == (files == null)) {
      binding.problem(
          s.at(),
          "task needs one of hidden-markov: {train: 100, test: 1000} and files: {train: {x: ..,"
              + " y: ..}, test: {x: .., y: ..}}");
      return new TaskSpec.HiddenMarkov(HiddenMarkovTask.standard(1), 2, 2, 27, 59);
    }
    return markov == null
        ? files(binding.section(files, "task.files"))
        : markov(binding.section(markov, "task.hidden-markov"));
  }

  private TaskSpec markov(Section s) {
    int train = even(s, "train", 100);
    int test = even(s, "test", 1000);
    int features = even(s, "features", 200);
    int tokens = s.integer("tokens", 30, 1);
    double stay = probability(s);
    double noise = s.number("noise", 1, Range.NON_NEGATIVE);
    double inPlane = s.number("noise_in_plane", 1, Range.NON_NEGATIVE);
    long trainSeed = seed(s, "train_seed", 27);
    long testSeed = seed(s, "test_seed", 59);
    s.done();
    return new TaskSpec.HiddenMarkov(
        new HiddenMarkovTask(features, tokens, stay, noise, inPlane),
        train,
        test,
        trainSeed,
        testSeed);
  }

  private double probability(Section s) {
    double stay = s.number("stay", 0.7, Range.NON_NEGATIVE);
    if (stay > 1) {
      binding.problem(tree.where(s.path("stay")), s.path("stay") + " must be 0 to 1, not " + stay);
      return 0.7;
    }
    return stay;
  }

  private int even(Section s, String key, int otherwise) {
    int value = s.integer(key, otherwise, 2);
    if (value % 2 != 0) {
      binding.problem(
          tree.where(s.path(key)), s.path(key) + " must be even, two halves of it, not " + value);
      return value + 1;
    }
    return value;
  }

  private long seed(Section s, String key, long otherwise) {
    Node node = s.take(key);
    return node == null ? otherwise : binding.integer(node, s.path(key), 0, LARGEST_SEED);
  }

  private TaskSpec files(Section s) {
    InputFile[] all = new InputFile[4];
    int k = 0;
    for (String part : List.of("train", "test")) {
      Section own = s.section(part);
      for (String key : List.of("x", "y")) {
        all[k++] = file(own, key);
      }
      own.done();
    }
    s.done();
    return new TaskSpec.Files(all[0], all[1], all[2], all[3]);
  }

  /** A file name, or a mapping of file and sha256. */
  private InputFile file(Section s, String key) {
    Node node = s.require(key, "the name of a .npy file");
    if (node == null) {
      return new InputFile(Path.of("x"), null);
    }
    if (node instanceof Node.Mapping m) {
      Section own = binding.section(m, s.path(key));
      InputFile file = InputFiles.read(binding, own, "file");
      own.done();
      if (file == null) {
        binding.problem(own.at(), s.path(key) + ".file is missing: the name of a .npy file");
        return new InputFile(Path.of("x"), null);
      }
      return file;
    }
    String name = binding.text(node, s.path(key));
    return new InputFile(node.at().base().resolve(name).toAbsolutePath().normalize(), null);
  }

  private List<List<HeadSpec>> heads(Section network, TaskSpec task) {
    Node node = network.require("heads", "a list for every layer, such as [[good], [uniform]]");
    List<List<HeadSpec>> all = new ArrayList<>();
    if (node == null) {
      return List.of(List.of(new HeadSpec.Uniform()));
    }
    long paths = 1;
    List<Node> layers = binding.list(node, "network.heads");
    for (int l = 0; l < layers.size(); l++) {
      String path = "network.heads[" + l + "]";
      List<Node> items = binding.list(layers.get(l), path);
      List<HeadSpec> layer = new ArrayList<>();
      for (int h = 0; h < items.size(); h++) {
        layer.add(head(items.get(h), path + "[" + h + "]", task));
      }
      if (items.isEmpty()) {
        binding.problem(layers.get(l).at(), path + " must not be an empty list");
        layer.add(new HeadSpec.Uniform());
      }
      all.add(layer);
      paths = Math.min(paths * layer.size(), Integer.MAX_VALUE);
    }
    if (all.isEmpty()) {
      binding.problem(node.at(), "network.heads must have a list for one layer or more");
      all.add(List.of(new HeadSpec.Uniform()));
    }
    if (paths > MOST_PATHS) {
      binding.problem(node.at(), "network.heads makes " + paths + " paths; at most " + MOST_PATHS);
    }
    return all;
  }

  private HeadSpec head(Node node, String path, TaskSpec task) {
    boolean markov = task instanceof TaskSpec.HiddenMarkov;
    String word =
        node instanceof Node.Scalar s
            ? s.text()
            : node instanceof Node.Mapping m && !m.entries().isEmpty()
                ? m.entries().keySet().iterator().next()
                : "";
    HeadSpec head = null;
    if (node instanceof Node.Mapping m && word.equals("random")) {
      Section own = binding.section(m, path);
      Section random = own.section("random");
      long seed = seed(random, "seed", 0);
      double strength = random.number("strength", 1, Range.FINITE);
      random.done();
      own.done();
      head = new HeadSpec.Random(seed, strength);
    } else if (node instanceof Node.Mapping m && word.equals("w")) {
      Section own = binding.section(m, path);
      head = new HeadSpec.Matrix(file(own, "w"));
      own.done();
    } else if (node instanceof Node.Mapping m && List.of("query", "key").contains(word)) {
      Section own = binding.section(m, path);
      head = new HeadSpec.QueryKey(file(own, "query"), file(own, "key"));
      own.done();
    } else if (node instanceof Node.Scalar && word.equals("good")) {
      head = new HeadSpec.Good();
    } else if (node instanceof Node.Scalar && word.equals("uniform")) {
      head = new HeadSpec.Uniform();
    }
    if (head == null) {
      binding.unknownWord(
          node,
          path,
          List.of(
              "good",
              "uniform",
              "{random: {seed: 147}}",
              "{w: FILE.npy}",
              "{query: FILE.npy, key: FILE.npy}"),
          HEADS);
      return new HeadSpec.Uniform();
    }
    if (!markov && (head instanceof HeadSpec.Good || head instanceof HeadSpec.Random)) {
      binding.problem(
          node.at(), path + ": " + word + " is a head of the hidden-markov task; give a file");
    }
    return head;
  }

  private List<Integer> widths(Section network, int width, int depth) {
    Node node = network.take("widths");
    if (node == null) {
      return Collections.nCopies(depth, width);
    }
    List<Integer> all = integers(node, "network.widths");
    if (all.size() != depth) {
      binding.problem(
          node.at(), "network.widths has " + all.size() + " numbers for " + depth + " layers");
      return Collections.nCopies(depth, width);
    }
    return all;
  }

  private List<Integer> integers(Node node, String path) {
    List<Integer> all = new ArrayList<>();
    List<Node> items = binding.list(node, path);
    for (int k = 0; k < items.size(); k++) {
      all.add((int) binding.integer(items.get(k), path + "[" + k + "]", 1, 1_000_000_000));
    }
    return all;
  }

  private List<Double> variances(Section s, int depth) {
    Node node = s.take("layers");
    if (node == null) {
      return Collections.nCopies(depth, 1.0);
    }
    List<Double> all = positive(node, s.path("layers"), Range.POSITIVE);
    if (all.size() != depth) {
      binding.problem(
          node.at(), s.path("layers") + " has " + all.size() + " numbers for " + depth + " layers");
      return Collections.nCopies(depth, 1.0);
    }
    return all;
  }

  private List<Double> positive(Node node, String path, Range range) {
    List<Double> all = new ArrayList<>();
    List<Node> items = binding.list(node, path);
    for (int k = 0; k < items.size(); k++) {
      all.add(binding.number(items.get(k), path + "[" + k + "]", range));
    }
    return all;
  }

  private PathExperiment.Sweep sweep(Section top, Section network) {
    Section s = top.section("sweep");
    Node widthNode = s.take("width");
    Node temperatureNode = s.take("temperature");
    Node seedNode = s.take("seed");
    s.done();
    List<Integer> widths = widthNode == null ? List.of() : integers(widthNode, "sweep.width");
    List<Double> temperatures =
        temperatureNode == null
            ? List.of()
            : positive(temperatureNode, "sweep.temperature", Range.NON_NEGATIVE);
    List<Long> seeds = new ArrayList<>();
    if (seedNode != null) {
      List<Node> items = binding.list(seedNode, "sweep.seed");
      for (int k = 0; k < items.size(); k++) {
        seeds.add(binding.integer(items.get(k), "sweep.seed[" + k + "]", 0, 1 << 20));
      }
    }
    given(widthNode, network, "network.width", "width");
    given(widthNode, network, "network.widths", "width");
    given(widthNode, network, "network.readout_width", "width");
    given(temperatureNode, network, "network.temperature", "temperature");
    given(seedNode, top, "seed", "seed");
    return new PathExperiment.Sweep(widths, temperatures, seeds);
  }

  /** A value given for a key that is swept would be ignored. */
  private void given(Node swept, Section section, String path, String key) {
    Position at = tree.where(path);
    if (swept != null && at != null && section.has(path.substring(path.lastIndexOf('.') + 1))) {
      binding.problem(
          at,
          path + " has no meaning where sweep." + key + " gives the values; delete one of the two");
    }
  }
}
