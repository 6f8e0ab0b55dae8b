package org.starling.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Goes on with an interrupted run. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description = {
      "Go on with an interrupted run from its last checkpoint.",
      "It stays on the device it began on unless --device names another; the result then has the"
          + " same bytes as without the interruption."
    })
final class ResumeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "DIR", description = "The run's directory.")
  private Path directory;

  @Mixin private DeviceOption device;
  @Mixin private RunOptions options;

  ResumeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return new RunContinuation(terminal, device, options).go(directory, null);
  }
}
