package org.starling.opencl.attention;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.kernels.SphereKernels;

/**
 * The series in spherical harmonics of a layer on the sphere, d = 3.
 *
 * @param terms highest degree L
 */
record SphereSeries(int terms, double truncation, double[] largest, double rounding, Layer layer)
    implements Expansion {
  /** Degrees are added until what is left out is no more than what the sums round by. */
  private static final double LEFT_OUT = 0x1p-48;

  private static final double ROUNDING = 16 * 0x1p-53;

  /** Rounding of a degree l grows with l, of which the mean is below sqrt(2 b). */
  private static final double ROUNDING_OF_DEGREE = 2 * 0x1p-53;

  /** Of powers beyond those that are summed, see sphere_rows.cl. */
  private static final double POWERS_BEYOND = 4;

  /** From so many tokens on, and so many a harmonic, it is ahead of the pairs under every mask. */
  private static final int LEAST_TOKENS = 8192;

  private static final int TOKENS_PER_HARMONIC = 6;

  /** Why scores up to b have no series, as a clause; null if they have. */
  static String refusal(double b) {
    return b < Double.POSITIVE_INFINITY && degree(b) > 0
        ? null
        : String.format(
            Locale.ROOT,
            "scores up to beta |S| = %.3g need degrees beyond %d",
            b,
            SphereKernels.LARGEST_DEGREE);
  }

  static SphereSeries of(Layer layer, Precision precision) {
    double b = SeriesBounds.strength(layer);
    int degree = degree(b);
    return new SphereSeries(
        degree,
        truncation(b, degree, scaled(b)),
        SeriesBounds.largest(SphereKernels.POWERS, b, POWERS_BEYOND, precision),
        ROUNDING + ROUNDING_OF_DEGREE * Math.sqrt(b),
        layer);
  }

  @Override
  public SummationReport.Basis basis() {
    return SummationReport.Basis.SPHERICAL_HARMONICS;
  }

  @Override
  public long worthwhileFrom() {
    return Math.max(LEAST_TOKENS, (long) TOKENS_PER_HARMONIC * (terms + 1) * (terms + 1));
  }

  @Override
  public double[] bessel(double factor) {
    return new double[0];
  }

  private static double[] scaled(double b) {
    return Bessel.sphericalScaled(SeriesBounds.REACH * b, SphereKernels.LARGEST_DEGREE + 3);
  }

  /** The least L that leaves out no more than is allowed; 0 if none is small enough. */
  private static int degree(double b) {
    double[] bessel = scaled(b);
    for (int l = 1; l <= SphereKernels.LARGEST_DEGREE; l++) {
      if (truncation(b, l, bessel) <= LEFT_OUT) {
        return l;
      }
    }
    return 0;
  }

  /**
   * Bound of the sums over l &gt; L of (2l + 1) i_l, of l (2l + 1) i_l / x = l (i_{l-1} - i_{l+1})
   * (a harmonic of degree l changes by l a radian at most) and of (2l + 1) i_l' = l i_{l-1} + (l +
   * 1) i_{l+1} at x = b |z|, over e^b: the first and the last together. Neighbours have a ratio i_l
   * / i_{l-1} below x / (2l + 1), and so the terms one below (l + 1) / l times that; the functions
   * grow with x, and e^{x - b} &lt; e where the kernels take a row (c &lt; 1 in sphere_rows.cl).
   */
  private static double truncation(double b, int degree, double[] bessel) {
    int l = degree + 1;
    double ratio = SeriesBounds.REACH * b / (2 * l + 1) * (l + 1) / l;
    double first = (2 * l + 1) * bessel[l] + l * bessel[l - 1] + (l + 1) * bessel[l + 1];
    return ratio >= 1 ? Double.POSITIVE_INFINITY : Math.E * first / (1 - ratio);
  }

  /**
   * The kernels' table of harmonics, {@code [(L + 1) (L + 2) / 2][2]}: see sphere.cl. The factors
   * are products of up to 2 L fractions, formed in 34 digits.
   */
  static double[] harmonics(int degree) {
    double[] table = new double[2 * SphereKernels.harmonics(degree)];
    MathContext digits = MathContext.DECIMAL128;
    BigDecimal sectoral = BigDecimal.ONE;
    int at = 0;
    for (int m = 0; m <= degree; m++) {
      if (m > 0) {
        sectoral =
            sectoral
                .multiply(BigDecimal.valueOf(2L * m + 1))
                .divide(BigDecimal.valueOf(2L * m), digits);
      }
      BigDecimal factor = m == 0 ? sectoral : sectoral.multiply(BigDecimal.valueOf(2));
      for (int l = m; l <= degree; l++) {
        long above = (long) l * l - (long) m * m;
        long below = 4L * l * l - 1;
        if (l > m) {
          factor =
              factor.multiply(BigDecimal.valueOf(below)).divide(BigDecimal.valueOf(above), digits);
        }
        table[at++] = (double) above / below;
        table[at++] = factor.doubleValue();
      }
    }
    return table;
  }
}
