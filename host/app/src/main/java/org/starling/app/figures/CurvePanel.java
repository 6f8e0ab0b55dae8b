package org.starling.app.figures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Curves with a band from the tenth to the ninetieth percentile, and a range that is expected. */
final class CurvePanel {
  private static final double TALL = 190;

  private CurvePanel() {}

  /**
   * A bundle of curves over one axis.
   *
   * @param q of each seed, {@code [seeds][points]}; NaN where there is none
   */
  record Bundle(String name, double[] x, double[][] q) {
    double[] quantile(double p) {
      double[] all = new double[x.length];
      for (int k = 0; k < x.length; k++) {
        int at = k;
        double[] values =
            Arrays.stream(q).mapToDouble(s -> s[at]).filter(Double::isFinite).sorted().toArray();
        all[k] = Double.NaN;
        if (values.length > 0) {
          double place = p * (values.length - 1);
          int low = (int) place;
          int high = Math.min(low + 1, values.length - 1);
          all[k] = values[low] + (place - low) * (values[high] - values[low]);
        }
      }
      return all;
    }

    double[] mean() {
      double[] all = new double[x.length];
      for (int k = 0; k < x.length; k++) {
        int at = k;
        all[k] =
            Arrays.stream(q)
                .mapToDouble(s -> s[at])
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
      }
      return all;
    }
  }

  /** Places on a logarithmic axis must be positive. */
  private static double[] positive(double[] values, boolean log) {
    return log ? Arrays.stream(values).map(v -> v > 0 ? v : Double.NaN).toArray() : values;
  }

  private static Axis axis(String label, boolean log, List<double[]> values) {
    double[] range = Axis.range(values);
    double low = range[0];
    double high = range[1];
    if (log && low > 0 && high > low) {
      return new Axis(label, Math.max(low, high * 1e-18) / 1.3, high * 1.3, true);
    }
    return Axis.around(label, low, high);
  }

  static Figure.Drawing drawing(
      String title,
      String xLabel,
      String yLabel,
      boolean logX,
      boolean logY,
      boolean points,
      List<Bundle> bundles) {
    List<double[]> xs = new ArrayList<>();
    List<double[]> ys = new ArrayList<>();
    for (Bundle b : bundles) {
      xs.add(positive(b.x(), logX));
      ys.add(positive(b.quantile(0.1), logY));
      ys.add(positive(b.quantile(0.9), logY));
      ys.add(positive(b.mean(), logY));
    }
    Axis x = spanned(xLabel, logX, xs);
    Axis y = axis(yLabel, logY, ys);
    Table table = new Table("run", xLabel.replace(' ', '_'), "mean", "p10", "median", "p90");
    for (Bundle b : bundles) {
      double[][] stats = {b.mean(), b.quantile(0.1), b.quantile(0.5), b.quantile(0.9)};
      for (int k = 0; k < b.x().length; k++) {
        table.row(b.name(), b.x()[k], stats[0][k], stats[1][k], stats[2][k], stats[3][k]);
      }
    }
    return new Figure.Drawing(
        title,
        TALL + 44,
        (g, width) -> {
          Rectangle2D box = new Rectangle2D.Double(56, 14, width - 56 - 96, TALL);
          Panel panel = new Panel(g, box, x, y);
          for (int k = 0; k < bundles.size(); k++) {
            Bundle b = bundles.get(k);
            if (b.q().length > 1) {
              panel.band(
                  positive(b.x(), logX),
                  positive(b.quantile(0.1), logY),
                  positive(b.quantile(0.9), logY),
                  Palette.pale(Palette.hue(k % Palette.hues()), 0.78));
            }
          }
          for (int k = 0; k < bundles.size(); k++) {
            Bundle b = bundles.get(k);
            Color colour = Palette.hue(k % Palette.hues());
            double[] px = positive(b.x(), logX);
            double[] py = positive(b.mean(), logY);
            panel.line(px, py, colour, 1.3f);
            for (int p = 0; points && p < px.length; p++) {
              panel.dot(px[p], py[p], 2, colour);
            }
          }
          panel.axes();
          legend(g, box, bundles);
        },
        List.of(table.file("")));
  }

  private static Axis spanned(String label, boolean log, List<double[]> xs) {
    double[] range = Axis.range(xs);
    return range[0] < range[1]
        ? new Axis(label, range[0], range[1], log)
        : Axis.around(label, range[0], range[1]);
  }

  private static void legend(Graphics2D g, Rectangle2D box, List<Bundle> bundles) {
    double at = box.getMaxX() + 8;
    double line = box.getY() + 8;
    for (int k = 0; k < bundles.size(); k++) {
      Color colour = Palette.hue(k % Palette.hues());
      Panel.text(g, bundles.get(k).name(), Panel.TEXT, false, colour, at, line, 0);
      line += 11;
    }
    boolean seeds = bundles.stream().anyMatch(b -> b.q().length > 1);
    if (seeds) {
      Panel.text(g, "line: mean", Panel.SMALL, false, Palette.FAINT, at, line + 4, 0);
      Panel.text(g, "band: 10 to 90 %", Panel.SMALL, false, Palette.FAINT, at, line + 13, 0);
      Panel.text(g, "of seeds", Panel.SMALL, false, Palette.FAINT, at, line + 22, 0);
    }
  }
}
