package org.starling.paths.experiment;

import java.util.List;
import java.util.Locale;
import org.starling.core.experiment.InputFile;
import org.starling.paths.task.HiddenMarkovTask;

/** Writes an experiment with every default, so that it reads back to the same. */
final class PathWriter {
  private final PathExperiment e;
  private final PathFiles files;
  private final StringBuilder out = new StringBuilder();

  private PathWriter(PathExperiment experiment, PathFiles files) {
    this.e = experiment;
    this.files = files;
  }

  /** The experiment without how it is executed: what its id is made of. */
  static String identity(PathExperiment experiment, PathFiles files) {
    PathWriter w = new PathWriter(experiment, files);
    w.science();
    return w.out.toString();
  }

  static String text(PathExperiment experiment, PathFiles files) {
    PathWriter w = new PathWriter(experiment, files);
    w.science();
    w.line("execution:");
    if (experiment.device() != null) {
      w.line("  device: " + quoted(experiment.device()));
    }
    w.line("  precision: " + word(experiment.precision()));
    w.line("  memory_mib: " + (experiment.memory() >> 20));
    return w.out.toString();
  }

  private void science() {
    line("task:");
    task();
    line("network:");
    line("  heads:");
    for (List<HeadSpec> layer : e.heads()) {
      line("    - [" + String.join(", ", layer.stream().map(this::head).toList()) + "]");
    }
    line("  beta: " + e.beta());
    line("  attention: " + (e.hardmax() ? "hardmax" : "softmax"));
    line("  readout: " + word(e.readout()));
    if (e.sweep().widths().isEmpty()) {
      line("  widths: " + e.widths());
      line("  readout_width: " + e.readoutWidth());
    }
    line(
        "  variances: {input: "
            + e.inputVariance()
            + ", layers: "
            + e.variances()
            + ", readout: "
            + e.readoutVariance()
            + "}");
    if (e.sweep().temperatures().isEmpty()) {
      line("  temperature: " + e.temperature());
    }
    line("fit: {starts: " + e.starts() + ", iterations: " + e.iterations() + "}");
    if (e.sweep().seeds().isEmpty()) {
      line("seed: " + e.seed());
    }
    if (!e.sweep().isEmpty()) {
      line("sweep:");
      list("width", e.sweep().widths());
      list("temperature", e.sweep().temperatures());
      list("seed", e.sweep().seeds());
    }
  }

  private void list(String key, List<?> values) {
    if (!values.isEmpty()) {
      line("  " + key + ": " + values);
    }
  }

  private void task() {
    if (e.task() instanceof TaskSpec.HiddenMarkov m) {
      HiddenMarkovTask t = m.task();
      line("  hidden-markov:");
      line("    train: " + m.train());
      line("    test: " + m.test());
      line("    features: " + t.features());
      line("    tokens: " + t.tokens());
      line("    stay: " + t.stay());
      line("    noise: " + t.noise());
      line("    noise_in_plane: " + t.inPlane());
      line("    train_seed: " + m.trainSeed());
      line("    test_seed: " + m.testSeed());
    } else {
      TaskSpec.Files f = (TaskSpec.Files) e.task();
      line("  files:");
      line("    train: {x: " + file(f.trainX()) + ", y: " + file(f.trainY()) + "}");
      line("    test: {x: " + file(f.testX()) + ", y: " + file(f.testY()) + "}");
    }
  }

  private String head(HeadSpec head) {
    if (head instanceof HeadSpec.Good) {
      return "good";
    }
    if (head instanceof HeadSpec.Uniform) {
      return "uniform";
    }
    if (head instanceof HeadSpec.Random r) {
      return "{random: {seed: " + r.seed() + ", strength: " + r.strength() + "}}";
    }
    if (head instanceof HeadSpec.Matrix m) {
      return "{w: " + file(m.w()) + "}";
    }
    HeadSpec.QueryKey qk = (HeadSpec.QueryKey) head;
    return "{query: " + file(qk.query()) + ", key: " + file(qk.key()) + "}";
  }

  private String file(InputFile file) {
    return "{file: " + quoted(file.path().toString()) + ", sha256: " + files.digest(file) + "}";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void line(String text) {
    out.append(text).append('\n');
  }
}
