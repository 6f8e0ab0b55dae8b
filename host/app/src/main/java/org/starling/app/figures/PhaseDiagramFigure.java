package org.starling.app.figures;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import org.starling.app.figures.SweepGrid.Cell;
import org.starling.app.figures.SweepGrid.Side;

/**
 * What a sweep observed, by its parameters. One parameter: a map over (t, parameter) and the last
 * values as a curve. Two: a map of the last values over both.
 */
final class PhaseDiagramFigure implements Figure {
  /** Pixels along the edge of a map whose cells are not equally wide. */
  private static final int FINE = 600;

  /** Most reports that a map over time shows, and the table holds. */
  private static final int REPORTS = 1000;

  /** Values that differ by more are drawn on a logarithmic scale. */
  private static final double RATIO = 20;

  private static final double TALL = 150;
  private static final double PITCH = TALL + 44;
  private static final double LEFT = 46;

  /**
   * One observable.
   *
   * @param cells by report shown and cell
   */
  private record Layer(String name, Cell[][] cells) {
    Cell[] last() {
      return cells[cells.length - 1];
    }
  }

  @Override
  public String name() {
    return "phase-diagram";
  }

  @Override
  public Drawing prepare(RunFiles run, FigureOptions options) throws MissingData {
    SweepGrid grid = SweepGrid.of(run);
    List<String> names = names(run);
    if (names.isEmpty()) {
      throw new MissingData(
          "the run observes no scalar; add e.g. clusters or energy to observe: in the experiment");
    }
    boolean map = grid.sides().size() == 2;
    int[] reports = reports(run, map);
    List<Layer> layers = new ArrayList<>();
    for (String name : names) {
      layers.add(layer(run, grid, name, reports));
    }
    double[] t = run.times();
    double end = t[reports[reports.length - 1]];
    double[] times = new double[reports.length];
    for (int k = 0; k < times.length; k++) {
      times[k] = t[reports[k]];
    }
    int starts = run.experiment().tokens().replicas();
    Axis time = !map && reports.length > 1 ? run.timeAxis() : null;
    boolean narrow = options.widthInches() * 72 < TokenPanels.NARROW;
    boolean pairs = map || time == null;
    int columns = narrow ? 1 : 2;
    int panels = pairs ? layers.size() : 2 * layers.size();
    return new Drawing(
        title(grid, starts > 1 ? "seeds and starts" : "seeds", map, time != null, end),
        (panels + columns - 1) / columns * PITCH,
        (g, width) -> {
          double wide = (width - columns * (LEFT + ColourBar.ROOM)) / columns;
          for (int p = 0; p < panels; p++) {
            Layer layer = layers.get(pairs ? p : p / 2);
            Rectangle2D box =
                new Rectangle2D.Double(
                    LEFT + p % columns * (wide + LEFT + ColourBar.ROOM),
                    14 + p / columns * PITCH,
                    wide,
                    TALL);
            if (map) {
              parameterMap(g, box, grid, layer);
            } else if (time != null && p % 2 == 0) {
              timeMap(g, box, grid, layer, time, times);
            } else {
              curve(g, box, grid, layer);
            }
          }
        },
        List.of(table(grid, layers, times).file("")));
  }

  /**
   * @param what that the replicas of a cell differ in
   */
  private static String title(
      SweepGrid grid, String what, boolean map, boolean overTime, double end) {
    String seeds = grid.depth() == 1 ? "one seed" : "mean over " + grid.depth() + " " + what;
    String at = " at t = " + Axis.brief(end);
    String spread = grid.depth() == 1 ? "" : ", median with quartiles";
    String title =
        map
            ? "Phase diagram" + at + ": " + seeds
            : overTime
                ? "Phase diagram: " + seeds + "; right:" + at + spread
                : "Observables" + at + spread + (grid.depth() == 1 ? "" : ", " + seeds + " dashed");
    return title + (grid.fixed().isEmpty() ? "" : "; " + grid.fixed());
  }

