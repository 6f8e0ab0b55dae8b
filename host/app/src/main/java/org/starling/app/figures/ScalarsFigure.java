package org.starling.app.figures;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.starling.app.figures.RunFiles.Series;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.experiment.ObservableSpec;

/** Interaction energy and number of clusters against time. */
final class ScalarsFigure implements Figure {
  private static final double TALL = 112;
  private static final double GAP = 14;

  @Override
  public String name() {
    return "energy-clusters";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    List<String> energy = named(run, "energy");
    List<String> clusters = named(run, "clusters");
    if (energy.isEmpty() && clusters.isEmpty()) {
      throw new MissingData(
          "the run observes neither energy nor clusters; add them to observe: in the experiment");
    }
    Axis time = run.timeAxis();
    double[] t = run.times();
    List<List<String>> panels = new ArrayList<>();
    for (List<String> names : List.of(energy, clusters)) {
      if (!names.isEmpty()) {
        panels.add(names);
      }
    }
    String title =
        panels.size() == 2
            ? "Interaction energy and number of clusters"
            : energy.isEmpty() ? "Number of clusters" : "Interaction energy";
    if (run.replicas() > 1) {
      title += ": mean over replicas, band from smallest to largest";
    }
    double height = panels.size() * (TALL + GAP) + 22;
    return new Drawing(
        title,
        height,
        (g, width) -> {
          for (int p = 0; p < panels.size(); p++) {
            boolean last = p == panels.size() - 1;
            Rectangle2D box =
                new Rectangle2D.Double(52, 6 + p * (TALL + GAP), width - 52 - 14, TALL);
            boolean counts = panels.get(p) == clusters;
            Panel panel = new Panel(g, box, time, values(run, panels.get(p), counts));
            for (int k = 0; k < panels.get(p).size(); k++) {
              Series series = run.series(panels.get(p).get(k));
              var colour = Palette.hue(k % Palette.hues());
              if (!series.single()) {
                panel.band(t, series.min(), series.max(), Palette.pale(colour, 0.75));
              }
              if (counts && series.single()) {
                panel.steps(t, series.mean(), colour, 1.2f);
              } else {
                panel.line(t, series.mean(), colour, 1.2f);
              }
              if (panels.get(p).size() > 1) {
                Panel.text(
                    g,
                    panels.get(p).get(k),
                    Panel.SMALL,
                    false,
                    colour,
                    box.getMaxX() - 5,
                    box.getY() + 10 + 9 * k,
                    1);
              }
            }
            panel.axes(last, true);
          }
        },
        List.of(
            table(run, t, Stream.concat(energy.stream(), clusters.stream()).toList()).file("")));
  }

  /** The observable of this name, or those of it with different thresholds. */
  private static List<String> named(RunFiles run, String name) {
    return run.scalars().stream().filter(s -> s.equals(name) || s.startsWith(name + "-")).toList();
  }

  private static Axis values(RunFiles run, List<String> names, boolean counts) {
    List<double[]> all = new ArrayList<>();
    for (String name : names) {
      all.add(run.series(name).min());
      all.add(run.series(name).max());
    }
    Axis fitted = Axis.fitting(counts ? clustersLabel(run) : "energy", counts ? 20 : 100, all);
    return counts && !fitted.log()
        ? Axis.linear(fitted.label(), 0, Math.max(2, fitted.high()))
        : fitted;
  }

  /** Says what a cluster is, where there is one threshold. */
  private static String clustersLabel(RunFiles run) {
    List<ObservableSpec.Clusters> all =
        run.experiment().observe().stream()
            .filter(ObservableSpec.Clusters.class::isInstance)
            .map(ObservableSpec.Clusters.class::cast)
            .toList();
    if (all.size() != 1) {
      return "clusters";
    }
    // A threshold such as 0.99999 must not be rounded to 1.
    String threshold = Double.toString(all.get(0).threshold());
    return all.get(0).linkage() == Linkage.COSINE
        ? "clusters (cosine > " + threshold + ")"
        : "clusters (distance < " + threshold + ")";
  }

  /** Scalars at every report; with replicas their mean, smallest and largest value. */
  static Table table(RunFiles run, double[] t, List<String> names) {
    List<String> columns = new ArrayList<>(List.of("t"));
    List<double[]> values = new ArrayList<>();
    for (String name : names) {
      Series s = run.series(name);
      values.add(s.mean());
      if (s.single()) {
        columns.add(name);
      } else {
        columns.addAll(List.of(name + "-mean", name + "-min", name + "-max"));
        values.add(s.min());
        values.add(s.max());
      }
    }
    Table table = new Table(columns.toArray(String[]::new));
    for (int k = 0; k < t.length; k++) {
      Object[] cells = new Object[columns.size()];
      cells[0] = t[k];
      for (int c = 0; c < values.size(); c++) {
        cells[c + 1] = values.get(c)[k];
      }
      table.row(cells);
    }
    return table;
  }
}
