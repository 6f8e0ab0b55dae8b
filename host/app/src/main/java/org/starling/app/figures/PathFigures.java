package org.starling.app.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.starling.app.figures.CurvePanel.Bundle;
import org.starling.app.figures.MapPanels.HeatMap;
import org.starling.core.store.FileStore;

/** Figures of runs on attention paths, each as PNG and SVG with its numbers as CSV. */
public final class PathFigures {
  private final Path folder;
  private final FigureWriter writer;

  /**
   * @param folder where the files go
   * @param caption below every title
   */
  public PathFigures(Path folder, String caption) {
    this.folder = folder;
    this.writer = new FigureWriter(FigureOptions.defaults(), caption);
    FileStore.disk().createDirectories(folder);
  }

  /**
   * A curve.
   *
   * @param y of each seed, {@code [seeds][points]}
   */
  public record Curve(String name, double[] x, double[][] y) {}

  /** Curves over one axis. */
  public void curves(
      String name, String title, String xLabel, String yLabel, boolean logX, List<Curve> curves) {
    List<Bundle> bundles = new ArrayList<>();
    curves.forEach(c -> bundles.add(new Bundle(c.name(), c.x(), c.y())));
    write(name, CurvePanel.drawing(title, xLabel, yLabel, logX, false, true, bundles));
  }

  /**
   * Matrices over pairs of paths on one scale of colours.
   *
   * @param matrices each {@code [n][n]}
   */
  public void matrices(String name, String title, List<String> titles, List<double[][]> matrices) {
    List<double[]> all = new ArrayList<>();
    matrices.forEach(m -> all.addAll(List.of(m)));
    double[] range = Axis.range(all);
    List<HeatMap> maps = new ArrayList<>();
    for (int k = 0; k < matrices.size(); k++) {
      int n = matrices.get(k).length;
      maps.add(
          new HeatMap(
              titles.get(k),
              Axis.linear("path", 0, n),
              Axis.linear("path", 0, n).downwards(),
              matrices.get(k)));
    }
    double high = range[1] > range[0] ? range[1] : range[0] + 1;
    write(name, MapPanels.drawing(title, "U", range[0], high, maps));
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
