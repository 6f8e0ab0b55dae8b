package org.starling.cpu.fast;

import org.starling.core.model.Weight;

/** Products of one matrix with every token, in float64. */
final class TokenProducts {
  private TokenProducts() {}

  /**
   * factor W x_i for i = 0 .. n - 1.
   *
   * @param x positions {@code [n][d]}
   * @return {@code [n][w.rows()]}
   */
  static double[] of(Weight w, double factor, double[] x, int n, int d) {
    int m = w.rows();
    double[] y = new double[Math.multiplyExact(n, m)];
    if (w instanceof Weight.Scalar || w instanceof Weight.Diagonal) {
      for (int i = 0; i < n; i++) {
        for (int c = 0; c < d; c++) {
          double e = w instanceof Weight.Diagonal g ? g.entries()[c] : ((Weight.Scalar) w).c();
          y[i * d + c] = factor * e * x[i * d + c];
        }
      }
      return y;
    }
    double[] t = w.transposed().dense();
    Rows.forEachBlock(
        n,
        RowKernel.BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int o = i * m;
            for (int b = 0; b < d; b++) {
              double xb = factor * x[i * d + b];
              int row = b * m;
              for (int a = 0; a < m; a++) {
                y[o + a] += xb * t[row + a];
              }
            }
          }
        });
    return y;
  }
}
