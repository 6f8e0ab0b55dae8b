package org.starling.system.figures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starling.system.figures.DrawnRun.column;
import static org.starling.system.figures.DrawnRun.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.app.figures.AttentionSource;
import org.starling.app.figures.FigureOptions;
import org.starling.app.figures.FigureReport;
import org.starling.app.figures.FigureReport.Skipped;
import org.starling.app.figures.Figures;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.observe.Observers;
import org.starling.core.run.OutputTimes;
import org.starling.core.store.Npy;
import org.starling.core.store.NpyArray;
import org.starling.core.store.StoreException;
import org.starling.core.store.TrajectoryReader;
import org.starling.cpu.reference.ReferenceEngine;

/** What figures show is what the run holds. */
final class FiguresTest {
  private static final int N = 12;
  private static final double BETA = 4;
  private static final String SPHERE =
      "model: {geometry: sphere, beta: 4, V: {diag: [1, 0.5, -0.25]}}\n"
          + "tokens: {n: 12, d: 3, replicas: %d}\n"
          + "integrator: {method: rk4, dt: 0.1}\n"
          + "stop: {t: 10}\n"
          + "observe: [energy, {clusters: {cosine: 0.99}}, inner-products, effective-rank, norms]\n"
          + "save: {log: {from: 0.1, count: 15}, trajectory: true}\n"
          + "seed: 5\n";

  @TempDir Path temp;

  private Path sphere(int replicas) {
    return DrawnRun.make(
        temp,
        String.format(SPHERE, replicas),
        OutputTimes.logSpaced(0.1, 10, 15),
        Observers.named("energy"),
        Observers.clusters(Linkage.COSINE, 0.99, ""),
        Observers.innerProducts(64),
        Observers.named("effective-rank"),
        Observers.named("norms"));
  }

  private static FigureReport draw(Path run, FigureOptions options) {
    try (ReferenceEngine engine = new ReferenceEngine()) {
      return Figures.draw(run, options.withAttention(AttentionSource.of(engine)));
    }
  }

  private static FigureOptions small() {
    return FigureOptions.defaults().withSize(7.1, 90);
  }

  @Test
  void everyFigureHasAPictureAVectorPictureAndItsData() throws IOException {
    Path run = sphere(1);
    FigureReport report = draw(run, small());
    assertEquals(List.of(), report.skipped());
    for (String name :
        List.of(
            "tokens",
            "energy-clusters",
            "observables",
            "inner-products",
            "attention",
            "spectrum")) {
      Path base = run.resolve("figures").resolve(name);
      for (String ending : List.of(".png", ".svg", ".csv")) {
        assertTrue(report.written().contains(Path.of(base + ending)), name + ending);
      }
      Pictures.assertDrawn(Path.of(base + ".png"), 639);
      String text = Pictures.textOf(Path.of(base + ".svg"));
      for (String part : List.of("n = 12, d = 3, \u03b2 = 4", "full mask", "engine reference")) {
        assertTrue(text.contains(part), name + ": no '" + part + "' in " + text);
      }
    }
    for (Path file : report.written()) {
      assertTrue(Files.size(file) > 0, file.toString());
    }
  }

  @Test
  void theSameRunGivesTheSameBytes() throws IOException {
    Path run = sphere(1);
    draw(run, small());
    Map<String, String> first = contents(run);
    draw(run, small());
    assertEquals(first, contents(run));
  }

