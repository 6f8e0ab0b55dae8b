package org.starling.analysis;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers as text for people: few digits, no trailing zeros, the same in every locale. */
public final class Significant {
  private static final double PLAIN_FROM = 1e-4;
  private static final double PLAIN_TO = 1e7;

  private Significant() {}

  /** At most six significant digits, such as {@code 0.25}, {@code 4.32e8}, {@code infinite}. */
  public static String of(double v) {
    if (Double.isNaN(v)) {
      return "undefined";
    }
    if (Double.isInfinite(v)) {
      return v > 0 ? "infinite" : "-infinite";
    }
    BigDecimal rounded = new BigDecimal(v).round(new MathContext(6)).stripTrailingZeros();
    double size = Math.abs(v);
    if (v == 0) {
      return "0";
    }
    if (size >= PLAIN_FROM && size < PLAIN_TO) {
      return rounded.toPlainString();
    }
    int exponent = rounded.precision() - rounded.scale() - 1;
    return rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString() + "e" + exponent;
  }

  /** A decay law: {@code e^{-0.5 t}}, {@code e^{-t}}. */
  public static String decay(double rate) {
    return "e^{-" + (rate == 1 ? "" : of(rate) + " ") + "t}";
  }
}
