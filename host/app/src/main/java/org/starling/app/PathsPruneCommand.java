package org.starling.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Heads in the order in which they can go. */
@Command(
    name = "prune",
    mixinStandardHelpOptions = true,
    description = {
      "Score the heads by the order parameters of their paths, and silence them one after another"
          + " from the lowest score.",
      "Order parameters that are not in the run's directory yet are found first."
    })
final class PathsPruneCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private PathsArgument argument;
  @Mixin private DeviceOption device;

  PathsPruneCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PathsSession session = new PathsSession(terminal, argument, device);
    PathsFindings findings = new PathsFindings(terminal, argument, session.resolved());
    return session.run(new PathsPruning(terminal, argument, findings)::of);
  }
}
