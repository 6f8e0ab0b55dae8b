package org.starling.app.figures;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;

/** What the colours of a heat map mean. */
final class ColourBar {
  /** Room it needs right of the panel, with numbers and label. */
  static final double ROOM = 56;

  private static final double WIDTH = 8;
  private static final int SHADES = 128;

  private ColourBar() {}

  /** Draws the bar right of a panel's box. */
  static void draw(Graphics2D g, Rectangle2D panel, Axis scale) {
    BufferedImage shades = new BufferedImage(1, SHADES, BufferedImage.TYPE_INT_RGB);
    for (int k = 0; k < SHADES; k++) {
      shades.setRGB(0, SHADES - 1 - k, Palette.rgb(k / (SHADES - 1.0)));
    }
    double x = panel.getMaxX() + 9;
    AffineTransform place = AffineTransform.getTranslateInstance(x, panel.getY());
    place.scale(WIDTH, panel.getHeight() / SHADES);
    g.drawImage(shades, place, null);
    g.setColor(Palette.INK);
    g.setStroke(new BasicStroke(0.6f));
    g.draw(new Rectangle2D.Double(x, panel.getY(), WIDTH, panel.getHeight()));
    for (Axis.Tick t : scale.ticks((int) Math.max(2, panel.getHeight() / 22))) {
      double y = panel.getMaxY() - scale.fraction(t.value()) * panel.getHeight();
      g.draw(new Line2D.Double(x + WIDTH, y, x + WIDTH + (t.text().isEmpty() ? 1.2 : 2.4), y));
      Panel.text(g, t.text(), Panel.SMALL, false, Palette.INK, x + WIDTH + 4, y + 2.3, 0);
    }
    AffineTransform before = g.getTransform();
    double at = x + WIDTH + 34;
    g.rotate(-Math.PI / 2, at, panel.getCenterY());
    Panel.text(g, scale.label(), Panel.TEXT, false, Palette.INK, at, panel.getCenterY(), 0.5);
    g.setTransform(before);
  }
}
