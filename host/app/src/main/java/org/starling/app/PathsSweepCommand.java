package org.starling.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Order parameters over widths, temperatures and seeds. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Find the order parameters over widths, temperatures and seeds, each from its neighbour.",
      "A sweep that was interrupted goes on where it was; a finished one is not computed again."
    })
final class PathsSweepCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private PathsArgument argument;
  @Mixin private DeviceOption device;

  PathsSweepCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PathsSession session = new PathsSession(terminal, argument, device);
    if (session.resolved().experiment().sweep().isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          argument.name()
              + " has no sweep: add sweep: {width: [10, 100, 1000]}, or use `starling paths fit`");
    }
    return session.run(new PathsFindings(terminal, argument, session.resolved())::points);
  }
}
