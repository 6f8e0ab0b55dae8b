package org.starling.app.figures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Counts of several kinds as bars that lie one after the other, a row an ensemble. */
final class BarPanel {
  private static final double ROW = 22;
  private static final double LEGEND = 18;
  private static final double LEFT = 150;

  private BarPanel() {}

  static Figure.Drawing drawing(
      String title, List<String> kinds, List<String> names, List<double[]> counts) {
    Table table = new Table("part", "kind", "count");
    double largest = 1;
    for (int r = 0; r < names.size(); r++) {
      double sum = 0;
      for (int k = 0; k < kinds.size(); k++) {
        table.row(names.get(r), kinds.get(k), counts.get(r)[k]);
        sum += counts.get(r)[k];
      }
      largest = Math.max(largest, sum);
    }
    Axis x = Axis.linear("replicas", 0, largest);
    Axis y = Axis.linear("", 0, names.size());
    double tall = names.size() * ROW;
    return new Figure.Drawing(
        title,
        LEGEND + tall + 40,
        (g, width) -> {
          Rectangle2D box = new Rectangle2D.Double(LEFT, LEGEND, width - LEFT - 20, tall);
          Panel panel = new Panel(g, box, x, y);
          legend(g, kinds);
          for (int r = 0; r < names.size(); r++) {
            double top = LEGEND + r * ROW;
            Panel.text(
                g, names.get(r), Panel.TEXT, false, Palette.INK, LEFT - 6, top + ROW / 2 + 3, 1);
            double from = 0;
            for (int k = 0; k < kinds.size(); k++) {
              double to = from + counts.get(r)[k];
              g.setColor(colour(k));
              g.fill(
                  new Rectangle2D.Double(
                      panel.px(from), top + 4, panel.px(to) - panel.px(from), ROW - 8));
              from = to;
            }
          }
          panel.axes(true, false);
        },
        List.of(table.file("")));
  }

  private static void legend(Graphics2D g, List<String> kinds) {
    double at = 8;
    for (int k = 0; k < kinds.size(); k++) {
      g.setColor(colour(k));
      g.fill(new Rectangle2D.Double(at, 3, 8, 8));
      Panel.text(g, kinds.get(k), Panel.SMALL, false, Palette.INK, at + 11, 10, 0);
      at += 24 + Panel.width(kinds.get(k), Panel.SMALL);
    }
  }

  /** What agrees is green, at the second look pale; then grey, red and nearly white. */
  private static Color colour(int kind) {
    return List.of(
            Palette.hue(2),
            Palette.pale(Palette.hue(2), 0.5),
            Palette.HAIR,
            Palette.hue(1),
            Palette.EMPTY)
        .get(kind);
  }
}
