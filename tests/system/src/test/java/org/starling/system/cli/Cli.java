package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.starling.app.Interruption;
import org.starling.app.Main;
import org.starling.app.Terminal;

/** Runs command lines in a folder of their own: in this JVM, or as a process that can be killed. */
final class Cli {
  private final Path folder;
  private final Map<String, String> environment = new TreeMap<>();
  private Interruption interruption = new Interruption();

  Cli(Path folder) {
    this.folder = folder;
    environment.put("STARLING_HOME", folder.resolve("home").toString());
    String cache = System.getenv("POCL_CACHE_DIR");
    if (cache != null) {
      environment.put("POCL_CACHE_DIR", cache);
    }
  }

  /** What a command left. */
  record Result(int exit, String out, String err) {
    Result expect(int code) {
      assertEquals(code, exit, () -> "exit code; standard output:\n" + out + "\nerrors:\n" + err);
      return this;
    }
  }

  Cli with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Cli with(Interruption how) {
    interruption = how;
    return this;
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            environment,
            folder,
            interruption,
            List.of(args));
    int exit = Main.execute(terminal);
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The same as a process of its own; its output goes to files in the folder. */
  Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Xshare:auto");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("org.starling.app.Main");
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectOutput(folder.resolve("process.out").toFile());
    builder.redirectError(folder.resolve("process.err").toFile());
    return builder.start();
  }

  /** Everything that a run promises to leave the same however it was interrupted. */
  static Map<String, String> promised(Path run) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String part : List.of("traj", "observables", "scalars.jsonl", "final.npy")) {
      Path p = run.resolve(part);
      if (Files.isDirectory(p)) {
        try (Stream<Path> list = Files.walk(p)) {
          for (Path f : list.filter(Files::isRegularFile).toList()) {
            files.put(run.relativize(f).toString(), hex(f));
          }
        }
      } else if (!part.equals("traj") || Files.exists(p)) {
        files.put(part, hex(p));
      }
    }
    return files;
  }

  private static String hex(Path file) throws IOException {
    return Files.size(file) + " bytes, hash " + Arrays.hashCode(Files.readAllBytes(file));
  }

  /** Copies a file of a solver case into the folder; false if the case does not have it. */
  boolean copyCase(String name, String file) throws IOException {
    try (InputStream in = Cli.class.getResourceAsStream("/solver-cases/" + name + "/" + file)) {
      if (in == null) {
        return false;
      }
      Files.write(folder.resolve(file), in.readAllBytes());
      return true;
    }
  }
}
