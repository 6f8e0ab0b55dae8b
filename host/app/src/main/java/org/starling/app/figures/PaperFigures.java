package org.starling.app.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.app.figures.CurvePanel.Bundle;
import org.starling.app.figures.MapPanels.HeatMap;
import org.starling.app.figures.ScatterPanels.Scene;
import org.starling.app.figures.SpherePanels.Globe;
import org.starling.core.store.FileStore;

/** Figures in the papers' manner, from numbers that are at hand. */
public final class PaperFigures {
  private final Path folder;
  private final FigureWriter writer;

  /**
   * @param folder where {@code NAME.png}, {@code .svg} and {@code .csv} go
   * @param run whose settings stand below every title
   */
  public PaperFigures(Path folder, Path run) {
    this.folder = folder;
    this.writer = new FigureWriter(FigureOptions.defaults(), Caption.of(RunFiles.open(run)));
    FileStore.disk().createDirectories(folder);
  }

  /**
   * Curves of one run.
   *
   * @param q of each seed, {@code [seeds][points]}
   */
  public record Curves(String name, double[] x, double[][] q) {}

  /** Curves with bands over seeds; with points drawn too where they are few. */
  public void curves(
      String name,
      String title,
      String xLabel,
      String yLabel,
      boolean logX,
      boolean logY,
      boolean points,
      List<Curves> curves) {
    List<Bundle> bundles = new ArrayList<>();
    curves.forEach(c -> bundles.add(new Bundle(c.name(), c.x(), c.q())));
    write(name, CurvePanel.drawing(title, xLabel, yLabel, logX, logY, points, bundles));
  }

  /**
   * Counts of one row of bars.
   *
   * @param counts one a kind
   */
  public record Bar(String name, double[] counts) {}

  /** Counts of the kinds of agreement, a row of bars an ensemble. */
  public void bars(String name, String title, List<String> kinds, List<Bar> bars) {
    write(
        name,
        BarPanel.drawing(
            title,
            kinds,
            bars.stream().map(Bar::name).toList(),
            bars.stream().map(Bar::counts).toList()));
  }

  /**
   * Lifted angles against time, and where clusters merge.
   *
   * @param angles {@code [tokens][frames]}
   * @param merges places {@code [k][2]}: time, angle
   * @param tracks a row a cluster: id, birth, end, into, lifetime, tokens
   */
  public void lineage(
      String name,
      String title,
      double[] t,
      boolean logTime,
      double[][] angles,
      double[][] merges,
      List<Object[]> tracks) {
    write(name, LineagePanel.drawing(title, t, logTime, angles, merges, tracks));
  }

  /** A quantity over time and a parameter. */
  public void map(
      String name,
      String title,
      String what,
      double[] t,
      String parameter,
      double[] p,
      double[][] values) {
    double[] range = Axis.range(List.of(values));
    double low = range[0];
    double high = range[1];
    double half = p.length > 1 ? (p[p.length - 1] - p[0]) / (p.length - 1) / 2 : 0;
    HeatMap map =
        new HeatMap(
            what,
            Axis.linear("time t", t[0], t[t.length - 1]),
            Axis.linear(parameter, p[0] - half, p[p.length - 1] + half),
            values,
            t,
            p);
    write(name, MapPanels.drawing(title, what, low, high > low ? high : low + 1, List.of(map)));
  }

  /** Attention matrices, row i downwards. */
  public void matrices(String name, String title, List<String> titles, List<double[][]> matrices) {
    List<HeatMap> maps = new ArrayList<>();
    for (int k = 0; k < matrices.size(); k++) {
      int n = matrices.get(k).length;
      maps.add(
          new HeatMap(
              titles.get(k),
              Axis.linear("key j", 0, n),
              Axis.linear("query i", 0, n).downwards(),
              matrices.get(k)));
    }
    write(name, MapPanels.drawing(title, "weight", 0, 1, maps));
  }

  /**
   * Tokens in the plane.
   *
   * @param points {@code [n][2]}
   * @param leaders which are marked
   * @param outline corners of a closed polygon; empty for none
   * @param lines straight lines a x + b y = c as {@code [k][3]}
   */
  public record Plane(
      String title, double[][] points, boolean[] leaders, double[][] outline, double[][] lines) {}

  /** Tokens in the plane at a few times. */
  public void planes(String name, String title, String xLabel, String yLabel, List<Plane> planes) {
    List<Scene> scenes = new ArrayList<>();
    planes.forEach(
        p -> scenes.add(new Scene(p.title(), p.points(), p.leaders(), p.outline(), p.lines())));
    write(name, ScatterPanels.drawing(title, xLabel, yLabel, scenes));
  }

  /** Paths on the sphere or the circle. */
  public record Paths(String title, List<double[]> frames, int n, int d) {}

  /** Paths with their ends, a panel each. */
  public void spheres(String name, String title, List<Paths> paths) {
    List<Globe> globes = new ArrayList<>();
    paths.forEach(p -> globes.add(new Globe(p.title(), p.frames(), p.n(), p.d())));
    try {
      write(name, SpherePanels.drawing(title, globes));
    } catch (MissingData e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * One number of each token against time.
   *
   * @param values {@code [tokens][frames]}
   */
  public void lines(
      String name, String title, String label, double[] t, boolean logTime, double[][] values) {
    write(name, LinePanels.drawing(title, label, t, logTime, values));
  }

  private void write(String name, Figure.Drawing drawing) {
    FileStore store = FileStore.disk();
    store.replace(folder.resolve(name + ".png"), writer.png(drawing));
    store.replace(folder.resolve(name + ".svg"), writer.svg(drawing));
    for (DataFile data : drawing.data()) {
      store.replace(folder.resolve(name + data.suffix()), data.content());
    }
  }
}
