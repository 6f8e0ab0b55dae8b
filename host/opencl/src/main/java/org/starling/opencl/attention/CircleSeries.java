package org.starling.opencl.attention;

import java.util.Locale;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.kernels.CircleKernels;

/**
 * The Fourier series of a layer on the circle.
 *
 * @param terms highest frequency K
 */
record CircleSeries(int terms, double truncation, double[] largest, Layer layer)
    implements Expansion {
  /** Frequencies are added until what is left out is a rounding. */
  private static final double LEFT_OUT = 0x1p-52;

  private static final double ROUNDING = 16 * 0x1p-53;

  /** Of powers beyond those that are summed, see circle_rows.cl. */
  private static final double POWERS_BEYOND = 2.2;

  private static final int TOKENS_PER_TERM = 128;

  /** Why scores up to b have no series, as a clause; null if they have. */
  static String refusal(double b) {
    return b < Double.POSITIVE_INFINITY && terms(b) > 0
        ? null
        : String.format(
            Locale.ROOT,
            "scores up to beta |S| = %.3g need more than %d frequencies",
            b,
            longest());
  }

  private static int longest() {
    return CircleKernels.LIMITS.get(CircleKernels.LIMITS.size() - 1) - CircleKernels.MARGIN - 1;
  }

  static CircleSeries of(Layer layer, Precision precision) {
    double b = SeriesBounds.strength(layer);
    int terms = terms(b);
    double[] largest = SeriesBounds.largest(CircleKernels.POWERS, b, POWERS_BEYOND, precision);
    return new CircleSeries(terms, truncation(b, terms, scaled(b)), largest, layer);
  }

  @Override
  public SummationReport.Basis basis() {
    return SummationReport.Basis.FOURIER;
  }

  @Override
  public double rounding() {
    return ROUNDING;
  }

  @Override
  public long worthwhileFrom() {
    return (long) TOKENS_PER_TERM * terms;
  }

  @Override
  public double[] bessel(double factor) {
    return Bessel.scaled(Math.abs(factor), limit());
  }

  int limit() {
    return CircleKernels.limitFor(terms);
  }

  private static double[] scaled(double b) {
    return Bessel.scaled(SeriesBounds.REACH * b, longest() + 2);
  }

  /** The least K that leaves out no more than a rounding; 0 if none is short enough. */
  private static int terms(double b) {
    double[] bessel = scaled(b);
    for (int k = 1; k <= longest(); k++) {
      if (truncation(b, k, bessel) <= LEFT_OUT) {
        return k;
      }
    }
    return 0;
  }

  /**
   * Bound of the sums over k &gt; K of 2 I_k, I_{k-1} - I_{k+1} and I_{k-1} + I_{k+1} at x = b |z|,
   * over e^b. Ratios of neighbours are below x / (2k), so that I_{K+1} + I_{K+2} + .. is below
   * I_{K+1} / (1 - x / (2K + 4)); the functions grow with x, and e^{x - b} &lt; e where the kernels
   * take a row (c &lt; 1 in circle_rows.cl).
   */
  private static double truncation(double b, int k, double[] bessel) {
    double ratio = SeriesBounds.REACH * b / (2 * k + 4);
    return ratio >= 1
        ? Double.POSITIVE_INFINITY
        : Math.E * (bessel[k] + bessel[k + 1] + 4 * bessel[k + 1] / (1 - ratio));
  }
}
