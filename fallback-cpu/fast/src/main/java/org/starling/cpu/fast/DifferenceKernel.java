package org.starling.cpu.fast;

import org.starling.core.model.Mask;

/**
 * Differences in float64 for d &lt;= 8: scores relative to the self score, r_ij = &lt;y_i, x_j -
 * x_i&gt;, and sums of e^{r_ij} (x_j - x_i). Nothing cancels, neither far apart nor inside
 * clusters. The exponential dominates here, so single precision gains nothing from float32 sums.
 */
final class DifferenceKernel implements RowKernel {
  /** Largest dimension this kernel is chosen for. */
  static final int MAX_D = 8;

  /** Keys handled at a time; chunks are anchored at token 0. */
  private static final int CHUNK = 256;

  private final double[][] x;
  private final int n;
  private final int d;
  private final double[][] y;
  private final Mask mask;

  /**
   * @param x positions by coordinate, {@code [d][n]}
   * @param y scaled queries beta S^T x_i by coordinate, {@code [d][n]}
   */
  DifferenceKernel(double[][] x, int n, double[][] y, Mask mask) {
    this.x = x;
    this.n = n;
    this.d = x.length;
    this.y = y;
    this.mask = mask;
  }

  @Override
  public void sum(int from, int to, RowSums[] rows) {
    double[] r = new double[CHUNK];
    for (int i = from; i < to; i++) {
      RowSums row = rows[i - from];
      row.differences = true;
      row.relative = true;
      row.live = mask.liveKeys(i, n);
      int first = mask.firstKey(i);
      int last = mask.lastKey(i, n);
      for (int start = first / CHUNK * CHUNK; start <= last; start += CHUNK) {
        addChunk(i, Math.max(first, start), Math.min(last, start + CHUNK - 1), r, row);
      }
    }
  }

  private void addChunk(int i, int lo, int hi, double[] r, RowSums row) {
    int count = hi - lo + 1;
    relativeScores(i, lo, count, r);
    double max = Double.NEGATIVE_INFINITY;
    int best = -1;
    for (int j = 0; j < count; j++) {
      // Written so that a NaN score becomes the maximum and reaches the sums.
      if (!(r[j] <= max)) {
        max = r[j];
        best = lo + j;
      }
    }
    if (max == Double.NEGATIVE_INFINITY) {
      return;
    }
    if (!(max <= row.max)) {
      row.raise(max);
      row.best = best;
    }
    double off = 0;
    for (int j = 0; j < count; j++) {
      r[j] = Math.exp(r[j] - row.max);
      off += r[j];
    }
    row.off += off;
    for (int c = 0; c < d; c++) {
      double[] xc = x[c];
      double xi = xc[i];
      double s0 = 0;
      double s1 = 0;
      int j = 0;
      for (; j + 2 <= count; j += 2) {
        s0 += r[j] * (xc[lo + j] - xi);
        s1 += r[j + 1] * (xc[lo + j + 1] - xi);
      }
      if (j < count) {
        s0 += r[j] * (xc[lo + j] - xi);
      }
      row.acc[c] += s0 + s1;
    }
  }

  /** r[j] = &lt;y_i, x_j - x_i&gt; + bias for j = lo .. lo + count - 1; -infinity at j = i. */
  private void relativeScores(int i, int lo, int count, double[] r) {
    for (int c = 0; c < d; c++) {
      double[] xc = x[c];
      double xi = xc[i];
      double yi = y[c][i];
      if (c == 0) {
        for (int j = 0; j < count; j++) {
          r[j] = yi * (xc[lo + j] - xi);
        }
      } else {
        for (int j = 0; j < count; j++) {
          r[j] += yi * (xc[lo + j] - xi);
        }
      }
    }
    if (mask.alibi() != 0) {
      for (int j = 0; j < count; j++) {
        r[j] += mask.bias(i, lo + j);
      }
    }
    if (i >= lo && i < lo + count) {
      r[i - lo] = Double.NEGATIVE_INFINITY;
    }
  }
}
