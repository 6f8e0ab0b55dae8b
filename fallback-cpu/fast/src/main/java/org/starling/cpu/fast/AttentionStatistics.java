package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;

/** Energy, entropy and rows of the attention of one replica, a row at a time. */
final class AttentionStatistics {
  private AttentionStatistics() {}

  private interface Row {
    /**
     * @param scores beta &lt;Q x_i, K x_j&gt; or the user's score for all j &lt; n, unmasked
     */
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
      int head = h;
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
            ScoreRows.mask(layer, head, i, n, s);
            double entropy = rowEntropy(layer.normalisation(), s, n);
            alive[i] = entropy >= 0 || Double.isNaN(entropy);
            perRow[i] = alive[i] ? entropy : 0;
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
          ScoreRows.mask(layer, head, chosen[a], n, s);
          weights(layer, chosen[a], s, n);
          result[a] = Arrays.copyOf(s, n);
        });
    return result;
  }

  /**
   * -sum_j w_j ln w_j = ln Z - sum_j e^{s_j - max} (s_j - max) / Z with Z = sum_j e^{s_j - max}; -1
   * for a row without a live key.
   */
  private static double rowEntropy(Normalisation normalisation, double[] s, int n) {
    int best = best(s, n);
    if (best < 0) {
      return -1;
    }
    if (normalisation == Normalisation.HARDMAX) {
      return 0;
    }
    double max = s[best];
    double z = 0;
    double sum = 0;
    for (int j = 0; j < n; j++) {
      double e = Math.exp(s[j] - max);
      z += e;
      sum += e == 0 ? 0 : e * (s[j] - max);
    }
    return Math.log(z) - sum / z;
  }

  /** Index of the largest live score, lowest first; a NaN wins; -1 when all keys are dead. */
  private static int best(double[] s, int n) {
    int best = -1;
    for (int j = 0; j < n; j++) {
      if (Double.isNaN(s[j])) {
        return j;
      }
      if (s[j] != Double.NEGATIVE_INFINITY && (best < 0 || s[j] > s[best])) {
        best = j;
      }
    }
    return best;
  }

  /** Scores into weights in place; all zeros for a row without a live key. */
  private static void weights(Layer layer, int i, double[] s, int n) {
    Normalisation normalisation = layer.normalisation();
    int best = best(s, n);
    if (best < 0) {
      Arrays.fill(s, 0, n, 0);
      return;
    }
    double max = s[best];
    int live = 0;
    double sum = 0;
    for (int j = 0; j < n; j++) {
      live += s[j] == Double.NEGATIVE_INFINITY ? 0 : 1;
      if (normalisation == Normalisation.HARDMAX) {
        s[j] = Double.isNaN(max) ? Double.NaN : j == best ? 1 : 0;
      } else {
        s[j] = Math.exp(normalisation == Normalisation.UNNORMALISED ? s[j] : s[j] - max);
      }
      sum += s[j];
    }
    double keys = layer.keyed() ? layer.liveMass(i, n) : live;
    double sink = layer.sink() == null ? 0 : Math.exp(layer.sink().score() - max);
    double total = normalisation == Normalisation.UNNORMALISED ? keys : sum + sink;
    for (int j = 0; j < n; j++) {
      s[j] /= total;
    }
  }
}
