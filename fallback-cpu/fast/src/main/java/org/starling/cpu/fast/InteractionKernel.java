package org.starling.cpu.fast;

import org.starling.core.model.Interaction;
import org.starling.core.model.Mask;

/**
 * A user's interaction, called once per pair in float64; differences x_j - x_i are summed. Rows may
 * have no live key at all.
 */
final class InteractionKernel implements RowKernel {
  private final double[] x;
  private final int n;
  private final int d;
  private final double[] q;
  private final double[] k;
  private final int m;
  private final Mask mask;
  private final Interaction interaction;
  private final double beta;

  /**
   * @param x positions {@code [n][d]}
   * @param q queries Q x_i, {@code [n][m]}
   * @param k keys K x_j, {@code [n][m]}
   */
  InteractionKernel(
      double[] x,
      int n,
      int d,
      double[] q,
      double[] k,
      int m,
      Mask mask,
      Interaction interaction,
      double beta) {
    this.x = x;
    this.n = n;
    this.d = d;
    this.q = q;
    this.k = k;
    this.m = m;
    this.mask = mask;
    this.interaction = interaction;
    this.beta = beta;
  }

  @Override
  public Worker worker() {
    return this::sum;
  }

  private void sum(int from, int to, RowSums[] rows) {
    for (int i = from; i < to; i++) {
      RowSums row = rows[i - from];
      row.differences = true;
      row.self =
          interaction.live(i, i, n)
              ? interaction.score(q, i * m, k, i * m, m, i, i, beta) + mask.bias(i, i)
              : Double.NEGATIVE_INFINITY;
      row.selfLive = row.self != Double.NEGATIVE_INFINITY;
      row.live = row.selfLive ? 1 : 0;
      int last = mask.lastKey(i, n);
      for (int j = mask.firstKey(i); j <= last; j++) {
        if (j != i && interaction.live(i, j, n)) {
          add(i, j, row);
        }
      }
    }
  }

  private void add(int i, int j, RowSums row) {
    double s = interaction.score(q, i * m, k, j * m, m, i, j, beta) + mask.bias(i, j);
    if (s == Double.NEGATIVE_INFINITY) {
      // A score of -infinity has weight 0: the same as a dead key.
      return;
    }
    row.live++;
    if (!(s <= row.max)) {
      row.raise(s);
      row.best = j;
    }
    double p = Math.exp(s - row.max);
    row.off += p;
    for (int c = 0; c < d; c++) {
      row.acc[c] += p * (x[j * d + c] - x[i * d + c]);
    }
  }
}
