package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;

/**
 * The unit sphere behind and before its tokens: outline and a net of circles around the third axis.
 */
final class SphereGround {
  private static final Color DISC = new Color(0xfafafa);
  private static final Color FRONT = new Color(0xc4c4c4);
  private static final Color BACK = new Color(0xe4e4e4);
  private static final int SEGMENTS = 72;

  private final Graphics2D g;
  private final double cx;
  private final double cy;
  private final double radius;
  private final double[][] rows;

  /**
   * @param rows of the view, {@code [3][3]}
   */
  SphereGround(Graphics2D g, double cx, double cy, double radius, double[][] rows) {
    this.g = g;
    this.cx = cx;
    this.cy = cy;
    this.radius = radius;
    this.rows = rows;
  }

  /** The disc, its outline, and the part of the net that is turned away. */
  void behind() {
    Ellipse2D outline = new Ellipse2D.Double(cx - radius, cy - radius, 2 * radius, 2 * radius);
    g.setColor(DISC);
    g.fill(outline);
    net(false);
    g.setColor(Palette.FAINT);
    g.setStroke(new BasicStroke(0.6f));
    g.draw(outline);
  }

  /** The part of the net that faces the reader. */
  void before() {
    net(true);
  }

  private void net(boolean front) {
    Path2D path = new Path2D.Double();
    for (int k = 0; k < 6; k++) {
      double around = Math.PI * k / 6;
      circle(
          path,
          front,
          0,
          new double[] {Math.cos(around), Math.sin(around), 0},
          new double[] {0, 0, 1},
          1);
    }
    for (int k = -2; k <= 2; k++) {
      double latitude = Math.PI * k / 6;
      circle(
          path,
          front,
          Math.sin(latitude),
          new double[] {1, 0, 0},
          new double[] {0, 1, 0},
          Math.cos(latitude));
    }
    g.setColor(front ? FRONT : BACK);
    g.setStroke(new BasicStroke(0.35f));
    g.draw(path);
  }

  private void circle(
      Path2D path, boolean front, double height, double[] a, double[] b, double size) {
    boolean down = false;
    for (int s = 0; s <= SEGMENTS; s++) {
      double angle = 2 * Math.PI * s / SEGMENTS;
      double[] p = new double[3];
      for (int k = 0; k < 3; k++) {
        p[k] = size * (Math.cos(angle) * a[k] + Math.sin(angle) * b[k]);
      }
      p[2] += height;
      if (along(2, p) >= 0 != front) {
        down = false;
        continue;
      }
      double px = cx + radius * along(0, p);
      double py = cy - radius * along(1, p);
      if (down) {
        path.lineTo(px, py);
      } else {
        path.moveTo(px, py);
      }
      down = true;
    }
  }

  private double along(int row, double[] p) {
    return rows[row][0] * p[0] + rows[row][1] * p[1] + rows[row][2] * p[2];
  }
}
