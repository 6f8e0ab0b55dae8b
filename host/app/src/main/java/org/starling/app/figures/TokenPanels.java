package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.starling.app.figures.TokenView.Ground;

/** Paints tokens in a grid of panels, one a time. */
final class TokenPanels {
  /** Figures narrower than this are for one column of a paper. */
  static final double NARROW = 380;

  private static final double TOP = 13;

  /** Ranges of panels that differ by more get axes of their own. */
  private static final double SHARED = 20;

  /** Room for these numbers outside of the circle. */
  private static final double SIZE_ROOM = 12;

  /** Of more tokens in a panel, a vector picture holds an image. */
  private static final int MOST_DRAWN = 1000;

  /** Sizes are written beside clusters while there are not more than this. */
  private static final int MOST_SIZES = 8;

  /**
   * One panel.
   *
   * @param title its time
   * @param places of the shown tokens, {@code [tokens][3]} flattened
   * @param labels cluster of every token, {@code [n]}, or null
   */
  record Content(String title, double[] places, long[] labels) {}

  private final TokenView view;
  private final TokenColours colours;
  private final int[] tokens;
  private final int columns;

  /**
   * @param tokens indices of the shown tokens
   */
  TokenPanels(TokenView view, TokenColours colours, int[] tokens, int columns) {
    this.view = view;
    this.colours = colours;
    this.tokens = tokens;
    this.columns = columns;
  }

  private boolean round() {
    return view.ground() == Ground.CIRCLE || view.ground() == Ground.SPHERE;
  }

  private double left() {
    return round() ? 6 : 46;
  }

  private double side(double width) {
    double free = width - left() - 6 - (columns - 1) * (round() ? 8 : 12);
    return Math.min(190, free / columns);
  }

  /** Height of the legend below; a narrow one may need three lines. */
  static double foot(double width) {
    return width < NARROW ? 48 : 26;
  }

  /** Height of a row of panels. */
  double height(double width) {
    return TOP + side(width) + (round() ? 4 : 16);
  }

  void paint(Graphics2D g, double width, List<Content> contents) {
    boolean shared = shared(contents);
    double side = side(width) - (shared || round() ? 0 : 22);
    double pitch = round() ? side + 8 : shared ? side + 12 : side + 34;
    int rows = (contents.size() + columns - 1) / columns;
    for (int k = 0; k < contents.size(); k++) {
      Content content = contents.get(k);
      double x = left() + k % columns * pitch;
      double y = TOP + k / columns * height(width);
      Rectangle2D box = new Rectangle2D.Double(x, y, side, side);
      if (round()) {
        round(g, box, content);
      } else {
        boolean bottom = k + columns >= contents.size();
        plane(
            g,
            box,
            content,
            shared ? contents : List.of(content),
            !shared || bottom,
            !shared || k % columns == 0);
      }
    }
    colours.legend(g, left(), rows * height(width) + 19, width - 4);
  }

  private void round(Graphics2D g, Rectangle2D box, Content content) {
    double margin = view.ground() == Ground.CIRCLE ? SIZE_ROOM : 3;
    double reach = box.getWidth() / (box.getWidth() - 2 * margin);
    Axis axis = Axis.linear("", -reach, reach);
    Panel panel = new Panel(g, box, axis, axis);
    panel.title(content.title());
    double cx = panel.px(0);
    double cy = panel.py(0);
    double unit = panel.px(1) - cx;
    if (view.ground() == Ground.CIRCLE) {
      g.setColor(Palette.HAIR);
      g.setStroke(new BasicStroke(0.8f));
      g.draw(new Ellipse2D.Double(cx - unit, cy - unit, 2 * unit, 2 * unit));
      points(g, box, panel, content, IntStream.range(0, tokens.length).toArray());
      sizes(g, cx, cy, unit, content);
      return;
    }
    SphereGround ground = new SphereGround(g, cx, cy, unit, view.rows());
    int[] order =
        IntStream.range(0, tokens.length)
            .boxed()
            .sorted((a, b) -> Double.compare(depth(content, a), depth(content, b)))
            .mapToInt(Integer::intValue)
            .toArray();
    ground.behind();
    points(
        g, box, panel, content, IntStream.of(order).filter(k -> depth(content, k) < 0).toArray());
    ground.before();
    points(
        g, box, panel, content, IntStream.of(order).filter(k -> depth(content, k) >= 0).toArray());
  }