  /** Scalars that are drawn: of a spread its mean. */
  private static List<String> names(RunFiles run) {
    List<String> all = run.scalars();
    return all.stream()
        .filter(
            s ->
                !s.matches(".*-(min|max)") || !all.contains(s.replaceFirst("-(min|max)$", "-mean")))
        .toList();
  }

  /** The last report of a map over parameters, else up to {@link #REPORTS} evenly spread. */
  private static int[] reports(RunFiles run, boolean lastOnly) throws MissingData {
    int count = run.times().length;
    if (count == 0) {
      throw new MissingData("the run has no reports yet");
    }
    int shown = lastOnly ? 1 : Math.min(count, REPORTS);
    int[] reports = new int[shown];
    for (int k = 0; k < shown; k++) {
      reports[k] =
          shown == 1 ? count - 1 : (int) Math.round((double) k * (count - 1) / (shown - 1));
    }
    return reports;
  }

  private static Layer layer(RunFiles run, SweepGrid grid, String name, int[] reports)
      throws MissingData {
    ReportedReals values = run.reals(name);
    Cell[][] cells = new Cell[reports.length][grid.cells()];
    for (int k = 0; k < reports.length; k++) {
      double[] all = values.entry(reports[k]);
      for (int c = 0; c < grid.cells(); c++) {
        cells[k][c] = grid.cell(c, all);
      }
    }
    return new Layer(name, cells);
  }

  // --- panels ---

  private static void parameterMap(
      java.awt.Graphics2D g, Rectangle2D box, SweepGrid grid, Layer layer) {
    Side x = grid.sides().get(0);
    Side y = grid.sides().get(1);
    int[] column = nearest(x.axis(), x.values());
    int[] row = nearest(y.axis(), y.values());
    double[][] means = means(new Cell[][] {layer.last()});
    Axis colours = colours(layer.name(), means);
    BufferedImage image = blank(column.length, row.length);
    for (int a = 0; a < column.length; a++) {
      for (int b = 0; b < row.length; b++) {
        double v = means[0][column[a] * y.values().length + row[b]];
        paint(image, a, row.length - 1 - b, v, colours);
      }
    }
    draw(g, box, x.axis(), y.axis(), image, colours);
  }

  private static void timeMap(
      java.awt.Graphics2D g,
      Rectangle2D box,
      SweepGrid grid,
      Layer layer,
      Axis time,
      double[] times) {
    Side y = grid.sides().get(0);
    int[] column = nearest(time, times);
    int[] row = nearest(y.axis(), y.values());
    double[][] means = means(layer.cells());
    Axis colours = colours(layer.name(), means);
    BufferedImage image = blank(column.length, row.length);
    for (int a = 0; a < column.length; a++) {
      for (int b = 0; b < row.length; b++) {
        paint(image, a, row.length - 1 - b, means[column[a]][row[b]], colours);
      }
    }
    draw(g, box, time, y.axis(), image, colours);
  }

  private static void draw(
      java.awt.Graphics2D g, Rectangle2D box, Axis x, Axis y, BufferedImage image, Axis colours) {
    Panel panel = new Panel(g, box, x, y);
    panel.title(colours.label());
    panel.image(image);
    panel.axes();
    ColourBar.draw(g, box, new Axis("mean", colours.low(), colours.high(), colours.log()));
  }

  private static void curve(java.awt.Graphics2D g, Rectangle2D box, SweepGrid grid, Layer layer) {
    Side x = grid.sides().get(0);
    int n = x.values().length;
    double[][] lines = new double[4][n];
    for (int c = 0; c < n; c++) {
      Cell cell = layer.last()[c];
      lines[0][c] = cell.lower();
      lines[1][c] = cell.median();
      lines[2][c] = cell.upper();
      lines[3][c] = cell.mean();
    }
    Axis y = Axis.fitting(layer.name(), RATIO, List.of(lines));
    Panel panel = new Panel(g, box, x.axis(), y);
    panel.title(layer.name());
    Color colour = Palette.hue(0);
    if (grid.depth() > 1) {
      panel.band(x.values(), lines[0], lines[2], Palette.pale(colour, 0.75));
      panel.line(x.values(), lines[3], Palette.hue(1), 0.8f);
    }
    panel.line(x.values(), lines[1], colour, 1.2f);
    if (grid.depth() > 1) {
      double at = box.getMaxX() + 6;
      Panel.text(g, "median", Panel.SMALL, false, colour, at, box.getY() + 8, 0);
      Panel.text(
          g, "quartiles", Panel.SMALL, false, Palette.pale(colour, 0.4), at, box.getY() + 17, 0);
      Panel.text(g, "mean", Panel.SMALL, false, Palette.hue(1), at, box.getY() + 26, 0);
    }
    panel.axes();
  }

