package org.starling.app;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Continues a run beyond its end. */
@Command(
    name = "extend",
    mixinStandardHelpOptions = true,
    description = {
      "Continue a run to a later end time.",
      "It stays on its device unless --device names another; the result then has the same bytes"
          + " as one long run."
    })
final class ExtendCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "DIR", description = "The run's directory.")
  private Path directory;

  @Option(names = "--t", required = true, paramLabel = "T", description = "The new end time.")
  private double end;

  @Mixin private DeviceOption device;
  @Mixin private RunOptions options;

  ExtendCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return new RunContinuation(terminal, device, options).go(directory, end);
  }
}
