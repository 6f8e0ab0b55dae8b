package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.model.Mask;

/**
 * Split sums in float64 for d &gt; 8; the twin of {@link SplitKernelSingle}. The self score is a
 * compensated dot product.
 */
final class SplitKernelDouble implements RowKernel {
  private final double[] x;
  private final int at;
  private final int n;
  private final int d;
  private final double[] panels;
  private final double[] y;
  private final Mask mask;

  /**
   * @param x positions, {@code [n][d]} from {@code at}
   * @param panels the same positions packed by {@link Panels}
   * @param y scaled queries beta S^T x_i, {@code [n][d]}
   */
  SplitKernelDouble(double[] x, int at, int n, int d, double[] panels, double[] y, Mask mask) {
    this.x = x;
    this.at = at;
    this.n = n;
    this.d = d;
    this.panels = panels;
    this.y = y;
    this.mask = mask;
  }

  @Override
  public void sum(int from, int to, RowSums[] rows) {
    double[] s = new double[Panels.WIDTH];
    double[] panelAcc = new double[d];
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (int i = from; i < to; i++) {
      RowSums row = rows[i - from];
      row.live = mask.liveKeys(i, n);
      row.self = selfScore(i);
      first = Math.min(first, mask.firstKey(i));
      last = Math.max(last, mask.lastKey(i, n));
    }
    for (int panel = first / Panels.WIDTH; panel <= last / Panels.WIDTH; panel++) {
      int start = panel * Panels.WIDTH;
      for (int i = from; i < to; i++) {
        int lo = Math.max(mask.firstKey(i), start) - start;
        int hi = Math.min(mask.lastKey(i, n), start + Panels.WIDTH - 1) - start;
        if (lo <= hi) {
          addPanel(i, panel, lo, hi, s, panelAcc, rows[i - from]);
        }
      }
    }
  }

  private double selfScore(int i) {
    double sum = 0;
    double low = 0;
    for (int c = 0; c < d; c++) {
      double a = y[i * d + c];
      double b = x[at + i * d + c];
      double product = a * b;
      double t = sum + product;
      // Knuth's exact sum and an exact product: the dot product as if in twice the precision.
      double z = t - sum;
      low += (sum - (t - z)) + (product - z) + Math.fma(a, b, -product);
      sum = t;
    }
    return sum + low;
  }

  private void addPanel(
      int i, int panel, int lo, int hi, double[] s, double[] panelAcc, RowSums row) {
    int start = panel * Panels.WIDTH;
    Panels.scores(y, i * d, panels, panel, d, s);
    if (mask.alibi() != 0) {
      for (int j = lo; j <= hi; j++) {
        s[j] += mask.bias(i, start + j);
      }
    }
    if (i >= start + lo && i <= start + hi) {
      s[i - start] = Double.NEGATIVE_INFINITY;
    }
    double max = Double.NEGATIVE_INFINITY;
    int best = -1;
    for (int j = lo; j <= hi; j++) {
      // Written so that a NaN score becomes the maximum and reaches the sums.
      if (!(s[j] <= max)) {
        max = s[j];
        best = start + j;
      }
    }
    if (max == Double.NEGATIVE_INFINITY) {
      return;
    }
    if (!(max <= row.max)) {
      row.raise(max);
      row.best = best;
    }
    double m = row.max;
    double off = 0;
    for (int j = lo; j <= hi; j++) {
      double p = Math.exp(s[j] - m);
      s[j] = p;
      off += p;
    }
    row.off += off;
    Arrays.fill(panelAcc, 0);
    int j = lo;
    int k = at + (start + lo) * d;
    for (; j + 4 <= hi + 1; j += 4, k += 4 * d) {
      double a = s[j];
      double b = s[j + 1];
      double e = s[j + 2];
      double f = s[j + 3];
      for (int c = 0; c < d; c++) {
        panelAcc[c] +=
            (a * x[k + c] + b * x[k + d + c]) + (e * x[k + 2 * d + c] + f * x[k + 3 * d + c]);
      }
    }
    for (; j <= hi; j++, k += d) {
      double a = s[j];
      for (int c = 0; c < d; c++) {
        panelAcc[c] += a * x[k + c];
      }
    }
    for (int c = 0; c < d; c++) {
      row.acc[c] += panelAcc[c];
    }
  }
}
