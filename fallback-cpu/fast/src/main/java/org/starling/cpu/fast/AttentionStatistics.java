package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;

/** Energy, entropy and rows of the attention of one replica, a row at a time. */
final class AttentionStatistics {
  private AttentionStatistics() {}

  private interface Row {
    /** @param scores beta &lt;Q x_i, K x_j&gt; or the user's score for all j &lt; n, unmasked */
    void run(int i, double[] scores);
  }

  private static void forEachRow(
      Layer layer, int head, double[] x, int n, int d, int[] chosen, Row body) {
    double[] y = null;
    double[] q = null;
    double[] k = null;
    ScoreRows rows = new ScoreRows(x, n, d);
    if (layer.interaction() == null) {
      y = ScoreRows.queries(layer, head, x, n, d);
    } else {
      q = TokenProducts.of(layer.heads().get(head).q(), 1, x, n, d);
      k = TokenProducts.of(layer.heads().get(head).k(), 1, x, n, d);
    }
    double[] queries = y;
    double[] userQueries = q;
    double[] userKeys = k;
    int m = layer.heads().get(head).q().rows();
    Rows.forEachBlock(
        chosen.length,
        RowKernel.BLOCK,
        (from, to) -> {
          double[] row = new double[rows.length()];
          double[] scratch = new double[Panels.WIDTH];
          for (int a = from; a < to; a++) {
            int i = chosen[a];
            if (queries != null) {
              rows.products(queries, i * d, row, scratch);
            } else {
              for (int j = 0; j < n; j++) {
                row[j] =
                    layer
                        .interaction()
                        .score(userQueries, i * m, userKeys, j * m, m, i, j, layer.beta());
              }
            }
            body.run(a, row);
          }
        });
  }

  private static int[] all(int n) {
    int[] a = new int[n];
    Arrays.setAll(a, i -> i);
    return a;
  }

  static double energy(Layer layer, double[] x, int n, int d) {
    double total = 0;
    for (int h = 0; h < layer.heads().size(); h++) {
      double[] perRow = new double[n];
      forEachRow(
          layer,
          h,
          x,
          n,
          d,
          all(n),
          (i, s) -> {
            double sum = 0;
            for (int j = 0; j < n; j++) {
              sum += Math.exp(s[j] - layer.beta());
            }
            perRow[i] = sum;
          });
      for (double v : perRow) {
        total += v;
      }
    }
    return total / layer.heads().size() / n / n;
  }

  static double entropy(Layer layer, double[] x, int n, int d) {
    double total = 0;
    long live = 0;
    for (int h = 0; h < layer.heads().size(); h++) {
      double[] perRow = new double[n];
      boolean[] alive = new boolean[n];
      forEachRow(
          layer,
          h,
          x,
          n,
          d,
          all(n),
          (i, s) -> {
            ScoreRows.mask(layer, i, n, s);
            alive[i] = weights(layer.normalisation(), s, n, true);
            double sum = 0;
            for (int j = 0; alive[i] && j < n; j++) {
              sum -= s[j] == 0 ? 0 : s[j] * Math.log(s[j]);
            }
            perRow[i] = sum;
          });
      for (int i = 0; i < n; i++) {
        total += perRow[i];
        live += alive[i] ? 1 : 0;
      }
    }
    return total / live;
  }

  static double[][] rows(Layer layer, int head, double[] x, int n, int d, int[] chosen) {
    double[][] result = new double[chosen.length][];
    forEachRow(
        layer,
        head,
        x,
        n,
        d,
        chosen,
        (a, s) -> {
          ScoreRows.mask(layer, chosen[a], n, s);
          weights(layer.normalisation(), s, n, false);
          result[a] = Arrays.copyOf(s, n);
        });
    return result;
  }

  /**
   * Scores into weights in place. Returns false (all zeros) for a row without a live key.
   *
   * @param normalise divide an unnormalised row by its sum, as the entropy needs
   */
  private static boolean weights(
      Normalisation normalisation, double[] s, int n, boolean normalise) {
    double max = Double.NEGATIVE_INFINITY;
    int best = -1;
    int live = 0;
    for (int j = 0; j < n; j++) {
      if (s[j] != Double.NEGATIVE_INFINITY) {
        live++;
        if (!(s[j] <= max)) {
          max = s[j];
          best = j;
        }
      }
    }
    if (live == 0) {
      Arrays.fill(s, 0, n, 0);
      return false;
    }
    double sum = 0;
    for (int j = 0; j < n; j++) {
      if (normalisation == Normalisation.HARDMAX) {
        s[j] = j == best ? 1 : 0;
      } else if (normalisation == Normalisation.UNNORMALISED && !normalise) {
        s[j] = Math.exp(s[j]) / live;
      } else {
        s[j] = Math.exp(s[j] - max);
      }
      sum += s[j];
    }
    if (normalisation != Normalisation.UNNORMALISED || normalise) {
      for (int j = 0; j < n; j++) {
        s[j] /= sum;
      }
    }
    return true;
  }
}
