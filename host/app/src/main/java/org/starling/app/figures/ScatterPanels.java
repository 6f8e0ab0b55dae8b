package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Tokens in the plane at a few times, with a polygon or lines drawn below and some marked. */
final class ScatterPanels {
  private ScatterPanels() {}

  /**
   * One panel.
   *
   * @param points {@code [n][2]}
   * @param marked which are drawn as leaders
   * @param outline corners of a closed polygon in order, {@code [k][2]}; empty for none
   * @param lines straight lines a x + b y = c as {@code [k][3]}
   */
  record Scene(
      String title, double[][] points, boolean[] marked, double[][] outline, double[][] lines) {}

  static Figure.Drawing drawing(String title, String xLabel, String yLabel, List<Scene> scenes) {
    int columns = Math.min(3, scenes.size());
    int rows = (scenes.size() + columns - 1) / columns;
    double side = Math.min(190, (7.1 * 72 - 20 - columns * 36) / columns);
    Table table = new Table("panel", "token", "x", "y", "marked");
    for (int k = 0; k < scenes.size(); k++) {
      Scene s = scenes.get(k);
      for (int i = 0; i < s.points().length; i++) {
        table.row(k, i, s.points()[i][0], s.points()[i][1], s.marked()[i] ? 1 : 0);
      }
    }
    return new Figure.Drawing(
        title,
        rows * (side + 36) + 6,
        (g, width) -> {
          for (int k = 0; k < scenes.size(); k++) {
            Rectangle2D box =
                new Rectangle2D.Double(
                    36 + k % columns * (side + 36), 14 + k / columns * (side + 36), side, side);
            paint(g, box, xLabel, yLabel, scenes.get(k));
          }
        },
        List.of(table.file("")));
  }

  private static void paint(
      Graphics2D g, Rectangle2D box, String xLabel, String yLabel, Scene scene) {
    double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
    double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (double[] p : scene.points()) {
      for (int a = 0; a < 2; a++) {
        low[a] = Math.min(low[a], p[a]);
        high[a] = Math.max(high[a], p[a]);
      }
    }
    Axis x = Axis.around(xLabel, low[0], high[0]);
    Axis y = Axis.around(yLabel, low[1], high[1]);
    Panel panel = new Panel(g, box, x, y);
    panel.title(scene.title());
    java.awt.Shape clip = g.getClip();
    g.clip(box);
    if (scene.outline().length > 1) {
      Path2D polygon = new Path2D.Double();
      for (int k = 0; k < scene.outline().length; k++) {
        double px = panel.px(scene.outline()[k][0]);
        double py = panel.py(scene.outline()[k][1]);
        if (k == 0) {
          polygon.moveTo(px, py);
        } else {
          polygon.lineTo(px, py);
        }
      }
      polygon.closePath();
      g.setColor(Palette.pale(Palette.hue(0), 0.88));
      g.fill(polygon);
      g.setColor(Palette.hue(0));
      g.setStroke(new BasicStroke(0.9f));
      g.draw(polygon);
    }
    g.setColor(Palette.hue(2));
    g.setStroke(new BasicStroke(0.9f));
    for (double[] l : scene.lines()) {
      line(g, panel, x, y, l);
    }
    g.setClip(clip);
    for (int i = 0; i < scene.points().length; i++) {
      if (!scene.marked()[i]) {
        panel.dot(scene.points()[i][0], scene.points()[i][1], 2.1, Palette.hue(5));
      }
    }
    for (int i = 0; i < scene.points().length; i++) {
      if (scene.marked()[i]) {
        panel.dot(scene.points()[i][0], scene.points()[i][1], 3.2, Palette.hue(1));
      }
    }
    panel.axes();
  }

  /** a x + b y = c across the whole panel. */
  private static void line(Graphics2D g, Panel panel, Axis x, Axis y, double[] l) {
    boolean steep = Math.abs(l[0]) * (y.high() - y.low()) > Math.abs(l[1]) * (x.high() - x.low());
    double[][] ends = new double[2][];
    for (int k = 0; k < 2; k++) {
      double along = steep ? (k == 0 ? y.low() : y.high()) : (k == 0 ? x.low() : x.high());
      double other = steep ? (l[2] - l[1] * along) / l[0] : (l[2] - l[0] * along) / l[1];
      ends[k] = steep ? new double[] {other, along} : new double[] {along, other};
    }
    g.draw(
        new Line2D.Double(
            panel.px(ends[0][0]),
            panel.py(ends[0][1]),
            panel.px(ends[1][0]),
            panel.py(ends[1][1])));
  }
}
