package org.starling.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.starling.app.doctor.EnvironmentFault;
import org.starling.core.engine.EngineException;
import org.starling.core.experiment.ExperimentException;
import org.starling.core.store.StoreException;

/**
 * Turns whatever stops a command into a message and an exit code. What nobody foresaw becomes one
 * line and a file with the details.
 */
final class Failures {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private Failures() {}

  /** Says what happened and returns the exit code. */
  static int report(Throwable thrown, Terminal terminal) {
    if (thrown instanceof CommandException e) {
      terminal.say("starling: " + e.getMessage());
      return e.exitCode();
    }
    if (thrown instanceof ExperimentException e) {
      e.problems().forEach(p -> terminal.say(p.toString()));
      return ExitCode.USAGE;
    }
    if (thrown instanceof StoreException e) {
      terminal.say("starling: " + e.getMessage());
      return e.kind().exitCode();
    }
    if (thrown instanceof EngineException e) {
      terminal.say("starling: " + e.getMessage());
      return e.kind() == EngineException.Kind.REQUEST ? ExitCode.USAGE : ExitCode.ENVIRONMENT;
    }
    if (thrown instanceof FileSystemException e) {
      terminal.say(
          "starling: "
              + e.getFile()
              + ": "
              + (e.getReason() == null ? e.getClass().getSimpleName() : e.getReason())
              + ". Check the folder and its permissions; STARLING_HOME moves the program's own.");
      return ExitCode.ENVIRONMENT;
    }
    Optional<EnvironmentFault> fault = EnvironmentFault.behind(thrown);
    if (fault.isPresent()) {
      terminal.say("starling: " + fault.get().sentence() + details(thrown, terminal));
      return ExitCode.ENVIRONMENT;
    }
    terminal.say(
        "starling: an unforeseen failure: "
            + thrown
            + details(thrown, terminal)
            + " Please report it together with the output of `starling doctor`.");
    return ExitCode.ENVIRONMENT;
  }

  /** Writes the stack trace to a file and tells where; empty if that fails too. */
  private static String details(Throwable thrown, Terminal terminal) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    String text = "starling " + String.join(" ", terminal.commandLine()) + "\n\n" + trace;
    String name = "failure-" + STAMP.format(Instant.now()) + "-" + ProcessHandle.current().pid();
    for (Path folder :
        new Path[] {terminal.logs(), Path.of(System.getProperty("java.io.tmpdir"))}) {
      try {
        Files.createDirectories(folder);
        Path file = folder.resolve(name + ".log");
        Files.writeString(file, text, StandardCharsets.UTF_8);
        return " Details: " + file;
      } catch (IOException e) {
        // The next folder may do.
      }
    }
    return "";
  }
}
