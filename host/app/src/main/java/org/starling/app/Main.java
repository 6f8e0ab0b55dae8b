package org.starling.app;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.starling.core.engine.Storage;
import org.starling.core.model.Precision;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of the program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Terminal terminal = Terminal.ofProcess(args);
    terminal.interruption().install();
    int code = ExitCode.ENVIRONMENT;
    try {
      code = execute(terminal);
    } finally {
      // Whatever happens, nobody may wait for this command any more.
      terminal.interruption().finished(code);
    }
    System.exit(code);
  }

  /** Runs one command line and returns its exit code. */
  public static int execute(Terminal terminal) {
    CommandLine line = new CommandLine(new Starling(), new CommandFactory(terminal));
    line.setOut(writer(terminal.out()));
    line.setErr(writer(terminal.err()));
    line.registerConverter(Precision.class, Main::precision);
    line.registerConverter(Storage.class, Main::storage);
    line.setParameterExceptionHandler(Main::usageError);
    line.setExecutionExceptionHandler((e, command, parsed) -> Failures.report(e, terminal));
    try {
      return line.execute(terminal.commandLine().toArray(String[]::new));
    } catch (Error e) {
      // picocli passes exceptions to its handler, errors it lets through.
      return Failures.report(e, terminal);
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  private static Precision precision(String word) {
    for (Precision p : Precision.values()) {
      if (Specification.word(p).equalsIgnoreCase(word)) {
        return p;
      }
    }
    throw new TypeConversionException("write single, mixed or double, not " + word);
  }

  private static Storage storage(String word) {
    for (Storage s : Storage.values()) {
      if (Specification.word(s).equalsIgnoreCase(word)) {
        return s;
      }
    }
    throw new TypeConversionException("write full or half, not " + word);
  }

  private static String unmatched(ParameterException e) {
    return ((UnmatchedArgumentException) e).getUnmatched().get(0);
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private static int usageError(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    boolean command =
        e instanceof UnmatchedArgumentException && e.getCommandLine().getParent() == null;
    err.println("starling: " + (command ? "there is no command " + unmatched(e) : e.getMessage()));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("See `" + e.getCommandLine().getCommandSpec().qualifiedName(" ") + " --help`.");
    return ExitCode.USAGE;
  }
}
