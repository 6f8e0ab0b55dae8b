package org.starling.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes an experiment into a directory. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Compute an experiment into a directory.",
      "A finished run is not computed again; nothing is overwritten without --force."
    })
class RunCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ExperimentArgument experiment;
  @Mixin private DeviceOption device;
  @Mixin private RunOptions options;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run's directory. Default: runs/<experiment>-<id>.")
  private Path out;

  @Option(
      names = "--dry-run",
      description = "Print memory plan, variants and size of the output, and compute nothing.")
  private boolean dryRun;

  @Option(names = "--force", description = "Replace a run that is there.")
  private boolean force;

  RunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    ExperimentFile file = experiment.read(terminal, device);
    require(file.experiment(), experiment.name());
    ResolvedExperiment resolved = file.resolve();
    Path directory =
        out == null
            ? RunSession.defaultDirectory(terminal, experiment.name(), resolved.id())
            : terminal.resolve(out);
    FreshRun run = new FreshRun(terminal, device, options);
    return dryRun ? run.dry(resolved) : run.into(directory, resolved, force);
  }

  /**
   * Refuses an experiment that is not one for this command.
   *
   * @param name of the experiment, for the message
   */
  void require(Experiment wanted, String name) {
    // Every experiment can be run.
  }
}
