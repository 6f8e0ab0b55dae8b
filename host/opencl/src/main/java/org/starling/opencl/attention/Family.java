package org.starling.opencl.attention;

import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.kernels.AttentionKernels;

/** How scores are formed and used; each has its own kernel variant. */
enum Family {
  /** Inner products (d &gt; 8) or products with differences (d &lt;= 8). */
  PLAIN,
  /** Products with differences (d &gt; 8), carried in two numbers (d &lt;= 8). */
  CAREFUL,
  /** The largest score alone counts. */
  HARDMAX,
  /** Series of the keys on circle and sphere, in {@link SeriesLaunch}; see {@link SumChoice}. */
  SERIES,
  /** Differences, a key for each group of tokens that stand together. */
  MERGED,
  /** Differences, keys with weights, first keys for all, a sink. */
  KEYED;

  /**
   * Inner products that may reach this are formed relative to self. Below it their rounding, 2^-24
   * of it at the largest, stays within half the tolerance's median error, 2e-5 of a weight; tokens
   * far apart, whose products are small, are better served by them.
   */
  private static final double LARGEST_PRODUCT = 160;

  /** Differences of scores that may reach this are carried in two numbers. */
  private static final double LARGEST_SCORE = 32;

  /** The family that computes a layer pair by pair; a function of the layer, never of the state. */
  static Family of(Layer layer, boolean fp64) {
    if (layer.merged() != null) {
      return MERGED;
    }
    if (layer.keyed()) {
      return KEYED;
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      return HARDMAX;
    }
    if (fp64) {
      return PLAIN;
    }
    double strength = 0;
    boolean nearest = layer.geometry() == Geometry.SPHERE;
    for (Layer.LayerHead head : layer.heads()) {
      strength = Math.max(strength, Math.abs(layer.beta()) * head.s().spectralBound());
      nearest &= head.s() instanceof Weight.Scalar c && c.c() * layer.beta() >= 0;
    }
    if (layer.d() <= AttentionKernels.SMALL_DIMENSION) {
      // Scores are differences already; where the nearest key has the largest one, it is small.
      return nearest || strength <= LARGEST_SCORE ? PLAIN : CAREFUL;
    }
    // Positions off the sphere have no scale of their own, and rescaled fields are differences.
    return layer.geometry() == Geometry.RESCALED || strength > LARGEST_PRODUCT ? CAREFUL : PLAIN;
  }
}