  // --- maps ---

  /** The value nearest to each pixel along an axis, a pixel a value where they are equally wide. */
  private static int[] nearest(Axis axis, double[] values) {
    double step = axis.fraction(values[values.length - 1]) - axis.fraction(values[0]);
    boolean even = Math.abs(axis.fraction(values[0]) - 0.5 / values.length) < 1e-6;
    for (int k = 1; even && k < values.length; k++) {
      double gap = axis.fraction(values[k]) - axis.fraction(values[k - 1]);
      even = Math.abs(gap - step / (values.length - 1)) < 1e-6;
    }
    int[] nearest = new int[even ? values.length : FINE];
    int k = 0;
    for (int p = 0; p < nearest.length; p++) {
      double at = (p + 0.5) / nearest.length;
      while (k + 1 < values.length
          && !(Math.abs(axis.fraction(values[k + 1]) - at)
              > Math.abs(axis.fraction(values[k]) - at))) {
        k++;
      }
      nearest[p] = k;
    }
    return nearest;
  }

  private static double[][] means(Cell[][] cells) {
    double[][] means = new double[cells.length][];
    for (int k = 0; k < cells.length; k++) {
      means[k] = java.util.Arrays.stream(cells[k]).mapToDouble(Cell::mean).toArray();
    }
    return means;
  }

  private static Axis colours(String label, double[][] means) {
    double[] range = Axis.range(List.of(means));
    double low = range[0];
    double high = range[1];
    if (!(low < high)) {
      return Axis.around(label, low, high);
    }
    return new Axis(label, low, high, low > 0 && high / low > RATIO);
  }

  private static BufferedImage blank(int columns, int rows) {
    return new BufferedImage(columns, rows, BufferedImage.TYPE_INT_RGB);
  }

  private static void paint(BufferedImage image, int x, int y, double value, Axis colours) {
    image.setRGB(
        x,
        y,
        Double.isFinite(value) ? Palette.rgb(colours.fraction(value)) : Palette.EMPTY.getRGB());
  }

  // --- data ---

  private static Table table(SweepGrid grid, List<Layer> layers, double[] times) {
    List<String> names = new ArrayList<>(List.of("t"));
    for (Side side : grid.sides()) {
      names.add(side.label().equals("\u03b2") ? "beta" : side.label());
    }
    for (Layer layer : layers) {
      for (String part : List.of("count", "mean", "lower_quartile", "median", "upper_quartile")) {
        names.add(layer.name() + "-" + part);
      }
    }
    Table table = new Table(names.toArray(String[]::new));
    int inner = grid.sides().size() == 2 ? grid.sides().get(1).values().length : 1;
    for (int k = 0; k < times.length; k++) {
      for (int c = 0; c < grid.cells(); c++) {
        List<Object> row = new ArrayList<>();
        row.add(times[k]);
        row.add(grid.sides().get(0).values()[c / inner]);
        if (grid.sides().size() == 2) {
          row.add(grid.sides().get(1).values()[c % inner]);
        }
        for (Layer layer : layers) {
          Cell cell = layer.cells()[k][c];
          row.addAll(List.of(cell.count(), cell.mean(), cell.lower(), cell.median(), cell.upper()));
        }
        table.row(row.toArray());
      }
    }
    return table;
  }
}
