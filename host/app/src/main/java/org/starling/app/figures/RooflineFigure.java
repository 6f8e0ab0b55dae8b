package org.starling.app.figures;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.bench.BenchReport;
import org.starling.bench.Row;

/**
 * The roofline of a benchmark: rate against arithmetic intensity, below the device's memory and
 * arithmetic. Intensity counts the traffic that cannot be avoided, tokens read and field written
 * once (Williams, Waterman, Patterson 2009).
 */
public final class RooflineFigure {
  private static final double TALL = 250;

  /** A row with what the figure needs of it. */
  private record Point(String id, String kind, double intensity, double gflops) {}

  private RooflineFigure() {}

  /**
   * Writes {@code roofline.svg}, {@code roofline.png} and {@code roofline.csv}; nothing if the
   * report lacks the limits or has no row with a rate.
   */
  public static void write(BenchReport report, Path folder) throws IOException {
    double bandwidth = limit(report, "limit/single/triad");
    double single = limit(report, "limit/single/multiply-add");
    double inDouble = limit(report, "limit/double/multiply-add");
    List<Point> points = points(report);
    if (points.isEmpty() || Double.isNaN(bandwidth) || Double.isNaN(single)) {
      return;
    }
    Figure.Drawing drawing = drawing(points, bandwidth, single, inDouble);
    FigureWriter writer =
        new FigureWriter(FigureOptions.defaults(), caption(report.machine(), bandwidth, single));
    Files.write(folder.resolve("roofline.svg"), writer.svg(drawing));
    Files.write(folder.resolve("roofline.png"), writer.png(drawing));
    Files.write(folder.resolve("roofline.csv"), drawing.data().get(0).content());
  }

  private static double limit(BenchReport report, String id) {
    for (Row r : report.rows()) {
      if (r.id().equals(id)) {
        return r.value();
      }
    }
    return Double.NaN;
  }

  private static List<Point> points(BenchReport report) {
    List<Point> points = new ArrayList<>();
    for (Row r : report.rows()) {
      Map<String, Double> m = r.details();
      if (m.containsKey("flop") && m.containsKey("bytes") && m.containsKey("gflops")) {
        String[] parts = r.id().split("/");
        String kind =
            switch (parts[0]) {
              case "pairs" -> "tiny d, " + parts[1];
              case "state" -> "vector operations, single";
              default -> "attention, " + parts[1];
            };
        points.add(new Point(r.id(), kind, m.get("flop") / m.get("bytes"), m.get("gflops")));
      }
    }
    return points;
  }

  private static String caption(Map<String, Object> machine, double bandwidth, double single) {
    return machine.get("device")
        + " \u00b7 triad "
        + Axis.brief(bandwidth)
        + " GB/s \u00b7 multiply-adds in float32 "
        + Axis.brief(single)
        + " GF/s, measured in the same run";
  }

  private static Figure.Drawing drawing(
      List<Point> points, double bandwidth, double single, double inDouble) {
    Table table = new Table("row", "kind", "flop_per_byte", "gflops");
    List<double[]> intensities = new ArrayList<>();
    List<double[]> rates = new ArrayList<>();
    for (Point p : points) {
      table.row(p.id(), p.kind(), p.intensity(), p.gflops());
      intensities.add(new double[] {p.intensity()});
      rates.add(new double[] {p.gflops()});
    }
    // The ridge belongs into the picture even where no operation is near it.
    intensities.add(new double[] {0.1, single / bandwidth});
    rates.add(new double[] {0.1 * bandwidth, single});
    Axis x = Axis.fitting("flop per byte of unavoidable traffic", 1, intensities);
    Axis y = Axis.fitting("GF/s", 1, rates);
    List<String> kinds = points.stream().map(Point::kind).distinct().toList();
    return new Figure.Drawing(
        "What the device could do, and what the engine makes of it",
        TALL + 32,
        (g, width) -> {
          Rectangle2D box = new Rectangle2D.Double(52, 6, width - 52 - 14, TALL);
          Panel panel = new Panel(g, box, x, y);
          roof(panel, x, bandwidth, single, Palette.INK);
          if (!Double.isNaN(inDouble)) {
            roof(panel, x, bandwidth, inDouble, Palette.FAINT);
          }
          for (Point p : points) {
            panel.dot(p.intensity(), p.gflops(), 2.6, colour(kinds.indexOf(p.kind())));
          }
          panel.axes();
          for (int k = 0; k < kinds.size(); k++) {
            double at = box.getMaxY() - 10 - 10 * (kinds.size() - 1 - k);
            Panel.mark(g, box.getMaxX() - 120, at - 2.4, 2.6, colour(k));
            Panel.text(
                g, kinds.get(k), Panel.SMALL, false, Palette.INK, box.getMaxX() - 114, at, 0);
          }
          label(g, panel, x, single, "multiply-adds, float32", Palette.INK);
          if (!Double.isNaN(inDouble)) {
            label(g, panel, x, inDouble, "multiply-adds, float64", Palette.FAINT);
          }
        },
        List.of(table.file("")));
  }

  private static void roof(Panel panel, Axis x, double bandwidth, double peak, Color colour) {
    double ridge = peak / bandwidth;
    panel.line(
        new double[] {x.low(), ridge, x.high()},
        new double[] {x.low() * bandwidth, peak, peak},
        colour,
        1.2f);
  }

  private static void label(
      java.awt.Graphics2D g, Panel panel, Axis x, double peak, String text, Color colour) {
    Panel.text(g, text, Panel.SMALL, false, colour, panel.px(x.high()) - 4, panel.py(peak) - 3, 1);
  }

  private static Color colour(int kind) {
    return Palette.hue(kind % Palette.hues());
  }
}
