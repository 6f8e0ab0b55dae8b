package org.starling.cpu.fast;

import org.starling.core.model.Layer;
import org.starling.core.model.Mask;

/**
 * Rows against keys that differ: weights, first keys that all see, a sink. Differences in float64
 * throughout, scores relative to the self score and weights to the row's own.
 */
final class KeyedKernel implements RowKernel {
  /** Keys handled at a time. */
  private static final int CHUNK = 256;

  private final int n;
  private final int d;
  private final double[] x;
  private final double[] y;
  private final Layer layer;
  private final Mask mask;

  /** Positions by coordinate, {@code [d][n]}. */
  private final double[][] keys;

  private final double[] weight;
  private final int head;

  /**
   * @param x positions {@code [n][d]}
   * @param y scaled queries beta S^T x_i, {@code [n][d]}
   */
  KeyedKernel(double[] x, int n, int d, double[] y, Layer layer, int head) {
    this.head = head;
    this.n = n;
    this.d = d;
    this.x = x;
    this.y = y;
    this.layer = layer;
    mask = layer.mask();
    keys = new double[d][n];
    weight = new double[n];
    for (int j = 0; j < n; j++) {
      weight[j] = layer.weight(j);
      for (int c = 0; c < d; c++) {
        keys[c][j] = x[j * d + c];
      }
    }
  }

  @Override
  public Worker worker() {
    double[] r = new double[CHUNK];
    double[] a = new double[CHUNK];
    return (from, to, rows) -> {
      for (int i = from; i < to; i++) {
        row(i, r, a, rows[i - from]);
      }
    };
  }

  private void row(int i, double[] r, double[] a, RowSums row) {
    int first = mask.firstKey(i);
    int last = mask.lastKey(i, n);
    row.differences = true;
    row.relative = true;
    row.live = mask.liveKeys(i, n);
    row.mass = layer.liveMass(i, n) / weight[i];
    if (layer.sink() != null) {
      double self = 0;
      for (int c = 0; c < d; c++) {
        self += y[i * d + c] * x[i * d + c];
      }
      row.sink = layer.sink().score() - self - Math.log(weight[i]);
    }
    for (int lo = first; lo <= last; lo += CHUNK) {
      addChunk(i, lo, Math.min(CHUNK, last + 1 - lo), r, a, row);
    }
  }

  /**
   * @param r scores, then weights, of the chunk
   * @param a weights of the keys over the row's own, 0 for dead ones and for i
   */
  private void addChunk(int i, int lo, int size, double[] r, double[] a, RowSums row) {
    for (int k = 0; k < size; k++) {
      int j = lo + k;
      a[k] = j != i && mask.live(i, j) ? weight[j] / weight[i] : 0;
      r[k] = layer.bias(head, i, j);
    }
    for (int c = 0; c < d; c++) {
      double[] kc = keys[c];
      double xi = x[i * d + c];
      double yi = y[i * d + c];
      for (int k = 0; k < size; k++) {
        r[k] += yi * (kc[lo + k] - xi);
      }
    }
    double max = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < size; k++) {
      // Written so that a NaN score becomes the maximum and reaches the sums.
      if (a[k] > 0 && !(r[k] <= max)) {
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
      r[k] = a[k] > 0 ? a[k] * Math.exp(r[k] - row.max) : 0;
      off += r[k];
    }
    row.off += off;
    for (int c = 0; c < d; c++) {
      double[] kc = keys[c];
      double xi = x[i * d + c];
      double s = 0;
      for (int k = 0; k < size; k++) {
        // Not a product with 0: a dead key may stand anywhere.
        s += r[k] == 0 ? 0 : r[k] * (kc[lo + k] - xi);
      }
      row.acc[c] += s;
    }
  }
}