  /** Dots shrink with their number and with the panel. */
  private double radius(Rectangle2D box) {
    double size = Math.min(1, box.getWidth() / 150);
    return size * Math.max(0.9, Math.min(2.5, 10 / Math.pow(tokens.length, 0.3)));
  }

  private static double depth(Content content, int k) {
    return content.places()[3 * k + 2];
  }

  private void points(Graphics2D g, Rectangle2D box, Panel panel, Content content, int[] which) {
    double[] p = content.places();
    double radius = radius(box);
    Dots dots = new Dots(g, box, tokens.length > MOST_DRAWN);
    for (int k : which) {
      if (tokens[k] != 0) {
        dots.add(panel.px(p[3 * k]), panel.py(p[3 * k + 1]), radius, shaded(content, k));
      }
    }
    dots.done();
    for (int k : which) {
      if (tokens[k] == 0) {
        Panel.firstToken(g, panel.px(p[3 * k]), panel.py(p[3 * k + 1]), radius, shaded(content, k));
      }
    }
  }

  private Color shaded(Content content, int k) {
    double depth = depth(content, k);
    Color colour = colours.of(tokens[k]);
    return depth < 0 ? Palette.pale(colour, 0.45 + 0.3 * Math.min(1, -depth)) : colour;
  }

  /** Tokens of a cluster hide each other on the circle: their number is written outside. */
  private void sizes(Graphics2D g, double cx, double cy, double unit, Content content) {
    if (content.labels() == null || tokens.length != content.labels().length) {
      return;
    }
    Map<Long, double[]> clusters = new TreeMap<>();
    for (int k = 0; k < tokens.length; k++) {
      double[] sum = clusters.computeIfAbsent(content.labels()[k], l -> new double[3]);
      sum[0] += content.places()[3 * k];
      sum[1] += content.places()[3 * k + 1];
      sum[2]++;
    }
    if (clusters.size() > MOST_SIZES) {
      return;
    }
    for (double[] c : clusters.values()) {
      double length = Math.hypot(c[0], c[1]);
      if (length > 0.5 * c[2]) {
        Panel.text(
            g,
            Integer.toString((int) c[2]),
            Panel.SMALL,
            false,
            Palette.INK,
            cx + (unit + SIZE_ROOM - 2) * c[0] / length,
            cy - (unit + SIZE_ROOM - 2) * c[1] / length + 2.3,
            0.5);
      }
    }
  }

  private void plane(
      Graphics2D g,
      Rectangle2D box,
      Content content,
      List<Content> held,
      boolean below,
      boolean left) {
    double[] horizontal = range(held, 0);
    double[] vertical = range(held, 1);
    if (view.ground() == Ground.PLANE) {
      double half = Math.max(horizontal[1] - horizontal[0], vertical[1] - vertical[0]) / 2;
      horizontal = around(horizontal, half);
      vertical = around(vertical, half);
    }
    Panel panel =
        new Panel(
            g,
            box,
            Axis.around(view.labels()[0], horizontal),
            Axis.around(view.labels()[1], vertical));
    panel.title(content.title());
    points(g, box, panel, content, IntStream.range(0, tokens.length).toArray());
    panel.axes(below, left);
  }

  private static double[] around(double[] range, double half) {
    double middle = (range[0] + range[1]) / 2;
    return new double[] {middle - half, middle + half};
  }

  private static double[] range(List<Content> contents, int coordinate) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Content c : contents) {
      for (int k = coordinate; k < c.places().length; k += 3) {
        if (Double.isFinite(c.places()[k])) {
          low = Math.min(low, c.places()[k]);
          high = Math.max(high, c.places()[k]);
        }
      }
    }
    return low <= high ? new double[] {low, high} : new double[] {0, 1};
  }

  private boolean shared(List<Content> contents) {
    double smallest = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (Content c : contents) {
      double size = 0;
      for (int a = 0; a < 2; a++) {
        double[] range = range(List.of(c), a);
        size = Math.max(size, Math.max(Math.abs(range[0]), Math.abs(range[1])));
      }
      smallest = Math.min(smallest, size);
      largest = Math.max(largest, size);
    }
    return view.ground() == Ground.LINE || largest <= SHARED * smallest;
  }
}