  private static Map<String, String> contents(Path run) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (var list = Files.list(run.resolve("figures"))) {
      for (Path p : list.collect(Collectors.toList())) {
        all.put(p.getFileName().toString(), java.util.Arrays.toString(Files.readAllBytes(p)));
      }
    }
    return all;
  }

  @Test
  void tokensAreThoseOfTheFrames() throws IOException {
    Path run = sphere(1);
    FigureReport report = draw(run, small().withTimes(List.of(10.0, 0.0, 0.9)));
    TrajectoryReader frames = TrajectoryReader.open(run);
    List<String[]> tokens = table(run.resolve("figures/tokens.csv"));
    assertEquals(3 * N, tokens.size() - 1, report.toString());
    double[] t = column(tokens, "t");
    int near = (int) Math.round(7 * Math.log(9) / Math.log(10)) + 1;
    int[] expected = {0, near, frames.frames() - 1};
    for (int k = 0; k < 3; k++) {
      assertEquals(frames.time(expected[k]), t[k * N]);
      double[] x = frames.frame(expected[k]);
      for (int i = 0; i < N; i++) {
        for (int a = 0; a < 3; a++) {
          assertEquals(x[3 * i + a], column(tokens, "x" + (a + 1))[k * N + i]);
        }
      }
    }
    double[] across = column(tokens, "across");
    double[] up = column(tokens, "up");
    double[] near1 = column(tokens, "towards_reader");
    for (int k = 0; k < across.length; k++) {
      double norm = across[k] * across[k] + up[k] * up[k] + near1[k] * near1[k];
      assertEquals(1, norm, 1e-9, "the view is a rotation, row " + k);
    }
  }

  @Test
  void energyAndInnerProductsAreThoseOfTheTokens() throws IOException {
    Path run = sphere(1);
    draw(run, small());
    TrajectoryReader frames = TrajectoryReader.open(run);
    List<String[]> scalars = table(run.resolve("figures/energy-clusters.csv"));
    double[] energy = column(scalars, "energy");
    assertEquals(frames.frames(), energy.length);
    List<String[]> histogram = table(run.resolve("figures/inner-products.csv"));
    for (int f = 0; f < energy.length; f++) {
      double[] x = frames.frame(f);
      double sum = 0;
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
          sum += Math.exp(BETA * (dot(x, i, j) - 1));
        }
      }
      assertEquals(sum / (N * N), energy[f], 1e-12, "frame " + f);
    }
    // A logarithmic axis has no place for t = 0.
    assertEquals(frames.frames() - 1, histogram.size() - 1);
    for (String[] row : histogram.subList(1, histogram.size())) {
      long pairs = 0;
      for (int c = 4; c < row.length; c++) {
        pairs += Long.parseLong(row[c]);
      }
      assertEquals(N * (N - 1), pairs, "at t = " + row[0]);
    }
  }

  private static double dot(double[] x, int i, int j) {
    return x[3 * i] * x[3 * j] + x[3 * i + 1] * x[3 * j + 1] + x[3 * i + 2] * x[3 * j + 2];
  }

  @Test
  void attentionIsTheSoftmaxOfTheScores() throws IOException {
    Path run = sphere(1);
    draw(run, small().withAttentionTimes(List.of(0.0)));
    NpyArray all = Npy.read(run.resolve("figures/attention.npy"));
    assertArrayEquals(new int[] {1, N, N}, all.shape());
    double[] w = all.doubles();
    double[] x = TrajectoryReader.open(run).frame(0);
    for (int i = 0; i < N; i++) {
      double sum = 0;
      for (int j = 0; j < N; j++) {
        sum += Math.exp(BETA * dot(x, i, j));
      }
      for (int j = 0; j < N; j++) {
        assertEquals(Math.exp(BETA * dot(x, i, j)) / sum, w[i * N + j], 1e-6, i + ", " + j);
      }
    }
    assertEquals(N, column(table(run.resolve("figures/attention.csv")), "rank")[0]);
  }

  @Test
  void tokensInOnePlaceHaveAttentionOfRankOne() throws IOException {
    Path run =
        DrawnRun.make(
            temp,
            "model: {beta: 1}\ntokens: {n: 9, d: 3}\nintegrator: {method: rk4, dt: 0.1}\n"
                + "stop: {t: 60}\nsave: {every: 60}\nobserve: []\nseed: 2\n",
            OutputTimes.every(60));
    draw(run, small());
    double[] rank = column(table(run.resolve("figures/attention.csv")), "rank");
    assertEquals(2, rank.length);
    assertTrue(rank[0] > 1, "rank " + rank[0] + " at the start");
    assertEquals(1, rank[1]);
  }

  @Test
  void theSpectrumIsThatOfV() throws IOException {
    Path run = sphere(1);
    draw(run, small());
    List<String[]> spectrum = table(run.resolve("figures/spectrum.csv"));
    double[] re = column(spectrum, "re");
    java.util.Arrays.sort(re);
    assertArrayEquals(new double[] {-0.25, 0.5, 1}, re);
    assertArrayEquals(new double[3], column(spectrum, "im"));
    assertArrayEquals(new double[] {-0.25, 0.5, 1}, column(spectrum, "symmetric_part"));
  }

  @Test
  void replicasAreSummarised() throws IOException {
    Path run = sphere(3);
    FigureReport report = draw(run, small());
    assertEquals(List.of(), report.skipped());
    List<String[]> scalars = table(run.resolve("figures/energy-clusters.csv"));
    double[] saved = Npy.read(run.resolve("observables/energy.npy")).doubles();
    for (int k = 0; k < scalars.size() - 1; k++) {
      double[] three = java.util.Arrays.copyOfRange(saved, 3 * k, 3 * k + 3);
      java.util.Arrays.sort(three);
      assertEquals(three[0], column(scalars, "energy-min")[k]);
      assertEquals(three[2], column(scalars, "energy-max")[k]);
      assertEquals((three[0] + three[1] + three[2]) / 3, column(scalars, "energy-mean")[k], 1e-14);
    }
    // Tokens are those of the first replica.
    List<String[]> tokens = table(run.resolve("figures/tokens.csv"));
    assertEquals(TrajectoryReader.open(run).frame(0)[0], column(tokens, "x1")[0]);
    assertEquals(6 * N, tokens.size() - 1);
  }

  @Test
  void whatARunDoesNotHoldIsSaid() throws IOException {
    Path run =
        DrawnRun.make(
            temp,
            "tokens: {n: 5, d: 2}\nstop: {t: 1}\nobserve: []\nsave: {every: 0.5, trajectory: false}\n",
            OutputTimes.every(0.5));
    Files.createDirectories(run.resolve("figures"));
    Files.writeString(run.resolve("figures/tokens.png"), "of an earlier run");
    Files.writeString(run.resolve("figures/tokens-mine.csv"), "not ours");
    Map<String, String> reasons =
        Figures.draw(run, small()).skipped().stream()
            .collect(Collectors.toMap(Skipped::figure, Skipped::reason));
    assertEquals(
        "[attention, energy-clusters, inner-products, observables, tokens]",
        new TreeMap<>(reasons).keySet().toString());
    assertTrue(reasons.get("tokens").contains("save.trajectory=true"), reasons.toString());
    assertTrue(reasons.get("inner-products").contains("add it to observe"), reasons.toString());
    assertFalse(Files.exists(run.resolve("figures/tokens.png")), "an old figure was left");
    assertTrue(Files.exists(run.resolve("figures/tokens-mine.csv")));
    assertTrue(Files.exists(run.resolve("figures/spectrum.svg")));
  }

  @Test
  void timesOutsideTheRunAndNoRunAreRefused() {
    Path run = sphere(1);
    Skipped tokens = draw(run, small().withTimes(List.of(11.0))).skipped().get(0);
    assertTrue(tokens.reason().contains("from 0 to 10"), tokens.toString());
    StoreException none = assertThrows(StoreException.class, () -> Figures.draw(temp, small()));
    assertTrue(none.getMessage().contains("not the directory of a run"), none.getMessage());
  }

  @ParameterizedTest(name = "{0}, d = {1}, n = {2}")
  @CsvSource({
    "sphere, 2, 20",
    "sphere, 3, 1500",
    "sphere, 6, 20",
    "euclidean, 1, 20",
    "euclidean, 2, 20",
    "euclidean, 3, 4500",
    "rescaled, 2, 20",
    "rescaled, 5, 20",
    "sphere, 3, 1"
  })
  void tokensOfEveryGeometryAreDrawn(String geometry, int d, int n) throws IOException {
    Path run =
        DrawnRun.make(
            temp,
            "model: {geometry: "
                + geometry
                + "}\ntokens: {n: "
                + n
                + ", d: "
                + d
                + "}\n"
                + "integrator: {method: euler, dt: 0.1}\nstop: {t: 0.1}\nobserve: []\n"
                + "save: {every: 1, trajectory: true}\n",
            OutputTimes.every(1));
    FigureReport report = Figures.draw(run, small());
    Path png = run.resolve("figures/tokens.png");
    assertTrue(report.written().contains(png), report.toString());
    Pictures.assertDrawn(png, 639);
    Path svg = run.resolve("figures/tokens.svg");
    assertFalse(Pictures.textOf(svg).isEmpty());
    assertTrue(Files.size(svg) < 2_000_000, Files.size(svg) + " bytes");
    // Thousands of dots are one image a panel, not thousands of shapes.
    String picture = Files.readString(svg);
    assertEquals(n > 1000, picture.contains("data:image/png"), n + " tokens");
    int dots = picture.split("<circle").length - 1;
    assertTrue(n > 1000 ? dots < 20 : dots >= 2 * (n - 1), dots + " circles");
    // Of very many tokens every k-th is shown, here the second.
    int shown = n > 4000 ? n / 2 : n;
    assertEquals(2 * shown, table(run.resolve("figures/tokens.csv")).size() - 1);
    boolean fitted = d > 3 || d == 3 && !geometry.equals("sphere");
    assertEquals(fitted, Files.exists(run.resolve("figures/tokens-axes.csv")));
    if (fitted) {
      double[] part = column(table(run.resolve("figures/tokens-variance.csv")), "part_of_variance");
      assertTrue(part[0] >= part[1] && part[1] > 0 && part[0] + part[1] <= 1 + 1e-12);
    }
    Skipped attention =
        report.skipped().stream()
            .filter(s -> s.figure().equals("attention"))
            .findFirst()
            .orElseThrow();
    assertTrue(attention.reason().contains(n > 1000 ? "up to 1000" : "engine"), attention.reason());
  }
}
