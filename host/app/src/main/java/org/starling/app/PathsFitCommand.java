package org.starling.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Order parameters of one network. */
@Command(
    name = "fit",
    mixinStandardHelpOptions = true,
    description = {
      "Find the order parameters of a network: the least action over positive-definite U.",
      "Leaves points.jsonl, U and predictions as .npy, figures and report.html."
    })
final class PathsFitCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private PathsArgument argument;
  @Mixin private DeviceOption device;

  PathsFitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PathsSession session = new PathsSession(terminal, argument, device);
    if (!session.resolved().experiment().sweep().isEmpty()) {
      throw new CommandException(
          ExitCode.USAGE,
          argument.name()
              + " has a sweep: use `starling paths sweep`, or end it with --set sweep=null");
    }
    return session.run(new PathsFindings(terminal, argument, session.resolved())::points);
  }
}
