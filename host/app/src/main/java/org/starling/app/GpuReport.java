package org.starling.app;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.store.Json;

/**
 * Everything that one wants to know of a device that is lent for minutes: what it is, whether it
 * computes rightly, good tile sizes, speeds, and a long causal run whose velocities and observables
 * are compared with the CPU engines. Each stage is a command of this program with a time limit;
 * what it prints goes to a file of the folder.
 */
final class GpuReport {
  /** Parts of the time for verify, tune, bench, run and comparison; the rest is slack. */
  private static final double VERIFY = 0.30;

  private static final double TUNE = 0.12;
  private static final double BENCH = 0.28;
  private static final double RUN = 0.12;
  private static final double COMPARE = 0.12;

  private final Terminal terminal;
  private final String device;
  private final Path folder;
  private final double seconds;
  private final List<Map<String, Object>> stages = new ArrayList<>();
  private int worst;

  /**
   * The causal run.
   *
   * @param n tokens
   * @param d dimension
   * @param steps fixed steps
   */
  record Size(int n, int d, int steps) {
    /** Reads {@code 8192x256x200}. */
    static Size of(String text) {
      String[] parts = text.split("x");
      try {
        if (parts.length == 3) {
          Size s =
              new Size(
                  Integer.parseInt(parts[0]),
                  Integer.parseInt(parts[1]),
                  Integer.parseInt(parts[2]));
          if (s.n > 1 && s.d > 0 && s.steps >= 4) {
            return s;
          }
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw new CommandException(
          ExitCode.USAGE,
          "the run of the report is written as TOKENSxDIMENSIONxSTEPS with at least 4 steps, for"
              + " instance 8192x256x200, not "
              + text);
    }
  }

  /**
   * @param device id of the device
   * @param seconds for everything
   */
  GpuReport(Terminal terminal, String device, Path folder, double seconds) {
    this.terminal = terminal;
    this.device = device;
    this.folder = folder;
    this.seconds = seconds;
  }

  /**
   * Makes the report.
   *
   * @param quick whether bench is to be quick
   * @param only parts of the bench rows to measure; empty for all
   */
  int make(Size size, boolean quick, List<String> only) throws IOException {
    long start = System.nanoTime();
    Files.createDirectories(folder);
    stage("devices", "devices");
    stage("doctor", "doctor");
    stage("verify", "verify", "--device", device, "--quiet", "--limit", limit(VERIFY));
    stage("tune", "tune", "--device", device, "--quiet", "--limit", limit(TUNE));
    List<String> bench =
        new ArrayList<>(List.of("bench", "--device", device, "--quiet", "--limit", limit(BENCH)));
    bench.addAll(List.of("--out", folder.resolve("bench").toString()));
    if (quick) {
      bench.add("--quick");
    }
    if (!only.isEmpty()) {
      bench.addAll(List.of("--only", String.join(",", only)));
    }
    stage("bench", bench.toArray(String[]::new));
    run(size);
    compare();
    write((System.nanoTime() - start) * 1e-9);
    return worst;
  }

  private String limit(double part) {
    return String.format(Locale.ROOT, "%.0f", Math.max(1, part * seconds));
  }

  private void run(Size size) throws IOException {
    Path experiment = folder.resolve("causal.yaml");
    double dt = 0.05;
    double end = dt * size.steps();
    Files.writeString(
        experiment,
        "model: {geometry: sphere, mask: causal, beta: 4}\n"
            + String.format(Locale.ROOT, "tokens: {n: %d, d: %d}%n", size.n(), size.d())
            + String.format(Locale.ROOT, "integrator: {method: euler, dt: %s}%n", dt)
            + String.format(Locale.ROOT, "stop: {t: %s}%n", end)
            + "observe: [energy, order-parameter, inner-products, attention-entropy]\n"
            + String.format(Locale.ROOT, "save: {every: %s}%n", end / 4)
            + String.format(
                Locale.ROOT, "check: {every: %d, rows: 48}%n", Math.max(1, size.steps() / 10))
            + "seed: 1\n",
        StandardCharsets.UTF_8);
    stage(
        "run",
        "run",
        experiment.toString(),
        "--device",
        device,
        "--out",
        folder.resolve("causal").toString(),
        "--force",
        "--no-figures",
        "--walltime",
        limit(RUN) + "s");
  }

  private void compare() throws IOException {
    long start = System.nanoTime();
    FrameComparison comparison = new FrameComparison(folder.resolve("causal"));
    String text;
    int code;
    try {
      FrameComparison.Result r = comparison.onTheProcessor(COMPARE * seconds);
      text = r.text();
      code = r.agree() ? ExitCode.DONE : ExitCode.NUMERICAL;
      Files.write(folder.resolve("compare.json"), Json.document(r.asMap()));
    } catch (RuntimeException e) {
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      code = Failures.report(e, with(new PrintStream(said, true, StandardCharsets.UTF_8)));
      text = said.toString(StandardCharsets.UTF_8);
    }
    Files.writeString(folder.resolve("compare.txt"), text, StandardCharsets.UTF_8);
    ended("compare", code, start);
  }

  /** Runs a command of this program into files. */
  private void stage(String name, String... command) throws IOException {
    long start = System.nanoTime();
    int code;
    try (OutputStream out = Files.newOutputStream(folder.resolve(name + ".txt"));
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      code = Main.execute(with(print, command));
    }
    ended(name, code, start);
  }

  private Terminal with(PrintStream print, String... command) {
    return new Terminal(
        print,
        print,
        false,
        terminal.environment(),
        terminal.directory(),
        terminal.interruption(),
        List.of(command));
  }

  private void ended(String name, int code, long start) {
    double took = (System.nanoTime() - start) * 1e-9;
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("stage", name);
    m.put("exit_code", code);
    m.put("seconds", took);
    m.put("file", name + ".txt");
    stages.add(m);
    worst = Math.max(worst, code);
    terminal.say(
        String.format(
            Locale.ROOT,
            "%-8s %6.1f s  %s",
            name,
            took,
            code == 0 ? "good" : "exit code " + code + ", see " + folder.resolve(name + ".txt")));
  }

  private void write(double took) throws IOException {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("format", "starling-gpu-report/1");
    m.put("device", device);
    m.put("version", new Version().version());
    m.put("commit", new Version().commit());
    m.put("seconds", took);
    m.put("seconds_allowed", seconds);
    m.put("stages", stages);
    Files.write(folder.resolve("report.json"), Json.document(m));
    terminal.out().println("report in " + folder);
  }
}
