package org.starling.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;

/**
 * Computes runs that belong to another command: what is finished stays, what is cut short goes on.
 */
final class RunOnce {
  private final Terminal terminal;
  private final FreshRun fresh;
  private final RunContinuation continuation;
  private final boolean force;

  /**
   * @param force whether what is there is computed anew
   */
  RunOnce(Terminal terminal, DeviceOption device, RunOptions options, boolean force) {
    this.terminal = terminal;
    this.fresh = new FreshRun(terminal, device, options);
    this.continuation = new RunContinuation(terminal, device, options);
    this.force = force;
  }

  /** Says that the run was stopped, and how to go on. */
  void stopped(Path place, String command) {
    terminal.say(
        "stopped; what is computed is kept in "
            + place
            + ": the same `starling "
            + command
            + "` goes on");
  }

  /**
   * @return the exit code of the run
   */
  int compute(ResolvedExperiment resolved, Path place) {
    require(resolved, place);
    boolean begun =
        Files.exists(place.resolve("experiment.yaml")) && !Files.exists(place.resolve("final.npy"));
    if (force || !begun) {
      return fresh.into(place, resolved, force);
    }
    String there = ExperimentFile.read(place.resolve("experiment.yaml"), List.of()).resolve().id();
    if (!there.equals(resolved.id())) {
      throw new CommandException(
          ExitCode.USAGE,
          place
              + " holds another run (id "
              + there
              + ", this one has "
              + resolved.id()
              + ") that was not finished: choose another --out, or replace it with --force.");
    }
    return continuation.go(place, null);
  }

  private static void require(ResolvedExperiment resolved, Path place) {
    if (!resolved.experiment().save().trajectory()) {
      throw new CommandException(
          ExitCode.USAGE,
          "claims are judged on the tokens' positions, and "
              + place.getFileName()
              + " does not keep them: add save: {trajectory: true}");
    }
  }
}
