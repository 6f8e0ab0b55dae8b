package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.model.Mask;

/**
 * Split sums in float32 for d &gt; 8: scores and values by panels of keys, panel sums in float32
 * added up in float64, the self score apart in float64 (an exact product sum up to its rounding).
 * Where scores can be large, float32 cannot hold them to the digits that count: they are then
 * formed relative to the self score.
 */
final class SplitKernelSingle implements RowKernel {
  private final float[] x;
  private final int at;
  private final int n;
  private final int d;
  private final float[] panels;
  private final float[] y;
  private final Mask mask;
  private final boolean relative;

  /**
   * @param x positions, {@code [n][d]} from {@code at}
   * @param panels the same positions packed by {@link Panels}
   * @param y scaled queries beta S^T x_i, {@code [n][d]}
   * @param relative form scores from differences
   */
  SplitKernelSingle(
      float[] x, int at, int n, int d, float[] panels, float[] y, Mask mask, boolean relative) {
    this.x = x;
    this.at = at;
    this.n = n;
    this.d = d;
    this.panels = panels;
    this.y = y;
    this.mask = mask;
    this.relative = relative;
  }

  @Override
  public void sum(int from, int to, RowSums[] rows) {
    float[] s = new float[Panels.WIDTH];
    float[] panelAcc = new float[d];
    int first = Integer.MAX_VALUE;
    int last = -1;
    for (int i = from; i < to; i++) {
      RowSums row = rows[i - from];
      row.live = mask.liveKeys(i, n);
      row.relative = relative;
      row.self = relative ? 0 : selfScore(i);
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
    for (int c = 0; c < d; c++) {
      sum += (double) y[i * d + c] * x[at + i * d + c];
    }
    return sum;
  }

  private void addPanel(
      int i, int panel, int lo, int hi, float[] s, float[] panelAcc, RowSums row) {
    int start = panel * Panels.WIDTH;
    if (relative) {
      Panels.relativeScores(y, i * d, x, at + i * d, panels, panel, d, s);
    } else {
      Panels.scores(y, i * d, panels, panel, d, s);
    }
    if (mask.alibi() != 0) {
      for (int j = lo; j <= hi; j++) {
        s[j] += (float) mask.bias(i, start + j);
      }
    }
    if (i >= start + lo && i <= start + hi) {
      s[i - start] = Float.NEGATIVE_INFINITY;
    }
    float max = Float.NEGATIVE_INFINITY;
    int best = -1;
    for (int j = lo; j <= hi; j++) {
      // Written so that a NaN score becomes the maximum and reaches the sums.
      if (!(s[j] <= max)) {
        max = s[j];
        best = start + j;
      }
    }
    if (max == Float.NEGATIVE_INFINITY) {
      return;
    }
    if (!(max <= row.max)) {
      row.raise(max);
      row.best = best;
    }
    float m = (float) row.max;
    double off = 0;
    for (int j = lo; j <= hi; j++) {
      float p = FloatExp.exp(s[j] - m);
      s[j] = p;
      off += p;
    }
    row.off += off;
    Arrays.fill(panelAcc, 0f);
    int j = lo;
    int k = at + (start + lo) * d;
    for (; j + 4 <= hi + 1; j += 4, k += 4 * d) {
      float a = s[j];
      float b = s[j + 1];
      float e = s[j + 2];
      float f = s[j + 3];
      for (int c = 0; c < d; c++) {
        panelAcc[c] +=
            (a * x[k + c] + b * x[k + d + c]) + (e * x[k + 2 * d + c] + f * x[k + 3 * d + c]);
      }
    }
    for (; j <= hi; j++, k += d) {
      float a = s[j];
      for (int c = 0; c < d; c++) {
        panelAcc[c] += a * x[k + c];
      }
    }
    for (int c = 0; c < d; c++) {
      row.acc[c] += panelAcc[c];
    }
  }
}
