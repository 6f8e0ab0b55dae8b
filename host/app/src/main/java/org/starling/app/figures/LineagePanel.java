package org.starling.app.figures;

import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.List;

/** Lifted angles of tokens against time, with the places where their clusters merge. */
final class LineagePanel {
  private static final double TALL = 230;

  private LineagePanel() {}

  /**
   * @param t times; those that are not positive are left out on a logarithmic axis
   * @param angles {@code [tokens][frames]}
   * @param merges places {@code [k][2]}: time, angle
   * @param tracks a row a cluster for the table: id, birth, end, into, lifetime, tokens
   */
  static Figure.Drawing drawing(
      String title,
      double[] t,
      boolean logTime,
      double[][] angles,
      double[][] merges,
      List<Object[]> tracks) {
    double[] shown = Arrays.stream(t).map(v -> logTime && !(v > 0) ? Double.NaN : v).toArray();
    double[] range = Axis.range(List.of(shown));
    Axis x = new Axis("time t", range[0], range[1], logTime);
    Axis y = Axis.fitting("lifted angle", Double.POSITIVE_INFINITY, List.of(angles));
    Table table = new Table("track", "birth", "end", "merged_into", "lifetime", "tokens");
    tracks.forEach(table::row);
    return new Figure.Drawing(
        title,
        TALL + 44,
        (g, width) -> {
          Panel panel = new Panel(g, new Rectangle2D.Double(56, 14, width - 74, TALL), x, y);
          for (int i = 0; i < angles.length; i++) {
            double part = angles.length == 1 ? 0 : 0.93 * i / (angles.length - 1);
            panel.line(shown, angles[i], Palette.map(part), 0.8f);
          }
          for (double[] merge : merges) {
            if (!logTime || merge[0] > 0) {
              panel.dot(merge[0], merge[1], 2, Palette.hue(1));
            }
          }
          panel.axes();
        },
        List.of(table.file("")));
  }
}
