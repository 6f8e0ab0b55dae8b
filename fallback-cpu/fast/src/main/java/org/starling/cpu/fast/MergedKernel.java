package org.starling.cpu.fast;

import org.starling.core.model.Mask;
import org.starling.core.model.MergedKeys;

/**
 * Rows against groups of keys that stand together: a key a group, weighted by how many of its
 * tokens are live in the row, the row's own token apart. Differences in float64 throughout; a row
 * costs what the number of groups costs.
 */
final class MergedKernel implements RowKernel {
  /** Groups handled at a time. */
  private static final int CHUNK = 256;

  private final double[] x;
  private final int n;
  private final int d;
  private final double[] y;
  private final Mask mask;
  private final MergedKeys merged;
  private final int[] group;
  private final int[] start;
  private final int[] members;

  /** Positions of the leaders by coordinate, {@code [d][groups]}. */
  private final double[][] keys;

  /**
   * @param x positions {@code [n][d]}
   * @param y scaled queries beta S^T x_i, {@code [n][d]}
   */
  MergedKernel(double[] x, int n, int d, double[] y, Mask mask, MergedKeys merged) {
    this.x = x;
    this.n = n;
    this.d = d;
    this.y = y;
    this.mask = mask;
    this.merged = merged;
    group = merged.group();
    start = merged.start();
    members = merged.members();
    int[] leaders = merged.leaders();
    keys = new double[d][leaders.length];
    for (int g = 0; g < leaders.length; g++) {
      for (int c = 0; c < d; c++) {
        keys[c][g] = x[leaders[g] * d + c];
      }
    }
  }

  @Override
  public Worker worker() {
    return this::sum;
  }

  private void sum(int from, int to, RowSums[] rows) {
    int groups = start.length - 1;
    int first = mask.firstKey(from);
    int last = mask.lastKey(from, n);
    double[] count = new double[groups];
    for (int g = 0; g < groups; g++) {
      count[g] = below(g, last + 1) - below(g, first);
    }
    double[] r = new double[CHUNK];
    for (int i = from; i < to; i++) {
      // Neither end of the interval of live keys ever goes back.
      while (first < mask.firstKey(i)) {
        count[group[first++]]--;
      }
      while (last < mask.lastKey(i, n)) {
        count[group[++last]]++;
      }
      RowSums row = rows[i - from];
      row.differences = true;
      row.relative = true;
      row.live = last - first + 1;
      if (mask.full() && merged.leader(i) != i) {
        continue; // the leader's row is its own
      }
      count[group[i]]--;
      for (int lo = 0; lo < groups; lo += CHUNK) {
        addChunk(i, lo, Math.min(CHUNK, groups - lo), count, r, row);
      }
      count[group[i]]++;
    }
  }

  /** Tokens of group g before token i. */
  private int below(int g, int i) {
    int lo = start[g];
    int hi = start[g + 1];
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (members[middle] < i) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo - start[g];
  }

  private void addChunk(int i, int lo, int size, double[] count, double[] r, RowSums row) {
    for (int c = 0; c < d; c++) {
      double[] kc = keys[c];
      double xi = x[i * d + c];
      double yi = y[i * d + c];
      if (c == 0) {
        for (int k = 0; k < size; k++) {
          r[k] = yi * (kc[lo + k] - xi);
        }
      } else {
        for (int k = 0; k < size; k++) {
          r[k] += yi * (kc[lo + k] - xi);
        }
      }
    }
    double max = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < size; k++) {
      // Written so that a NaN score becomes the maximum and reaches the sums.
      if (count[lo + k] > 0 && !(r[k] <= max)) {
        max = r[k];
      }
    }
    if (max == Double.NEGATIVE_INFINITY) {
      return;
    }
    if (!(max <= row.max)) {
      row.raise(max);
    }
    double off = 0;
    for (int k = 0; k < size; k++) {
      r[k] = count[lo + k] > 0 ? count[lo + k] * Math.exp(r[k] - row.max) : 0;
      off += r[k];
    }
    row.off += off;
    for (int c = 0; c < d; c++) {
      double[] kc = keys[c];
      double xi = x[i * d + c];
      double s = 0;
      for (int k = 0; k < size; k++) {
        // Not a product with 0: a key without live tokens may stand anywhere.
        s += r[k] == 0 ? 0 : r[k] * (kc[lo + k] - xi);
      }
      row.acc[c] += s;
    }
  }
}
