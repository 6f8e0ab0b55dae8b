package org.starling.app.figures;

import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

/** Heat maps side by side: a quantity over two axes, or matrices. */
final class MapPanels {
  /** Pixels along an axis whose values are not equally spaced. */
  private static final int FINE = 600;

  private MapPanels() {}

  /**
   * One map.
   *
   * @param values {@code [rows][columns]}, the first row at the lower end unless the vertical axis
   *     is reversed
   * @param columns places of the columns on the horizontal axis, ascending; null where all have the
   *     same width
   * @param rows places of the rows on the vertical axis, likewise
   */
  record HeatMap(String title, Axis x, Axis y, double[][] values, double[] columns, double[] rows) {
    HeatMap(String title, Axis x, Axis y, double[][] values) {
      this(title, x, y, values, null, null);
    }
  }

  static Figure.Drawing drawing(
      String title, String what, double low, double high, List<HeatMap> maps) {
    int columns = Math.min(maps.size(), 3);
    int rows = (maps.size() + columns - 1) / columns;
    Axis colours = Axis.linear(what, low, high);
    Table table = new Table("panel", "row", "column", "value");
    for (int m = 0; m < maps.size(); m++) {
      double[][] v = maps.get(m).values();
      for (int r = 0; r < v.length; r++) {
        for (int c = 0; c < v[r].length; c++) {
          table.row(m, r, c, v[r][c]);
        }
      }
    }
    double widest = 7.1 * 72;
    double side = Math.min(170, (widest - 50 - ColourBar.ROOM - (columns - 1) * 40) / columns);
    return new Figure.Drawing(
        title,
        rows * (side + 40),
        (g, width) -> {
          Rectangle2D box = null;
          for (int m = 0; m < maps.size(); m++) {
            HeatMap map = maps.get(m);
            box =
                new Rectangle2D.Double(
                    46 + m % columns * (side + 40), 14 + m / columns * (side + 40), side, side);
            Panel panel = new Panel(g, box, map.x(), map.y());
            panel.image(image(map, colours));
            panel.title(map.title());
            panel.axes();
          }
          ColourBar.draw(g, box, colours);
        },
        List.of(table.file("")));
  }

  /** Which of some places is nearest to the middle of each of so many pixels of an axis. */
  private static int[] nearest(Axis axis, double[] places, int pixels) {
    int[] chosen = new int[pixels];
    for (int p = 0; p < pixels; p++) {
      double at = axis.low() + (p + 0.5) / pixels * (axis.high() - axis.low());
      for (int k = 1; k < places.length; k++) {
        if (Math.abs(places[k] - at) < Math.abs(places[chosen[p]] - at)) {
          chosen[p] = k;
        }
      }
    }
    return chosen;
  }

  /** The map with cells of the same size, cells between uneven places repeated. */
  private static HeatMap even(HeatMap map) {
    if (map.columns() == null) {
      return map;
    }
    int[] c = nearest(map.x(), map.columns(), FINE);
    int[] r = nearest(map.y(), map.rows(), FINE);
    double[][] values = new double[FINE][FINE];
    for (int i = 0; i < FINE; i++) {
      for (int j = 0; j < FINE; j++) {
        values[i][j] = map.values()[r[i]][c[j]];
      }
    }
    return new HeatMap(map.title(), map.x(), map.y(), values);
  }

  private static BufferedImage image(HeatMap given, Axis colours) {
    HeatMap map = even(given);
    int rows = map.values().length;
    int columns = map.values()[0].length;
    BufferedImage image = new BufferedImage(columns, rows, BufferedImage.TYPE_INT_RGB);
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) {
        double v = map.values()[r][c];
        int at = map.y().reversed() ? r : rows - 1 - r;
        image.setRGB(
            c, at, Double.isFinite(v) ? Palette.rgb(colours.fraction(v)) : Palette.EMPTY.getRGB());
      }
    }
    return image;
  }
}
