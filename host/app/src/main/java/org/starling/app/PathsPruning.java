package org.starling.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.app.figures.PathFigures;
import org.starling.app.figures.PathFigures.Curve;
import org.starling.paths.run.PathRun;
import org.starling.paths.run.PathStudies;
import org.starling.paths.run.PathStudies.Pruned;
import org.starling.paths.run.PointResult;
import org.starling.paths.theory.Heads;

/** Tells which heads can go. */
final class PathsPruning {
  private final Terminal terminal;
  private final PathsArgument argument;
  private final PathsFindings findings;

  PathsPruning(Terminal terminal, PathsArgument argument, PathsFindings findings) {
    this.terminal = terminal;
    this.argument = argument;
    this.findings = findings;
  }

  /** Writes {@code pruning.csv} and a figure. */
  Map<String, Object> of(PathRun run, List<PointResult> points, Path directory) {
    findings.write(points, directory);
    StringBuilder csv =
        new StringBuilder(
            "seed,temperature,width,pruned,layer,head,score,accuracy_alone,accuracy_together\n");
    List<Curve> curves = new ArrayList<>();
    List<Map<String, Object>> json = new ArrayList<>();
    for (PointResult point : points) {
      List<Pruned> all = PathStudies.pruning(run.scene(point.point().seed()), point);
      if (!argument.json()) {
        terminal
            .out()
            .printf(
                Locale.ROOT,
                "N = %d, T = %s, seed %d: accuracy %.1f %%%n",
                point.width(),
                point.point().network().temperature(),
                point.point().seed(),
                100 * all.get(0).together().accuracy());
      }
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      int gone = -1;
      for (Pruned step : all) {
        gone += step.together() == null ? 0 : 1;
        if (step.together() != null) {
          x.add((double) gone);
          y.add(100 * step.together().accuracy());
        }
        csv.append(point.point().seed()).append(',');
        csv.append(point.point().network().temperature()).append(',').append(point.width());
        csv.append(',').append(gone).append(',').append(columns(step)).append('\n');
        if (step.head() != null) {
          json.add(facts(point, step));
          if (!argument.json()) {
            terminal.out().println(line(step));
          }
        }
      }
      curves.add(
          new Curve(
              "N = " + point.width(),
              x.stream().mapToDouble(Double::doubleValue).toArray(),
              new double[][] {y.stream().mapToDouble(Double::doubleValue).toArray()}));
    }
    PathsFindings.put(directory.resolve("pruning.csv"), csv.toString());
    boolean some = curves.stream().anyMatch(c -> c.x().length > 1);
    if (argument.figures() && some) {
      new PathFigures(
              directory.resolve("figures"), findings.caption(points.get(0).point().network()))
          .curves(
              "pruning",
              "Accuracy with the heads of lowest score silenced",
              "heads silenced",
              "accuracy (%)",
              false,
              curves.subList(0, Math.min(6, curves.size())));
    }
    findings.say(directory);
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("heads", json);
    return found;
  }

  private static String columns(Pruned step) {
    Heads.Score h = step.head();
    return (h == null ? ",," : (h.layer() + 1) + "," + h.head() + "," + h.score())
        + ","
        + (step.alone() == null ? "" : step.alone().accuracy())
        + ","
        + (step.together() == null ? "" : step.together().accuracy());
  }

  private static String line(Pruned step) {
    Heads.Score h = step.head();
    String alone =
        step.alone() == null
            ? "the only one of its layer"
            : String.format(
                Locale.ROOT, "without it alone %5.1f %%", 100 * step.alone().accuracy());
    String together =
        step.together() == null
            ? "stays"
            : String.format(
                Locale.ROOT, "with all before it %5.1f %%", 100 * step.together().accuracy());
    return String.format(
        Locale.ROOT, "  %-18s score %.4f  %s  %s", h.name(), h.score(), alone, together);
  }

  private static Map<String, Object> facts(PointResult point, Pruned step) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("point", point.point().index());
    facts.put("layer", step.head().layer() + 1);
    facts.put("head", step.head().head());
    facts.put("score", step.head().score());
    facts.put("accuracy_alone", step.alone() == null ? null : (Object) step.alone().accuracy());
    facts.put(
        "accuracy_together", step.together() == null ? null : (Object) step.together().accuracy());
    return facts;
  }
}
