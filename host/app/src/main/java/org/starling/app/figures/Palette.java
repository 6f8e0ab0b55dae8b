package org.starling.app.figures;

import java.awt.Color;

/** Colours that people with any colour vision, and grey printers, can tell apart. */
final class Palette {
  static final Color INK = new Color(0x1a1a1a);
  static final Color FAINT = new Color(0x737373);
  static final Color HAIR = new Color(0xd0d0d0);

  /** Cells without data. */
  static final Color EMPTY = new Color(0xf2f2f2);

  /** The hues of Okabe and Ito, without black and the pale yellow, in an order of contrast. */
  private static final Color[] LINES = {
    new Color(0x0072b2),
    new Color(0xd55e00),
    new Color(0x009e73),
    new Color(0xcc79a7),
    new Color(0xe69f00),
    new Color(0x56b4e9),
  };

  /** Points of the map viridis, equally spaced. */
  private static final int[] VIRIDIS = {
    0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725
  };

  private Palette() {}

  /** Number of distinct hues. */
  static int hues() {
    return LINES.length;
  }

  static Color hue(int k) {
    return LINES[k];
  }

  /** Colour of a fraction in [0, 1]; values outside take the end's colour. */
  static Color map(double fraction) {
    return new Color(rgb(fraction));
  }

  static int rgb(double fraction) {
    double at = Math.max(0, Math.min(1, fraction)) * (VIRIDIS.length - 1);
    int k = Math.min((int) at, VIRIDIS.length - 2);
    double f = at - k;
    int rgb = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int a = VIRIDIS[k] >> shift & 0xff;
      int b = VIRIDIS[k + 1] >> shift & 0xff;
      rgb |= (int) Math.round(a + f * (b - a)) << shift;
    }
    return rgb;
  }

  /** A darker colour of the same hue. */
  static Color dark(Color c) {
    return new Color(c.getRed() * 7 / 10, c.getGreen() * 7 / 10, c.getBlue() * 7 / 10);
  }

  /** A colour mixed with white: 0 keeps it, 1 is white. */
  static Color pale(Color c, double white) {
    return new Color(
        (int) Math.round(c.getRed() + white * (255 - c.getRed())),
        (int) Math.round(c.getGreen() + white * (255 - c.getGreen())),
        (int) Math.round(c.getBlue() + white * (255 - c.getBlue())));
  }
}
