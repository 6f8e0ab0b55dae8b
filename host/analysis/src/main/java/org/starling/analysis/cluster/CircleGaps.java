package org.starling.analysis.cluster;

import java.util.Arrays;

/**
 * Clusters on the circle from the sorted gaps, the largest-gap rule: the circle is cut at its
 * largest gap, and again at every other gap wider than the threshold. The same partition as single
 * linkage by angle, in O(n log n).
 */
public final class CircleGaps {
  private CircleGaps() {}

  /**
   * @param angles {@code [n]}, radians; any winding (lifted angles are wrapped here)
   * @param threshold radians, &gt; 0: a gap at least this wide separates
   */
  public static Clusters of(double[] angles, double threshold) {
    if (!(threshold > 0)) {
      throw new IllegalArgumentException("a gap that separates must be > 0, not " + threshold);
    }
    int n = angles.length;
    Integer[] order = sorted(angles);
    int[] roots = new int[n];
    int cut = largestGap(angles, order);
    int root = order[cut];
    for (int s = 0; s < n; s++) {
      int k = (cut + s) % n;
      if (s > 0 && gapBefore(angles, order, k) >= threshold) {
        root = order[k];
      }
      roots[order[k]] = root;
    }
    return Clusters.ofRoots(roots);
  }

  /** The widest empty arc between neighbours, radians; 2 pi for a single token. */
  public static double largest(double[] angles) {
    Integer[] order = sorted(angles);
    return gapBefore(angles, order, largestGap(angles, order));
  }

  private static Integer[] sorted(double[] angles) {
    if (angles.length == 0) {
      throw new IllegalArgumentException("no angles are given");
    }
    Integer[] order = new Integer[angles.length];
    double[] wrapped = new double[angles.length];
    for (int i = 0; i < angles.length; i++) {
      order[i] = i;
      wrapped[i] = wrap(angles[i]);
    }
    Arrays.sort(order, (a, b) -> Double.compare(wrapped[a], wrapped[b]));
    return order;
  }

  /** Position in the order behind the widest gap. */
  private static int largestGap(double[] angles, Integer[] order) {
    int best = 0;
    for (int k = 1; k < order.length; k++) {
      if (gapBefore(angles, order, k) > gapBefore(angles, order, best)) {
        best = k;
      }
    }
    return best;
  }

  /** Arc from the token before the k-th in order to it, across 2 pi for k = 0. */
  private static double gapBefore(double[] angles, Integer[] order, int k) {
    double here = wrap(angles[order[k]]);
    if (k == 0) {
      return here + 2 * Math.PI - wrap(angles[order[order.length - 1]]);
    }
    return here - wrap(angles[order[k - 1]]);
  }

  /** The angle in [0, 2 pi). */
  private static double wrap(double angle) {
    if (!Double.isFinite(angle)) {
      throw new IllegalArgumentException("an angle is " + angle);
    }
    double turn = 2 * Math.PI;
    double r = angle - turn * Math.floor(angle / turn);
    return r >= turn ? 0 : r;
  }
}
