package org.starling.app;

import java.util.concurrent.Callable;
import org.starling.core.experiment.ExperimentSchema;
import picocli.CommandLine.Command;

/** Prints the JSON Schema of experiment files. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Print the JSON Schema of experiment files, for editors.")
final class SchemaCommand implements Callable<Integer> {
  private final Terminal terminal;

  SchemaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().println(ExperimentSchema.text().stripTrailing());
    return ExitCode.DONE;
  }
}
