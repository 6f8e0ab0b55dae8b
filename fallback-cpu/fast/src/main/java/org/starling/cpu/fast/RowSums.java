package org.starling.cpu.fast;

import java.util.Arrays;

/**
 * What a row kernel knows about one query row and one head after its live keys j != i: a running
 * maximum over j != i only, and sums relative to it.
 */
final class RowSums {
  /** Largest score over live j != i; -infinity while there is none. */
  double max;

  /** sum_{j != i} e^{s_ij - max}. */
  double off;

  /** sum_{j != i} e^{s_ij - max} x_j, or of x_j - x_i where {@link #differences}. */
  final double[] acc;

  /** Whether {@link #acc} holds differences x_j - x_i. */
  boolean differences;

  /** Whether scores are relative to the self score, which is then 0. */
  boolean relative;

  /** s_ii on the same zero as {@link #max}. */
  double self;

  /** Whether the token sees itself. */
  boolean selfLive;

  /** Live keys, self included. */
  int live;

  /** Sum of the weights a_j of live keys, self included, over a_i; 0 where all weights are 1. */
  double mass;

  /** Score of the sink on the same zero as {@link #max}; -infinity without one. */
  double sink;

  /** Index of the largest score over live j != i, lowest first; -1 while there is none. */
  int best;

  RowSums(int d) {
    acc = new double[d];
  }

  void reset() {
    max = Double.NEGATIVE_INFINITY;
    off = 0;
    Arrays.fill(acc, 0);
    differences = false;
    relative = false;
    self = 0;
    selfLive = true;
    live = 0;
    mass = 0;
    sink = Double.NEGATIVE_INFINITY;
    best = -1;
  }

  /** Makes {@code newMax} the maximum, rescaling what was summed under the old one. */
  void raise(double newMax) {
    if (off != 0) {
      double factor = Math.exp(max - newMax);
      off *= factor;
      for (int c = 0; c < acc.length; c++) {
        acc[c] *= factor;
      }
    }
    max = newMax;
  }
}
