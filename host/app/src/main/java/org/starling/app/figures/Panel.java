package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** One pair of axes and what is drawn in it. Points with a non-finite place are left out. */
final class Panel {
  static final float TITLE = 8.5f;
  static final float TEXT = 7.5f;
  static final float SMALL = 6.5f;
  private static final double TICK = 3;

  /** Lines longer than this are thinned to what the width can show. */
  private static final int DENSE = 4000;

  private static final FontRenderContext METRICS = new FontRenderContext(null, true, true);

  private final Graphics2D g;
  private final Rectangle2D box;
  private final Axis x;
  private final Axis y;

  /**
   * @param box the area between the axes, in points
   */
  Panel(Graphics2D g, Rectangle2D box, Axis x, Axis y) {
    this.g = g;
    this.box = box;
    this.x = x;
    this.y = y;
  }

  double px(double value) {
    return box.getX() + x.fraction(value) * box.getWidth();
  }

  double py(double value) {
    return box.getMaxY() - y.fraction(value) * box.getHeight();
  }

  /** Draws the frame with ticks, their numbers and the labels. */
  void axes() {
    axes(true, true);
  }

  /** As {@link #axes()}, numbers and labels only where asked for: panels of a row share them. */
  void axes(boolean numbersBelow, boolean numbersLeft) {
    g.setColor(Palette.INK);
    g.setStroke(new BasicStroke(0.6f));
    g.draw(box);
    double widest = 0;
    for (Axis.Tick t : x.ticks((int) Math.max(2, box.getWidth() / 30))) {
      double at = px(t.value());
      double length = t.text().isEmpty() ? TICK / 2 : TICK;
      g.draw(new Line2D.Double(at, box.getMaxY(), at, box.getMaxY() - length));
      if (numbersBelow) {
        text(g, t.text(), SMALL, false, Palette.INK, at, box.getMaxY() + 8.5, 0.5);
      }
    }
    for (Axis.Tick t : y.ticks((int) Math.max(2, box.getHeight() / 20))) {
      double at = py(t.value());
      double length = t.text().isEmpty() ? TICK / 2 : TICK;
      g.draw(new Line2D.Double(box.getX(), at, box.getX() + length, at));
      if (numbersLeft) {
        text(g, t.text(), SMALL, false, Palette.INK, box.getX() - 3, at + 2.3, 1);
        widest = Math.max(widest, width(t.text(), SMALL));
      }
    }
    if (numbersBelow) {
      text(g, x.label(), TEXT, false, Palette.INK, box.getCenterX(), box.getMaxY() + 19, 0.5);
    }
    if (numbersLeft) {
      AffineTransform before = g.getTransform();
      g.rotate(-Math.PI / 2, box.getX() - widest - 8, box.getCenterY());
      text(g, y.label(), TEXT, false, Palette.INK, box.getX() - widest - 8, box.getCenterY(), 0.5);
      g.setTransform(before);
    }
  }

  /** A line above the panel. */
  void title(String title) {
    text(g, title, TEXT, false, Palette.INK, box.getCenterX(), box.getY() - 4.5, 0.5);
  }

  /** Two lines above the panel. */
  void titles(String first, String second) {
    text(g, first, TEXT, false, Palette.INK, box.getCenterX(), box.getY() - 13, 0.5);
    text(g, second, SMALL, false, Palette.FAINT, box.getCenterX(), box.getY() - 4.5, 0.5);
  }

  /** Joins points in order. */
  void line(double[] xs, double[] ys, Color colour, float width) {
    stroke(colour, width, path(xs, ys, false));
  }

  /** Holds each value until the next point. */
  void steps(double[] xs, double[] ys, Color colour, float width) {
    stroke(colour, width, path(xs, ys, true));
  }

