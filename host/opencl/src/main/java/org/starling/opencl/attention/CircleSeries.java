package org.starling.opencl.attention;

import java.util.Locale;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.kernels.CircleKernels;

/**
 * The series of a layer on the circle: how long it must be, what it leaves out, and the host's
 * table of circle.cl. A function of the layer and the precision, never of the state.
 *
 * @param terms highest frequency K
 * @param truncation bound of what the frequencies beyond K have of a key's weight, or of its weight
 *     times a coordinate, relative to e^b
 * @param largest {@code [POWERS]}: largest ||z|^2 - 1| for which the powers up to p suffice
 * @param layer what it is for
 */
record CircleSeries(int terms, double truncation, double[] largest, Layer layer) {
  /** Frequencies are added until what is left out is a rounding. */
  private static final double LEFT_OUT = 0x1p-52;

  /** Largest ||z|^2 - 1| of a token, and the query's and key's norms together at most. */
  private static final double LARGEST_EXCESS = 0.1;

  private static final double REACH = 1 + LARGEST_EXCESS;

  /** Beyond this e^b has no room in float64. */
  private static final double LARGEST_EXPONENT = 600;

  /** Why the layer has no series, as a clause; null if it has. */
  static String refusal(Layer layer) {
    if (layer.d() != 2) {
      return "it is for tokens on the circle, d = 2, not d = " + layer.d();
    }
    if (layer.geometry() != Geometry.SPHERE) {
      return "tokens off the unit circle have radii of their own (geometry sphere is needed)";
    }
    if (layer.interaction() != null) {
      return "an interaction of your own has no known series";
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      return "hardmax is no sum";
    }
    Mask mask = layer.mask();
    if (mask.alibi() != 0) {
      return "the bias of alibi does not depend on the angle alone";
    }
    if (mask.window() != Mask.NONE) {
      return "a window's sums would be small differences of long ones";
    }
    double b = strength(layer);
    if (!(b < Double.POSITIVE_INFINITY) || terms(b) == 0) {
      return String.format(
          Locale.ROOT, "scores up to beta |S| = %.3g need more than %d frequencies", b, longest());
    }
    if (layer.normalisation() == Normalisation.UNNORMALISED && b > LARGEST_EXPONENT) {
      return String.format(Locale.ROOT, "unnormalised weights up to e^%.3g have no room", b);
    }
    return null;
  }

  private static int longest() {
    return CircleKernels.LIMITS.get(CircleKernels.LIMITS.size() - 1) - CircleKernels.MARGIN - 1;
  }

  /** Needs {@link #refusal} to be null. */
  static CircleSeries of(Layer layer, Precision precision) {
    double b = strength(layer);
    int terms = terms(b);
    double[] largest = new double[CircleKernels.POWERS];
    double allowed = precision == Precision.SINGLE ? 0x1p-46 : 0x1p-52;
    for (int p = 0; p < largest.length; p++) {
      largest[p] = Math.min(LARGEST_EXCESS, 2 * exponent(p, allowed) / (REACH * b));
    }
    return new CircleSeries(terms, truncation(b, terms, scaled(b)), largest, layer);
  }

  int limit() {
    return CircleKernels.limitFor(terms);
  }

  /** Largest b of a unit query: beta times the largest norm of a score matrix. */
  static double strength(Layer layer) {
    double b = 0;
    for (Layer.LayerHead head : layer.heads()) {
      b = Math.max(b, Math.abs(layer.beta()) * norm(head.s()));
    }
    return b;
  }

  /** Spectral norm of a matrix {@code [2][2]}. */
  private static double norm(Weight w) {
    if (LayerTables.isScalar(w)) {
      return Math.abs(LayerTables.scalar(w));
    }
    double[] m = w.dense();
    double scale = 0;
    for (double e : m) {
      scale = Math.max(scale, Math.abs(e));
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      return scale;
    }
    double squares = 0;
    for (double e : m) {
      squares += (e / scale) * (e / scale);
    }
    double determinant = (m[0] / scale) * (m[3] / scale) - (m[1] / scale) * (m[2] / scale);
    double gap = squares * squares - 4 * determinant * determinant;
    return scale * Math.sqrt(0.5 * (squares + Math.sqrt(Math.max(0, gap))));
  }

  private static double[] scaled(double b) {
    return Bessel.scaled(REACH * b, longest() + 2);
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
    double ratio = REACH * b / (2 * k + 4);
    return ratio >= 1
        ? Double.POSITIVE_INFINITY
        : Math.E * (bessel[k] + bessel[k + 1] + 4 * bessel[k + 1] / (1 - ratio));
  }

  /** Largest c &lt; 1 with 2.2 c^{p+1} / (p+1)! / (1 - c) within what is allowed. */
  private static double exponent(int p, double allowed) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 80; step++) {
      double c = 0.5 * (low + high);
      double bound = 2.2 / (1 - c);
      for (int q = 1; q <= p + 1; q++) {
        bound *= c / q;
      }
      if (bound <= allowed) {
        low = c;
      } else {
        high = c;
      }
    }
    return low;
  }

  /**
   * The table of circle.cl.
   *
   * @param own allowed error relative to a token's own speed
   * @param others allowed error relative to the weight of all other tokens
   */
  double[] table(double own, double others) {
    int limit = limit();
    int perHead = CircleKernels.HEAD_NUMBERS + limit;
    double[] t = new double[CircleKernels.SLOT_NUMBERS + layer.heads().size() * perHead];
    t[1] = terms;
    t[2] = layer.normalisation() == Normalisation.UNNORMALISED ? 1 : 0;
    t[3] = layer.heads().size();
    t[4] = truncation;
    t[5] = LARGEST_EXCESS;
    t[6] = own;
    t[7] = others;
    System.arraycopy(largest, 0, t, 8, largest.length);
    for (int h = 0; h < layer.heads().size(); h++) {
      head(layer.heads().get(h), limit, t, CircleKernels.SLOT_NUMBERS + h * perHead);
    }
    return t;
  }

  private void head(Layer.LayerHead head, int limit, double[] t, int at) {
    if (LayerTables.isScalar(head.s())) {
      double factor = layer.beta() * LayerTables.scalar(head.s());
      t[at] = 1;
      t[at + 1] = factor;
      double[] bessel = Bessel.scaled(Math.abs(factor), limit);
      System.arraycopy(bessel, 0, t, at + CircleKernels.HEAD_NUMBERS, limit);
    } else {
      System.arraycopy(head.s().scaled(layer.beta()).dense(), 0, t, at + 2, 4);
    }
    if (LayerTables.isScalar(head.v())) {
      t[at + 6] = 1;
      t[at + 7] = LayerTables.scalar(head.v());
    } else {
      System.arraycopy(head.v().dense(), 0, t, at + 8, 4);
    }
    t[at + 12] = norm(head.v());
  }
}
