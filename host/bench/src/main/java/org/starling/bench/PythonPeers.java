package org.starling.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.core.store.ElementType;
import org.starling.core.store.Json;
import org.starling.core.store.Npy;

/**
 * NumPy, PyTorch and OpenBLAS in a Python process beside this one, which computes on the same
 * tokens (as .npy files) and answers with its own times. Between calls it waits.
 */
final class PythonPeers implements AutoCloseable {
  /** Environment variable that names the interpreter to use. */
  static final String VARIABLE = "STARLING_PYTHON";

  /** BLAS threads spin for a while after a product; nothing is timed until they sleep. */
  private static final long SETTLE_NANOS = 60_000_000;

  private final Path folder;
  private final Process process;
  private final Writer to;
  private final BufferedReader from;
  private final Map<String, Object> about;
  private final String unavailable;

  private PythonPeers(Path folder, Process process, Map<String, Object> about, String unavailable) {
    this.folder = folder;
    this.process = process;
    this.to = process == null ? null : process.outputWriter(StandardCharsets.UTF_8);
    this.from =
        process == null
            ? null
            : new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.about = about;
    this.unavailable = unavailable;
  }

  /**
   * Starts the first interpreter that has NumPy: the one named by {@link #VARIABLE}, the path's
   * {@code python3}, Debian's. Where none has it, the result says so for every peer.
   */
  static PythonPeers start() {
    List<List<String>> interpreters = new ArrayList<>();
    String named = System.getenv(VARIABLE);
    if (named != null && !named.isBlank()) {
      interpreters.add(List.of(named));
    }
    interpreters.add(List.of("/usr/bin/env", "python3"));
    interpreters.add(List.of("/usr/bin/python3"));
    List<String> why = new ArrayList<>();
    try {
      Path folder = Files.createTempDirectory("starling-peers");
      Path script = folder.resolve("peers.py");
      try (InputStream in = PythonPeers.class.getResourceAsStream("peers.py")) {
        Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
      }
      for (List<String> interpreter : interpreters) {
        PythonPeers started = start(folder, interpreter, script, why);
        if (started != null) {
          return started;
        }
      }
      return new PythonPeers(
          folder,
          null,
          Map.of(),
          "no Python with NumPy ("
              + String.join("; ", why)
              + "); Debian: apt-get install python3-numpy, or name one with "
              + VARIABLE);
    } catch (IOException e) {
      throw new UncheckedIOException("the peers' folder cannot be written", e);
    }
  }

  private static PythonPeers start(
      Path folder, List<String> interpreter, Path script, List<String> why) {
    List<String> command = new ArrayList<>(interpreter);
    command.add(script.toString());
    String name = String.join(" ", interpreter);
    Process process;
    try {
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectError(folder.resolve("errors.txt").toFile());
      // OpenBLAS threads spin for 2^28 cycles after a product, into what is timed next; 2^24 is
      // still longer than any pause inside a product.
      builder.environment().putIfAbsent("OPENBLAS_THREAD_TIMEOUT", "24");
      process = builder.start();
    } catch (IOException e) {
      why.add(name + ": " + e.getMessage());
      return null;
    }
    PythonPeers peers = new PythonPeers(folder, process, new LinkedHashMap<>(), null);
    try {
      peers.about.putAll(peers.ask(Map.of("way", "about")));
      return peers;
    } catch (IOException e) {
      process.destroy();
      why.add(name + ": " + lastError(folder));
      return null;
    }
  }

  private static String lastError(Path folder) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("errors.txt"), StandardCharsets.UTF_8);
      return lines.isEmpty() ? "ended without an answer" : lines.get(lines.size() - 1);
    } catch (IOException e) {
      return "ended without an answer";
    }
  }

  /** Interpreter, versions, BLAS library. */
  Map<String, Object> about() {
    return about;
  }

  /** Why a peer cannot be measured, or null. */
  String unavailable(String way) {
    if (unavailable != null) {
      return unavailable;
    }
    return about.get("missing") instanceof Map<?, ?> m && m.get(way) instanceof String s ? s : null;
  }

  /** One evaluation by a peer, to be timed beside others; timed by the peer itself. */
  Lap.Timed operation(String way, Shape shape, double beta, boolean causal, Precision precision) {
    Map<String, Object> request = request(way, shape, beta, causal, precision);
    return () -> {
      Map<String, Object> answer = answer(way, request);
      LockSupport.parkNanos(SETTLE_NANOS);
      return new Lap(Json.number(answer.get("wall")), Json.number(answer.get("cpu")));
    };
  }

  /** The velocity by a peer, {@code [n][d]}. */
  double[] velocity(String way, Shape shape, double beta, boolean causal, Precision precision) {
    Map<String, Object> request = request(way, shape, beta, causal, precision);
    Path file = folder.resolve("v.npy");
    request.put("save", file.toString());
    answer(way, request);
    return Npy.read(file).doubles();
  }

  private Map<String, Object> request(
      String way, Shape shape, double beta, boolean causal, Precision precision) {
    Path tokens = folder.resolve("x-" + shape.n() + "x" + shape.d() + ".npy");
    if (!Files.exists(tokens)) {
      Npy.write(tokens, ElementType.FLOAT64, Scene.positions(shape), shape.n(), shape.d());
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("way", way);
    request.put("x", tokens.toString());
    request.put("type", precision == Precision.DOUBLE ? "float64" : "float32");
    request.put("beta", beta);
    request.put("causal", causal);
    return request;
  }

  private Map<String, Object> answer(String way, Map<String, Object> request) {
    try {
      return ask(request);
    } catch (IOException e) {
      throw new UncheckedIOException("the peer " + way + " failed: " + e.getMessage(), e);
    }
  }

  private Map<String, Object> ask(Map<String, Object> request) throws IOException {
    to.write(new String(Json.line(request), StandardCharsets.UTF_8));
    to.flush();
    String line = from.readLine();
    if (line == null) {
      throw new IOException(lastError(folder));
    }
    Map<String, Object> answer =
        Json.read(line.getBytes(StandardCharsets.UTF_8), "a peer's answer");
    if (answer.get("error") instanceof String error) {
      throw new IOException(error);
    }
    return answer;
  }

  @Override
  public void close() {
    if (process != null) {
      try {
        to.close();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (IOException e) {
        process.destroyForcibly();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path f : files.toList()) {
        Files.delete(f);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // What is left in the temporary folder is the system's to remove.
      folder.toFile().deleteOnExit();
    }
  }
}
