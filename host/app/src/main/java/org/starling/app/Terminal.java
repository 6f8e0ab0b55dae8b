package org.starling.app;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What surrounds a command: streams, environment variables, the folder it works in. Commands reach
 * the outside through it alone, so that they can be run in a test.
 *
 * @param out data
 * @param err progress and messages
 * @param interactive whether a person watches {@code err}, who likes a bar that moves
 * @param environment environment variables
 * @param directory working directory
 * @param interruption how a run is asked to stop
 * @param commandLine arguments as given, for the manifest
 */
public record Terminal(
    PrintStream out,
    PrintStream err,
    boolean interactive,
    Map<String, String> environment,
    Path directory,
    Interruption interruption,
    List<String> commandLine) {

  /** The terminal of this process. */
  static Terminal ofProcess(String[] commandLine) {
    return new Terminal(
        System.out,
        System.err,
        watched() && !"dumb".equals(System.getenv("TERM")),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        new Interruption(),
        List.of(commandLine));
  }

  /** Whether a person is at the other end; from Java 22 on a console exists even where none is. */
  private static boolean watched() {
    Object console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  void say(String message) {
    err.println(message);
  }

  /** A path as the person gave it, relative to the working directory. */
  Path resolve(Path path) {
    return directory.resolve(path).normalize();
  }

  /**
   * The folder of certificates, tunings and logs: {@code STARLING_HOME}, else {@code
   * XDG_DATA_HOME/starling}, else {@code ~/.local/share/starling}.
   */
  Path home() {
    String own = environment.get("STARLING_HOME");
    if (own != null && !own.isBlank()) {
      return directory.resolve(own).normalize();
    }
    String data = environment.get("XDG_DATA_HOME");
    if (data != null && !data.isBlank()) {
      return directory.resolve(data).resolve("starling").normalize();
    }
    return Path.of(System.getProperty("user.home"), ".local", "share", "starling");
  }

  Path certificates() {
    return home().resolve("certificates");
  }

  Path tunings() {
    return home().resolve("tuning");
  }

  Path logs() {
    return home().resolve("logs");
  }
}
