package org.starling.app.figures;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import org.starling.app.figures.RunFiles.Series;
import org.starling.core.model.Geometry;

/** Histogram of pairwise inner products against time. */
final class InnerProductsFigure implements Figure {
  private static final String OBSERVABLE = "inner-products";

  /** Columns of the image. */
  private static final int COLUMNS = 1000;

  private static final double TALL = 200;

  @Override
  public String name() {
    return OBSERVABLE;
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    ReportedArray histogram = run.array(OBSERVABLE + "-histogram");
    if (histogram == null) {
      throw new MissingData(
          "the run does not observe inner-products; add it to observe: in the experiment");
    }
    Axis time = run.timeAxis();
    double[] t = run.times();
    int bins = histogram.length();
    int[] shown = shown(time, t, histogram.entries());
    List<Integer> distinct = new ArrayList<>();
    List<long[]> counts = new ArrayList<>();
    long most = 1;
    for (int report : shown) {
      if (distinct.isEmpty() || distinct.get(distinct.size() - 1) != report) {
        distinct.add(report);
        counts.add(total(histogram.entry(report), bins));
        for (long c : counts.get(counts.size() - 1)) {
          most = Math.max(most, c);
        }
      }
    }
    Axis colours = new Axis("ordered pairs in a bin", 1, Math.max(2, most), true);
    BufferedImage image = image(shown, distinct, counts, bins, colours);
    Series mean = run.series(OBSERVABLE + "-mean");
    boolean sphere = run.experiment().model().geometry() == Geometry.SPHERE;
    String what =
        sphere ? "inner product \u27e8x\u1d62, x\u2c7c\u27e9" : "cosine of x\u1d62, x\u2c7c";
    return new Drawing(
        (sphere ? "Pairwise inner products" : "Pairwise cosines")
            + " (i \u2260 j), line: mean"
            + (run.replicas() > 1 ? "; all replicas together" : ""),
        TALL + 30,
        (g, width) -> {
          Rectangle2D box = new Rectangle2D.Double(46, 6, width - 46 - ColourBar.ROOM, TALL);
          Panel panel = new Panel(g, box, time, Axis.linear(what, -1, 1));
          panel.image(image);
          panel.line(t, mean.mean(), Color.WHITE, 2.6f);
          panel.line(t, mean.mean(), new Color(0xd55e00), 1.3f);
          panel.axes();
          ColourBar.draw(g, box, colours);
        },
        List.of(table(t, run, distinct, counts, bins).file("")));
  }

  /** The report nearest to each column of the image. */
  private static int[] shown(Axis time, double[] t, int entries) {
    int[] shown = new int[COLUMNS];
    int k = 0;
    for (int c = 0; c < COLUMNS; c++) {
      double at = (c + 0.5) / COLUMNS;
      while (k + 1 < entries && distance(time, t[k + 1], at) <= distance(time, t[k], at)) {
        k++;
      }
      shown[c] = k;
    }
    return shown;
  }

  private static double distance(Axis time, double t, double at) {
    return Math.abs(time.fraction(t) - at);
  }

  private static long[] total(long[] replicas, int bins) {
    long[] sum = new long[bins];
    for (int k = 0; k < replicas.length; k++) {
      // A replica that failed has -1 throughout.
      sum[k % bins] += Math.max(0, replicas[k]);
    }
    return sum;
  }

  private static BufferedImage image(
      int[] shown, List<Integer> distinct, List<long[]> counts, int bins, Axis colours) {
    BufferedImage image = new BufferedImage(COLUMNS, bins, BufferedImage.TYPE_INT_RGB);
    int k = 0;
    for (int c = 0; c < COLUMNS; c++) {
      while (distinct.get(k) != shown[c]) {
        k++;
      }
      for (int b = 0; b < bins; b++) {
        long count = counts.get(k)[b];
        image.setRGB(
            c,
            bins - 1 - b,
            count == 0 ? Palette.EMPTY.getRGB() : Palette.rgb(colours.fraction(count)));
      }
    }
    return image;
  }

  private static Table table(
      double[] t, RunFiles run, List<Integer> distinct, List<long[]> counts, int bins) {
    List<String> names = new ArrayList<>(List.of("t", "min", "mean", "max"));
    for (int b = 0; b < bins; b++) {
      names.add("bin_from_" + (-1 + 2.0 * b / bins));
    }
    Table table = new Table(names.toArray(String[]::new));
    Series min = run.series(OBSERVABLE + "-min");
    Series mean = run.series(OBSERVABLE + "-mean");
    Series max = run.series(OBSERVABLE + "-max");
    for (int k = 0; k < counts.size(); k++) {
      int report = distinct.get(k);
      Object[] row = new Object[names.size()];
      row[0] = t[report];
      row[1] = min.min()[report];
      row[2] = mean.mean()[report];
      row[3] = max.max()[report];
      for (int b = 0; b < bins; b++) {
        row[4 + b] = counts.get(k)[b];
      }
      table.row(row);
    }
    return table;
  }
}
