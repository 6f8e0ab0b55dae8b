package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.util.List;
import org.starling.core.model.Geometry;

/** Paths of tokens on the sphere (or the circle), with a red dot where each of them ends. */
final class SpherePanels {
  private static final Color END = new Color(0xc40000);

  private SpherePanels() {}

  /**
   * One panel.
   *
   * @param frames positions, {@code [frames][n * d]}, d = 2 or 3
   */
  record Globe(String title, List<double[]> frames, int n, int d) {}

  static Figure.Drawing drawing(String title, List<Globe> globes) throws MissingData {
    int columns = Math.min(globes.size(), globes.size() <= 4 ? 2 : 3);
    int rows = (globes.size() + columns - 1) / columns;
    double side = Math.min(200, (7.1 * 72 - 10) / columns - 12);
    TokenView[] views = new TokenView[globes.size()];
    Table table = new Table("panel", "token", "x1", "x2", "x3");
    for (int k = 0; k < views.length; k++) {
      Globe globe = globes.get(k);
      views[k] = TokenView.of(Geometry.SPHERE, globe.d(), globe.frames());
      double[] last = globe.frames().get(globe.frames().size() - 1);
      for (int i = 0; i < globe.n(); i++) {
        table.row(
            k,
            i,
            last[i * globe.d()],
            last[i * globe.d() + 1],
            globe.d() > 2 ? (Object) last[i * globe.d() + 2] : null);
      }
    }
    return new Figure.Drawing(
        title,
        rows * (side + 22),
        (g, width) -> {
          for (int k = 0; k < views.length; k++) {
            double cx = 8 + side / 2 + k % columns * (side + 12);
            double cy = 16 + side / 2 + k / columns * (side + 22);
            Panel.text(
                g,
                globes.get(k).title(),
                Panel.TEXT,
                false,
                Palette.INK,
                cx,
                cy - side / 2 - 3,
                0.5);
            paint(g, cx, cy, side / 2 - 4, views[k], globes.get(k));
          }
        },
        List.of(table.file("")));
  }

  private static void paint(
      Graphics2D g, double cx, double cy, double unit, TokenView view, Globe globe) {
    List<double[]> places = globe.frames().stream().map(view::place).toList();
    if (globe.d() == 2) {
      g.setColor(Palette.HAIR);
      g.setStroke(new BasicStroke(0.8f));
      g.draw(new Ellipse2D.Double(cx - unit, cy - unit, 2 * unit, 2 * unit));
      paths(g, cx, cy, unit, places, globe.n(), true, true);
      ends(g, cx, cy, unit, places.get(places.size() - 1), globe.n(), true);
      return;
    }
    SphereGround ground = new SphereGround(g, cx, cy, unit, view.rows());
    ground.behind();
    paths(g, cx, cy, unit, places, globe.n(), false, false);
    ends(g, cx, cy, unit, places.get(places.size() - 1), globe.n(), false);
    ground.before();
    paths(g, cx, cy, unit, places, globe.n(), false, true);
    ends(g, cx, cy, unit, places.get(places.size() - 1), globe.n(), true);
  }

  private static void paths(
      Graphics2D g,
      double cx,
      double cy,
      double unit,
      List<double[]> places,
      int n,
      boolean flat,
      boolean front) {
    g.setStroke(new BasicStroke(0.45f));
    Color colour = Palette.hue(0);
    g.setColor(front ? Palette.pale(colour, 0.25) : Palette.pale(colour, 0.7));
    for (int i = 0; i < n; i++) {
      Path2D path = new Path2D.Double();
      boolean down = false;
      for (double[] p : places) {
        if (p[3 * i + 2] >= 0 != front) {
          down = false;
          continue;
        }
        double x = cx + unit * p[3 * i];
        double y = cy - unit * p[3 * i + 1];
        if (down && flat) {
          arc(path, cx, cy, unit, x, y);
        } else if (down) {
          path.lineTo(x, y);
        } else {
          path.moveTo(x, y);
        }
        down = true;
      }
      g.draw(path);
    }
  }

  /** The way round the circle from where a path is to a point on it, the shorter one. */
  private static void arc(Path2D path, double cx, double cy, double unit, double x, double y) {
    double from =
        Math.atan2(path.getCurrentPoint().getY() - cy, path.getCurrentPoint().getX() - cx);
    double turn = Math.IEEEremainder(Math.atan2(y - cy, x - cx) - from, 2 * Math.PI);
    int pieces = Math.max(1, (int) Math.ceil(Math.abs(turn) / 0.1));
    for (int k = 1; k <= pieces; k++) {
      double a = from + turn * k / pieces;
      path.lineTo(cx + unit * Math.cos(a), cy + unit * Math.sin(a));
    }
  }

  private static void ends(
      Graphics2D g, double cx, double cy, double unit, double[] p, int n, boolean front) {
    for (int i = 0; i < n; i++) {
      if (p[3 * i + 2] >= 0 == front) {
        Panel.mark(
            g,
            cx + unit * p[3 * i],
            cy - unit * p[3 * i + 1],
            2,
            front ? END : Palette.pale(END, 0.6));
      }
    }
  }
}
