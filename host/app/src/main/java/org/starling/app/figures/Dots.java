package org.starling.app.figures;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import org.apache.batik.svggen.SVGGraphics2D;

/**
 * Draws many dots. In a vector picture, dots beyond a number that readers and printers handle are
 * painted on one transparent image instead.
 */
final class Dots {
  /** Pixels a point of such an image: 288 an inch. */
  private static final int FINE = 4;

  private final Graphics2D target;
  private final Rectangle2D box;
  private final BufferedImage layer;
  private final Graphics2D g;

  /**
   * @param box where the dots are; a layer is cut off at its edges
   * @param many whether there are too many for a vector picture
   */
  Dots(Graphics2D target, Rectangle2D box, boolean many) {
    this.target = target;
    this.box = box;
    if (many && target instanceof SVGGraphics2D) {
      layer =
          new BufferedImage(
              (int) Math.ceil(FINE * box.getWidth()),
              (int) Math.ceil(FINE * box.getHeight()),
              BufferedImage.TYPE_INT_ARGB);
      g = layer.createGraphics();
      g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      g.scale(FINE, FINE);
      g.translate(-box.getX(), -box.getY());
    } else {
      layer = null;
      g = target;
    }
  }

  void add(double x, double y, double radius, Color colour) {
    Panel.mark(g, x, y, radius, colour);
  }

  /** Puts the layer, if there is one, onto the picture. */
  void done() {
    if (layer != null) {
      g.dispose();
      AffineTransform place = AffineTransform.getTranslateInstance(box.getX(), box.getY());
      place.scale(1.0 / FINE, 1.0 / FINE);
      target.drawImage(layer, place, null);
    }
  }
}
