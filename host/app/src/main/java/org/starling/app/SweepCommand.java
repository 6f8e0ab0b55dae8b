package org.starling.app;

import org.starling.core.experiment.Experiment;
import picocli.CommandLine.Command;

/** Computes all points of a sweep into one directory: {@link RunCommand} for that kind alone. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Compute all points of an experiment's sweep as the replicas of one run.",
      "Like `run`, but for experiments with a block such as sweep: {beta: {linspace: [0.1, 9, 30]},"
          + " seed: {range: [0, 20]}}. Resume, extend and plot it like any run."
    })
final class SweepCommand extends RunCommand {
  SweepCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void require(Experiment experiment, String name) {
    if (experiment.sweep() == null) {
      throw new CommandException(
          ExitCode.USAGE,
          name
              + " sweeps nothing: give it a block such as sweep: {beta: {linspace: [0.1, 9, 30]},"
              + " seed: {range: [0, 20]}} (or --set sweep.beta='{linspace: [0.1, 9, 30]}'), or"
              + " compute its single point with `starling run`.");
    }
  }
}
