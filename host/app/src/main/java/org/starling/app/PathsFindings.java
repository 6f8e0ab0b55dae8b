package org.starling.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.starling.app.figures.PathFigures;
import org.starling.app.figures.PathFigures.Curve;
import org.starling.core.store.ElementType;
import org.starling.core.store.FileStore;
import org.starling.core.store.Npy;
import org.starling.paths.experiment.ResolvedPaths;
import org.starling.paths.run.PathRun;
import org.starling.paths.run.PathScene;
import org.starling.paths.run.PathStudies;
import org.starling.paths.run.PathStudies.Named;
import org.starling.paths.run.PointResult;
import org.starling.paths.theory.Alignment;
import org.starling.paths.theory.PathNetwork;
import org.starling.paths.theory.Prediction;

/** Tells what was found on attention paths: on the terminal, as tables, figures and a page. */
final class PathsFindings {
  /** Components of a kernel that are drawn. */
  private static final int COMPONENTS = 30;

  /** Paths beyond which a page does not print U. */
  private static final int PRINTED = 8;

  private final Terminal terminal;
  private final PathsArgument argument;
  private final ResolvedPaths resolved;

  PathsFindings(Terminal terminal, PathsArgument argument, ResolvedPaths resolved) {
    this.terminal = terminal;
    this.argument = argument;
    this.resolved = resolved;
  }

  // --- fit and sweep ---

  /** Writes {@code points.csv}, figures and {@code report.md}, and prints a table. */
  Map<String, Object> points(PathRun run, List<PointResult> points, Path directory) {
    write(points, directory);
    if (!argument.json()) {
      terminal.out().print(table(points));
      say(directory);
    }
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("points", points.stream().map(PointResult::facts).toList());
    return found;
  }

  /** Writes what every command leaves: {@code points.csv}, figures, {@code report.md}. */
  void write(List<PointResult> points, Path directory) {
    StringBuilder csv = new StringBuilder("seed,temperature,width,accuracy,bias,variance,");
    csv.append("diagonal_accuracy,limit_accuracy,action_per_width,energy,entropy,readout\n");
    for (PointResult p : points) {
      csv.append(p.point().seed()).append(',').append(p.point().network().temperature());
      csv.append(',').append(p.width());
      for (String key :
          List.of(
              "accuracy",
              "bias",
              "variance",
              "diagonal_accuracy",
              "limit_accuracy",
              "action_per_width",
              "energy",
              "entropy",
              "readout")) {
        csv.append(',').append(p.number(key));
      }
      csv.append('\n');
    }
    put(directory.resolve("points.csv"), csv.toString());
    List<String> figures = new ArrayList<>();
    if (argument.figures()) {
      draw(points, directory.resolve("figures"), figures);
    }
    put(directory.resolve("report.md"), page(points, figures));
  }

  void say(Path directory) {
    if (!argument.quiet()) {
      terminal.say("report, numbers, figures: " + directory);
    }
  }

  private static String table(List<PointResult> points) {
    StringBuilder s =
        new StringBuilder(
            "    N      T  seed  accuracy  diagonal  infinite N        F/N    U of paths\n");
    for (PointResult p : points) {
      s.append(
          String.format(
              Locale.ROOT,
              "%5d %6s %5d %8.1f%% %8.1f%% %10.1f%% %11.6f   %s%n",
              p.width(),
              p.point().network().temperature(),
              p.point().seed(),
              100 * p.number("accuracy"),
              100 * p.number("diagonal_accuracy"),
              100 * p.number("limit_accuracy"),
              p.number("action_per_width"),
              largest(p)));
    }
    return s.toString();
  }

