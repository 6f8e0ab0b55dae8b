package org.starling.core.engine;

/** Numbers of 16 bits by IEEE 754: 11 bits of precision, 2^-24 to 65504. */
public final class Half {
  /** Largest error of rounding relative to the number, from {@link #SMALLEST_NORMAL} on. */
  public static final double UNIT = 0x1p-11;

  /** Smallest number with all 11 bits; below it {@link #round} is off by up to 2^-25. */
  public static final double SMALLEST_NORMAL = 0x1p-14;

  public static final double LARGEST = 65504;

  /** Numbers from here on round beyond the largest. */
  private static final double END = 65520;

  /** Distance of neighbours below {@link #SMALLEST_NORMAL}. */
  public static final double SPACING_BELOW = 0x1p-24;

  private static final int BITS_AFTER_POINT = 10;

  private Half() {}

  /**
   * The nearest such number, of two the even one. NaN beyond the range: no infinity takes the place
   * of a finite number.
   *
   * @param x a number of float32, or rounded twice
   */
  public static double round(double x) {
    float single = (float) x;
    double size = Math.abs(single);
    if (!(size < END)) {
      return Double.NaN;
    }
    double spacing =
        size < SMALLEST_NORMAL
            ? SPACING_BELOW
            : Math.scalb(1.0, Math.getExponent(size) - BITS_AFTER_POINT);
    // Exact but for rint, which takes the even one of two.
    return Math.rint(single / spacing) * spacing;
  }
}
