package org.starling.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.Storage;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.Suggestion;
import org.starling.core.model.Precision;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The experiment to compute, by file or bundled name, with what the command line changes in it. */
final class ExperimentArgument {
  @Parameters(
      index = "0",
      paramLabel = "EXPERIMENT",
      description = "An experiment file, or the name of a bundled one (a wrong name lists them).")
  private String experiment;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Change a key of the experiment, e.g. --set model.beta=4. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--seed", paramLabel = "N", description = "Same as --set seed=N.")
  private Long seed;

  @Option(
      names = "--precision",
      paramLabel = "P",
      description = "single, mixed or double. Default: the experiment's; double on reference.")
  private Precision precision;

  @Option(
      names = "--storage",
      paramLabel = "S",
      description = "Keys and values: full or half. Default: the experiment's.")
  private Storage storage;

  /** The name for a run's directory: the file's without its ending. */
  String name() {
    return name(experiment);
  }

  static String name(String experiment) {
    String file = Path.of(experiment).getFileName().toString();
    return file.replaceFirst("\\.(yaml|yml)$", "");
  }

  /**
   * Reads the experiment; the options for seed, precision, storage and device win over {@code
   * --set}.
   *
   * @param device the reference engine, asked for here, is written into the experiment: precision,
   *     unless given, is then the only one it has
   */
  ExperimentFile read(Terminal terminal, DeviceOption device) throws IOException {
    return read(terminal, experiment, overrides(terminal, device), ClaimRun.MAIN);
  }

  private List<String> overrides(Terminal terminal, DeviceOption device) {
    List<String> all = new ArrayList<>(overrides);
    if (seed != null) {
      all.add("seed=" + seed);
    }
    if (precision != null) {
      all.add("execution.precision=" + precision.name().toLowerCase(java.util.Locale.ROOT));
    }
    if (device.asksForReference(terminal)) {
      all.add("execution.device=reference");
    }
    if (storage != null) {
      all.add("execution.storage=" + storage.name().toLowerCase(java.util.Locale.ROOT));
    }
    return all;
  }

  /**
   * Reads an experiment as one of the runs of its claim.
   *
   * @param experiment a file, or the name of a bundled one
   */
  static ExperimentFile read(Terminal terminal, String experiment, List<String> all, ClaimRun run)
      throws IOException {
    Path file = terminal.resolve(Path.of(experiment));
    // A folder of the name, such as a run of it, does not hide a bundled experiment.
    boolean folderOfBundled = Files.isDirectory(file) && Examples.has(experiment);
    if ((Files.exists(file) && !folderOfBundled) || !experiment.matches("[A-Za-z0-9-]+")) {
      return ExperimentFile.read(file, all, run);
    }
    if (!Examples.has(experiment)) {
      List<String> known = new ArrayList<>(Examples.names());
      known.addAll(Examples.claims());
      known.addAll(Examples.conjectures());
      String near = Suggestion.forWord(experiment, known);
      throw new CommandException(
          ExitCode.USAGE,
          "there is no file "
              + experiment
              + " and no bundled experiment of that name"
              + (near.isEmpty() ? "." : near)
              + " Bundled: "
              + String.join(", ", Examples.names())
              + "; `starling reproduce --list` and `starling conjecture --list` name those with a"
              + " claim.");
    }
    Path folder = terminal.home().resolve("examples");
    folder = Examples.unpack(experiment, folder);
    return ExperimentFile.parse(experiment + ".yaml", Examples.text(experiment), folder, all, run);
  }
}
