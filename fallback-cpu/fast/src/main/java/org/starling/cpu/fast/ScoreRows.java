package org.starling.cpu.fast;

import org.starling.core.model.Layer;
import org.starling.core.model.Weight;

/** Whole rows of scores or inner products, one row in memory at a time per thread, in float64. */
final class ScoreRows {
  private final int n;
  private final int d;
  private final double[] panels;

  ScoreRows(double[] x, int n, int d) {
    this.n = n;
    this.d = d;
    this.panels = Panels.pack(x, 0, n, d);
  }

  /** Length that a row buffer needs. */
  int length() {
    return Panels.count(n) * Panels.WIDTH;
  }

  /** row[j] = &lt;y, x_j&gt; for all j &lt; n; {@code scratch} has {@link Panels#WIDTH} numbers. */
  void products(double[] y, int yAt, double[] row, double[] scratch) {
    for (int p = 0; p < Panels.count(n); p++) {
      Panels.scores(y, yAt, panels, p, d, scratch);
      System.arraycopy(scratch, 0, row, p * Panels.WIDTH, Panels.WIDTH);
    }
  }

  /**
   * Turns products &lt;beta S^T x_i, x_j&gt; (or a user's scores) into the scores of row i: bias
   * and the log of the key's weight added, dead keys at -infinity.
   */
  static void mask(Layer layer, int head, int i, int n, double[] row) {
    int first = layer.mask().firstKey(i);
    int last = layer.mask().lastKey(i, n);
    for (int j = 0; j < n; j++) {
      boolean live =
          j >= first
              && j <= last
              && layer.mask().live(i, j)
              && (layer.interaction() == null || layer.interaction().live(i, j, n));
      double bias = live ? layer.bias(head, i, j) + Math.log(layer.weight(j)) : 0;
      row[j] = live ? row[j] + bias : Double.NEGATIVE_INFINITY;
    }
  }

  /** Queries beta S^T x_i of one head, {@code [n][d]}. */
  static double[] queries(Layer layer, int head, double[] x, int n, int d) {
    Weight s = layer.heads().get(head).s();
    return TokenProducts.of(s.transposed(), layer.beta(), x, n, d);
  }
}
