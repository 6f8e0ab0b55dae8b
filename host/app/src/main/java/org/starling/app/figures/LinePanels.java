package org.starling.app.figures;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;

/** One number of each token against time. */
final class LinePanels {
  private static final double TALL = 200;

  private LinePanels() {}

  /**
   * @param values {@code [tokens][frames]}
   */
  static Figure.Drawing drawing(
      String title, String label, double[] t, boolean logTime, double[][] values) {
    List<double[]> all = new ArrayList<>(List.of(values));
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double v : t) {
      if (!logTime || v > 0) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    }
    Axis x = new Axis("time t", low, high, logTime);
    Axis y = Axis.fitting(label, Double.POSITIVE_INFINITY, all);
    Table table = new Table("t", "token", "value");
    for (int i = 0; i < values.length; i++) {
      for (int k = 0; k < t.length; k++) {
        table.row(t[k], i, values[i][k]);
      }
    }
    return new Figure.Drawing(
        title,
        TALL + 44,
        (g, width) -> {
          Panel panel = new Panel(g, new Rectangle2D.Double(52, 14, width - 70, TALL), x, y);
          for (int i = values.length - 1; i >= 0; i--) {
            panel.line(
                t,
                values[i],
                i == 0
                    ? Palette.hue(1)
                    : Palette.map(values.length == 1 ? 0 : 0.93 * i / (values.length - 1)),
                i == 0 ? 1.4f : 0.7f);
          }
          panel.axes();
        },
        List.of(table.file("")));
  }
}
