package org.starling.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.starling.core.engine.DeviceInfo;

/**
 * What a configuration's kernels cost a process that meets them for the first time: built with
 * every cache empty (cold), and taken from the caches (warm). Each time in a process of its own.
 */
final class CompileCase implements Case {
  /** Variables that move the caches of this program and of the drivers. */
  private static final List<String> CACHES =
      List.of(
          "STARLING_CACHE",
          "POCL_CACHE_DIR",
          "CUDA_CACHE_PATH",
          "NEO_CACHE_DIR",
          "MESA_SHADER_CACHE_DIR");

  private static final int WARM_STARTS = 5;
  private static final long PATIENCE_SECONDS = 120;

  private final int n;
  private final int d;

  CompileCase(int n, int d) {
    this.n = n;
    this.d = d;
  }

  @Override
  public List<String> ids() {
    return List.of("compile/cold/" + n + "x" + d, "compile/warm/" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    String cold = "kernels of a configuration, built";
    String warm = "kernels of a configuration, cached";
    DeviceInfo device = shop.subjects().device();
    if (!device.engine().equals("opencl")) {
      String why = "the engine " + device.engine() + " builds no kernels";
      return List.of(Row.skipped(ids().get(0), cold, why), Row.skipped(ids().get(1), warm, why));
    }
    Path caches = null;
    try {
      caches = Files.createTempDirectory("starling-cold");
      double[] first = start(device, caches);
      double[] warmly = new double[WARM_STARTS];
      for (int k = 0; k < WARM_STARTS; k++) {
        warmly[k] = start(device, caches)[0];
      }
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("open_seconds", first[1]);
      return List.of(
          Row.measured(
              ids().get(0),
              cold,
              "s",
              new double[] {first[0]},
              Goal.atMost(3),
              "one cold start",
              m),
          Row.measured(ids().get(1), warm, "s", warmly, Goal.atMost(0.3), "", Map.of()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      remove(caches);
    }
  }

  /** Seconds that the first pass took longer than the second, and seconds of the opening. */
  private double[] start(DeviceInfo device, Path caches) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xshare:auto");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ColdStart.class.getName());
    command.addAll(List.of(device.engine(), device.id(), Integer.toString(n), Integer.toString(d)));
    ProcessBuilder builder = new ProcessBuilder(command);
    CACHES.forEach(variable -> builder.environment().put(variable, caches.toString()));
    Path errors = caches.resolve("errors.txt");
    builder.redirectError(errors.toFile());
    Process process = builder.start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "a cold start of " + device.id() + " failed: " + Files.readString(errors).strip());
      }
      String[] seconds = out.strip().split(" ");
      return new double[] {
        Double.parseDouble(seconds[1]) - Double.parseDouble(seconds[2]),
        Double.parseDouble(seconds[0])
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for a cold start", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static void remove(Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path f : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(f);
      }
    } catch (IOException e) {
      // What is left in the temporary folder is the system's to remove.
      folder.toFile().deleteOnExit();
    }
  }
}
