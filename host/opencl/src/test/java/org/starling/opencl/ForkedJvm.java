package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in another JVM, with another environment. */
final class ForkedJvm {
  private static final int SECONDS = 300;

  private ForkedJvm() {}

  /** Its output, standard and error together; fails on another exit code than 0. */
  static String run(
      Class<?> main, Path folder, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("STARLING_CACHE", folder.resolve("cache").toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return fail(
          main.getName() + " took more than " + SECONDS + " s: " + Files.readString(output));
    }
    String said = Files.readString(output);
    assertEquals(0, process.exitValue(), said);
    return said;
  }
}