  private void stroke(Color colour, float width, Shape path) {
    Shape clip = g.getClip();
    g.clip(box);
    g.setColor(colour);
    g.setStroke(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND));
    g.draw(path);
    g.setClip(clip);
  }

  private Path2D path(double[] xs, double[] ys, boolean steps) {
    Path2D path = new Path2D.Double();
    boolean down = false;
    double last = 0;
    for (int k : shown(xs, ys)) {
      double a = px(xs[k]);
      double b = py(ys[k]);
      if (!Double.isFinite(a) || !Double.isFinite(b)) {
        down = false;
        continue;
      }
      if (!down) {
        path.moveTo(a, b);
      } else {
        if (steps) {
          path.lineTo(a, last);
        }
        path.lineTo(a, b);
      }
      down = true;
      last = b;
    }
    return path;
  }

  /** Indices that matter: of each narrow column first, last, lowest and highest. */
  private int[] shown(double[] xs, double[] ys) {
    if (xs.length <= DENSE) {
      return java.util.stream.IntStream.range(0, xs.length).toArray();
    }
    List<Integer> kept = new ArrayList<>();
    int begin = 0;
    for (int k = 1; k <= xs.length; k++) {
      if (k == xs.length || (int) (2 * px(xs[k])) != (int) (2 * px(xs[begin]))) {
        int low = begin;
        int high = begin;
        for (int m = begin; m < k; m++) {
          low = ys[m] < ys[low] ? m : low;
          high = ys[m] > ys[high] ? m : high;
        }
        java.util.stream.IntStream.of(begin, Math.min(low, high), Math.max(low, high), k - 1)
            .distinct()
            .forEach(kept::add);
        begin = k;
      }
    }
    return kept.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Fills between two curves. */
  void band(double[] xs, double[] low, double[] high, Color colour) {
    Path2D area = new Path2D.Double();
    List<Integer> run = new ArrayList<>();
    for (int k : shown(xs, high)) {
      if (Double.isFinite(px(xs[k]))
          && Double.isFinite(py(low[k]))
          && Double.isFinite(py(high[k]))) {
        run.add(k);
      }
    }
    for (int k = 0; k < run.size(); k++) {
      double a = px(xs[run.get(k)]);
      double b = py(high[run.get(k)]);
      if (k == 0) {
        area.moveTo(a, b);
      } else {
        area.lineTo(a, b);
      }
    }
    for (int k = run.size() - 1; k >= 0; k--) {
      area.lineTo(px(xs[run.get(k)]), py(low[run.get(k)]));
    }
    if (!run.isEmpty()) {
      area.closePath();
    }
    Shape clip = g.getClip();
    g.clip(box);
    g.setColor(colour);
    g.fill(area);
    g.setClip(clip);
  }

  /** A disc with a darker edge, so that neighbours stay apart. */
  void dot(double vx, double vy, double radius, Color colour) {
    mark(g, px(vx), py(vy), radius, colour);
  }

  static void mark(Graphics2D g, double cx, double cy, double radius, Color colour) {
    if (Double.isFinite(cx) && Double.isFinite(cy)) {
      Shape disc = new Ellipse2D.Double(cx - radius, cy - radius, 2 * radius, 2 * radius);
      g.setColor(colour);
      g.fill(disc);
      g.setColor(Palette.dark(colour));
      g.setStroke(new BasicStroke(0.3f));
      g.draw(disc);
    }
  }

  /** The mark of the first token: a diamond with a dark edge. */
  static void firstToken(Graphics2D g, double cx, double cy, double radius, Color colour) {
    if (Double.isFinite(cx) && Double.isFinite(cy)) {
      double r = 1.35 * radius;
      Path2D diamond = new Path2D.Double();
      diamond.moveTo(cx, cy - r);
      diamond.lineTo(cx + r, cy);
      diamond.lineTo(cx, cy + r);
      diamond.lineTo(cx - r, cy);
      diamond.closePath();
      g.setColor(colour);
      g.fill(diamond);
      g.setColor(Palette.INK);
      g.setStroke(new BasicStroke(0.8f));
      g.draw(diamond);
    }
  }

  /** Fills the panel with an image, first row at the top, without smoothing. */
  void image(BufferedImage image) {
    AffineTransform place = AffineTransform.getTranslateInstance(box.getX(), box.getY());
    place.scale(box.getWidth() / image.getWidth(), box.getHeight() / image.getHeight());
    g.drawImage(image, place, null);
  }

  /** A thin straight line between two places. */
  void rule(double x1, double y1, double x2, double y2, Color colour) {
    g.setStroke(new BasicStroke(0.5f));
    g.setColor(colour);
    g.draw(new Line2D.Double(px(x1), py(y1), px(x2), py(y2)));
  }

  /**
   * Text on a base line.
   *
   * @param align part of its width left of {@code atX}: 0 begins there, 0.5 is centred, 1 ends
   */
  static void text(
      Graphics2D g,
      String text,
      float size,
      boolean bold,
      Color colour,
      double atX,
      double baseLine,
      double align) {
    if (text.isEmpty()) {
      return;
    }
    Font font = font(size, bold);
    g.setFont(font);
    g.setColor(colour);
    double width = font.getStringBounds(text, METRICS).getWidth();
    g.drawString(text, (float) (atX - align * width), (float) baseLine);
  }

  /** Width of a text in points. */
  static double width(String text, float size) {
    return width(text, size, false);
  }

  static double width(String text, float size, boolean bold) {
    return text.isEmpty() ? 0 : font(size, bold).getStringBounds(text, METRICS).getWidth();
  }

  private static Font font(float size, boolean bold) {
    return new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, 1).deriveFont(size);
  }
}
