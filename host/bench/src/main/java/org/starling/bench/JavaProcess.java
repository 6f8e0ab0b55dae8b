package org.starling.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The other end of {@link JavaPasses}. */
final class JavaProcess implements AutoCloseable {
  private static final String VECTORS = "jdk.incubator.vector";

  private final Process process;
  private final Writer to;
  private final BufferedReader from;
  private final String loops;

  /** Whether this Java runtime has the Vector API. */
  static boolean hasVectors() {
    return ModuleFinder.ofSystem().find(VECTORS).isPresent();
  }

  /**
   * @param vectors whether the process may use the Vector API
   */
  JavaProcess(int n, int d, boolean vectors) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseParallelGC");
    if (vectors) {
      command.add("--add-modules");
      command.add(VECTORS);
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(JavaPasses.class.getName());
    command.add(Integer.toString(n));
    command.add(Integer.toString(d));
    try {
      // Errors go nowhere: a JVM warns there that the Vector API is an incubator.
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      to = process.outputWriter(StandardCharsets.UTF_8);
      from =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      loops = line();
    } catch (IOException e) {
      throw new UncheckedIOException("a process with the engine java cannot be started", e);
    }
  }

  /** What the engine says of its loops. */
  String loops() {
    return loops;
  }

  /** One pass. */
  Lap pass() {
    try {
      to.write("pass\n");
      to.flush();
      String[] seconds = line().split(" ");
      return new Lap(Double.parseDouble(seconds[0]), Double.parseDouble(seconds[1]));
    } catch (IOException e) {
      throw new UncheckedIOException("the process with the engine java failed", e);
    }
  }

  private String line() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IOException("the process with the engine java ended without an answer");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
