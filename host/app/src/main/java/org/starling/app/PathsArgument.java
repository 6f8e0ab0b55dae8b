package org.starling.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.starling.core.experiment.Suggestion;
import org.starling.core.model.Precision;
import org.starling.paths.experiment.PathExperiment;
import org.starling.paths.experiment.PathReader;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An experiment on attention paths, and where its results go. */
final class PathsArgument {
  @Parameters(
      index = "0",
      paramLabel = "EXPERIMENT",
      description = "An experiment file, or the name of a bundled one (a wrong name lists them).")
  private String experiment;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Change a key of the experiment, e.g. --set network.width=30. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--precision", paramLabel = "P", description = "single or double.")
  private Precision precision;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run's directory. Default: runs/<experiment>-<id>.")
  private Path out;

  @Option(names = "--force", description = "Replace a run that is there.")
  private boolean force;

  @Option(names = "--no-figures", description = "Draw no figures.")
  private boolean noFigures;

  @Option(names = "--json", description = "A JSON object on standard output, for programs.")
  private boolean json;

  @Option(names = "--quiet", description = "No progress and no summary.")
  private boolean quiet;

  String name() {
    return ExperimentArgument.name(experiment);
  }

  boolean force() {
    return force;
  }

  boolean figures() {
    return !noFigures;
  }

  boolean json() {
    return json;
  }

  boolean quiet() {
    return quiet;
  }

  Path directory(Terminal terminal, String id) {
    return out == null ? RunSession.defaultDirectory(terminal, name(), id) : terminal.resolve(out);
  }

  PathExperiment read(Terminal terminal) {
    List<String> all = new ArrayList<>(overrides);
    if (precision != null) {
      all.add("execution.precision=" + precision.name().toLowerCase(Locale.ROOT));
    }
    Path file = terminal.resolve(Path.of(experiment));
    List<String> known = Examples.paths();
    // A folder of the name, such as a run of it, does not hide a bundled experiment.
    boolean folderOfBundled = Files.isDirectory(file) && known.contains(experiment);
    if ((Files.exists(file) && !folderOfBundled) || !experiment.matches("[A-Za-z0-9-]+")) {
      return PathReader.read(file, all);
    }
    if (!known.contains(experiment)) {
      String near = Suggestion.forWord(experiment, known);
      throw new CommandException(
          ExitCode.USAGE,
          "there is no file "
              + experiment
              + " and no bundled experiment on attention paths of that name"
              + (near.isEmpty() ? "." : near)
              + " Bundled: "
              + String.join(", ", known)
              + ".");
    }
    return PathReader.parse(
        experiment + ".yaml", Examples.pathsText(experiment), terminal.directory(), all);
  }
}
