package org.starling.opencl.attention;

import java.util.Locale;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.kernels.SeriesKernels;

/**
 * The series by which the sums over keys of a layer are formed: how long it must be, what it leaves
 * out, and the host's table of series.cl. A function of the layer and the precision, never of the
 * state.
 */
sealed interface Expansion permits CircleSeries, SphereSeries {
  /** Beyond this e^b has no room in float64. */
  double LARGEST_EXPONENT = 600;

  /** Why the layer has no series, as a clause; null if it has. */
  static String refusal(Layer layer) {
    if (layer.d() != 2 && layer.d() != 3) {
      return "it is for tokens on the circle and the sphere, d = 2 and 3, not d = " + layer.d();
    }
    if (layer.geometry() != Geometry.SPHERE) {
      return "tokens off the unit sphere have radii of their own (geometry sphere is needed)";
    }
    if (layer.interaction() != null) {
      return "an interaction of your own has no known series";
    }
    if (layer.keyed()) {
      return "keys with weights, first keys for all, or a sink are summed pair by pair";
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
    double b = SeriesBounds.strength(layer);
    if (layer.normalisation() == Normalisation.UNNORMALISED && b > LARGEST_EXPONENT) {
      return String.format(Locale.ROOT, "unnormalised weights up to e^%.3g have no room", b);
    }
    return layer.d() == 2 ? CircleSeries.refusal(b) : SphereSeries.refusal(b);
  }

  /** Needs {@link #refusal} to be null. */
  static Expansion of(Layer layer, Precision precision) {
    return layer.d() == 2 ? CircleSeries.of(layer, precision) : SphereSeries.of(layer, precision);
  }

  /** What it is for. */
  Layer layer();

  SummationReport.Basis basis();

  /** Highest frequency or degree. */
  int terms();

  /**
   * Bound of what is left out of a key's weight, or of its weight times a coordinate, relative to
   * e^b.
   */
  double truncation();

  /** Largest ||z|^2 - 1| for which the powers up to p suffice, {@code [powers]}. */
  double[] largest();

  /**
   * Powers that suffice for keys that are so far off the unit sphere; all where even they do not.
   */
  default int powers(double excess) {
    int powers = 1;
    while (powers < largest().length && excess > largest()[powers - 1]) {
      powers++;
    }
    return powers;
  }

  /** Bound of the rounding of a key's weight, relative to e^b. */
  double rounding();

  /** From so many tokens on it is ahead of the pairs. */
  long worthwhileFrom();

  /** Bessel functions that a head's scalar score matrix is multiplied with; may be empty. */
  double[] bessel(double factor);

  /**
   * The table of series.cl.
   *
   * @param own allowed error relative to a token's own speed
   * @param others allowed error relative to the weight of all other tokens
   */
  default double[] table(SeriesKernels kernels, double own, double others) {
    int perHead = kernels.headNumbers() + kernels.bessel();
    int heads = layer().heads().size();
    double[] t = new double[kernels.slotNumbers() + heads * perHead];
    t[0] = rounding();
    t[1] = terms();
    t[2] = layer().normalisation() == Normalisation.UNNORMALISED ? 1 : 0;
    t[3] = heads;
    t[4] = truncation();
    t[5] = SeriesBounds.LARGEST_EXCESS;
    t[6] = own;
    t[7] = others;
    System.arraycopy(largest(), 0, t, SeriesKernels.COMMON_NUMBERS, largest().length);
    for (int h = 0; h < heads; h++) {
      Layer.LayerHead head = layer().heads().get(h);
      int at = kernels.slotNumbers() + h * perHead;
      int squared = layer().d() * layer().d();
      if (LayerTables.isScalar(head.s())) {
        double factor = layer().beta() * LayerTables.scalar(head.s());
        t[at] = 1;
        t[at + 1] = factor;
        double[] bessel = bessel(factor);
        System.arraycopy(bessel, 0, t, at + kernels.headNumbers(), bessel.length);
      } else {
        System.arraycopy(head.s().scaled(layer().beta()).dense(), 0, t, at + 2, squared);
      }
      at += 2 + squared;
      if (LayerTables.isScalar(head.v())) {
        t[at] = 1;
        t[at + 1] = LayerTables.scalar(head.v());
      } else {
        System.arraycopy(head.v().dense(), 0, t, at + 2, squared);
      }
      t[at + 2 + squared] = SeriesBounds.norm(head.v());
    }
    return t;
  }
}