  /** The paths of the largest entries on the diagonal of U. */
  private static String largest(PointResult p) {
    PathNetwork network = p.point().network();
    int n = network.paths();
    double[] u = p.parameters().first();
    List<Integer> order = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      order.add(k);
    }
    order.sort((a, b) -> Double.compare(u[b * n + b], u[a * n + a]));
    List<String> words = new ArrayList<>();
    for (int k = 0; k < Math.min(4, n); k++) {
      int path = order.get(k);
      words.add(
          String.format(
              Locale.ROOT, "%s: %.4g", PathStudies.name(network, path), u[path * n + path]));
    }
    return String.join(", ", words);
  }

  String caption(PathNetwork network) {
    return "heads "
        + network.heads()
        + " \u00b7 "
        + network.paths()
        + " paths \u00b7 run "
        + resolved.id();
  }

  private void draw(List<PointResult> points, Path folder, List<String> drawn) {
    PathFigures figures = new PathFigures(folder, caption(points.get(0).point().network()));
    Set<Integer> widths = new LinkedHashSet<>();
    Set<Double> temperatures = new LinkedHashSet<>();
    points.forEach(p -> widths.add(p.width()));
    points.forEach(p -> temperatures.add(p.point().network().temperature()));
    double[] x = widths.stream().mapToDouble(Integer::doubleValue).toArray();
    if (x.length > 1) {
      List<Curve> curves = new ArrayList<>();
      for (double t : temperatures) {
        String name = temperatures.size() == 1 ? "" : ", T = " + t;
        curves.add(curve("all paths" + name, "accuracy", points, x, t));
        curves.add(curve("diagonal of U" + name, "diagonal_accuracy", points, x, t));
        curves.add(curve("infinite N" + name, "limit_accuracy", points, x, t));
      }
      figures.curves("accuracy", "Test accuracy", "width N", "accuracy (%)", true, curves);
      drawn.add("accuracy");
    }
    List<String> titles = new ArrayList<>();
    List<double[][]> matrices = new ArrayList<>();
    int last = points.size() - 1;
    Set<Integer> shown = new LinkedHashSet<>(List.of(0, last / 3, last));
    for (int k : shown) {
      PointResult p = points.get(k);
      titles.add("N = " + p.width() + ", T = " + p.point().network().temperature());
      matrices.add(p.rows().toArray(double[][]::new));
    }
    figures.matrices("order-parameters", "Order parameters U of pairs of paths", titles, matrices);
    drawn.add("order-parameters");
  }

  private static Curve curve(
      String name, String key, List<PointResult> points, double[] x, double temperature) {
    Map<Long, double[]> rows = new LinkedHashMap<>();
    for (PointResult p : points) {
      if (p.point().network().temperature() == temperature) {
        double[] row = rows.computeIfAbsent(p.point().seed(), s -> new double[x.length]);
        for (int k = 0; k < x.length; k++) {
          row[k] = x[k] == p.width() ? 100 * p.number(key) : row[k];
        }
      }
    }
    return new Curve(name, x, rows.values().toArray(double[][]::new));
  }

  private String page(List<PointResult> points, List<String> figures) {
    PathNetwork network = points.get(0).point().network();
    StringBuilder s = new StringBuilder("# Attention paths: " + argument.name() + "\n\n");
    s.append("Run ").append(resolved.id()).append("; ").append(network.paths());
    s.append(" paths through heads ").append(network.heads());
    s.append(". A path is named by its heads, counted from 0, first layer first.\n\n");
    s.append("| N | T | seed | accuracy % | bias | variance | diagonal of U only % |");
    s.append(" infinite N % | F/N | U_a | largest paths |\n|---|---|---|---|---|---|---|---|");
    s.append("---|---|---|\n");
    for (PointResult p : points) {
      s.append(
          String.format(
              Locale.ROOT,
              "| %d | %s | %d | %.1f | %.4f | %.4f | %.1f | %.1f | %.6f | %.5f | %s |%n",
              p.width(),
              p.point().network().temperature(),
              p.point().seed(),
              100 * p.number("accuracy"),
              p.number("bias"),
              p.number("variance"),
              100 * p.number("diagonal_accuracy"),
              100 * p.number("limit_accuracy"),
              p.number("action_per_width"),
              p.number("readout"),
              largest(p)));
    }
    PointResult first = points.get(0);
    if (network.paths() <= PRINTED) {
      s.append("\n## U at N = ").append(first.width()).append("\n\n|  |");
      for (int p = 0; p < network.paths(); p++) {
        s.append(' ').append(PathStudies.name(network, p)).append(" |");
      }
      s.append("\n|---|").append("---|".repeat(network.paths())).append('\n');
      List<double[]> rows = first.rows();
      for (int p = 0; p < rows.size(); p++) {
        s.append("| ").append(PathStudies.name(network, p)).append(" |");
        for (double v : rows.get(p)) {
          s.append(String.format(Locale.ROOT, " %.5f |", v));
        }
        s.append('\n');
      }
    }
    s.append("\nU_pq is the mean overlap of the effective weights of the paths p and q; 1 at");
    s.append(" infinite width on the diagonal for unit variances, 0 off it. A path far above its");
    s.append(" value at infinite width is one that the network uses; a negative entry off the");
    s.append(" diagonal means that it subtracts one path from the other.\n\n");
    figures.forEach(
        f -> s.append("![").append(f).append("](figures/").append(f).append(".png)\n\n"));
    return s.toString();
  }

  // --- predictions ---

  /** Writes {@code predictions.csv}, {@code alignment.csv}, predictions as arrays, figures. */
  Map<String, Object> predictions(
      PathRun run, List<PointResult> points, Path directory, List<PathStudies.Selection> chosen) {
    write(points, directory);
    StringBuilder csv = new StringBuilder("seed,temperature,width,kernel,accuracy,bias,variance\n");
    StringBuilder spectra =
        new StringBuilder("seed,temperature,width,kernel,component,eigenvalue,overlap\n");
    List<Map<String, Object>> json = new ArrayList<>();
    List<Curve> overlaps = new ArrayList<>();
    for (PointResult point : points) {
      PathScene scene = run.scene(point.point().seed());
      List<Named> all = PathStudies.predictions(scene, point, chosen);
      List<Alignment> alignments = PathStudies.alignments(scene, point);
      String place =
          point.point().seed()
              + ","
              + point.point().network().temperature()
              + ","
              + point.width()
              + ",";
      if (!argument.json()) {
        terminal.out().printf(Locale.ROOT, "%s%n", heading(point, alignments));
      }
      for (Named named : all) {
        Prediction p = named.prediction();
        csv.append(place).append('"').append(named.name()).append("\",").append(p.accuracy());
        csv.append(',').append(p.bias()).append(',').append(p.meanVariance()).append('\n');
        json.add(facts(point, named));
        if (!argument.json()) {
          terminal
              .out()
              .printf(
                  Locale.ROOT,
                  "  %-58s accuracy %5.1f %%  bias %.4f  variance %.4f%n",
                  named.name(),
                  100 * p.accuracy(),
                  p.bias(),
                  p.meanVariance());
        }
      }
      Path arrays =
          directory.resolve(String.format(Locale.ROOT, "points/%04d", point.point().index()));
      for (int k = 0; k < 2; k++) {
        Alignment a = alignments.get(k);
        String kernel = k == 0 ? "all paths" : "infinite width";
        for (int i = 0; i < a.eigenvalues().length; i++) {
          spectra.append(place).append(kernel).append(',').append(i + 1).append(',');
          spectra.append(a.eigenvalues()[i]).append(',').append(a.overlaps()[i]).append('\n');
        }
        if (overlaps.size() < 2) {
          overlaps.add(overlap(k == 0 ? "N = " + point.width() : "infinite N", a));
        }
      }
      Npy.write(
          arrays.resolve("eigenvalues.npy"),
          ElementType.FLOAT64,
          alignments.get(0).eigenvalues(),
          alignments.get(0).eigenvalues().length);
    }
    put(directory.resolve("predictions.csv"), csv.toString());
    put(directory.resolve("alignment.csv"), spectra.toString());
    if (argument.figures()) {
      new PathFigures(directory.resolve("figures"), caption(points.get(0).point().network()))
          .curves(
              "alignment",
              "Overlap of the kernel's components with the labels",
              "component",
              "|u . Y| / \u221aP",
              false,
              overlaps);
    }
    say(directory);
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("predictions", json);
    return found;
  }

  private static String heading(PointResult point, List<Alignment> alignments) {
    return String.format(
        Locale.ROOT,
        "N = %d, T = %s, seed %d: cosine of kernel and task %.4f, at infinite width %.4f",
        point.width(),
        point.point().network().temperature(),
        point.point().seed(),
        alignments.get(0).cosine(),
        alignments.get(1).cosine());
  }

  private static Map<String, Object> facts(PointResult point, Named named) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("point", point.point().index());
    facts.put("kernel", named.name());
    facts.put("accuracy", named.prediction().accuracy());
    facts.put("bias", named.prediction().bias());
    facts.put("variance", named.prediction().meanVariance());
    return facts;
  }

  private static Curve overlap(String name, Alignment a) {
    int count = Math.min(COMPONENTS, a.overlaps().length);
    double[] x = new double[count];
    for (int k = 0; k < count; k++) {
      x[k] = k + 1;
    }
    return new Curve(name, x, new double[][] {java.util.Arrays.copyOf(a.overlaps(), count)});
  }

  static void put(Path file, String text) {
    FileStore.disk().replace(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
