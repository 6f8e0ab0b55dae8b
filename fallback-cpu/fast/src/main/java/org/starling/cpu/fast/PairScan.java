package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.engine.Observations.Clusters;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Observations.PairStatistics;

/** Statistics over all pairs of tokens of one replica, a block of rows in memory at a time. */
final class PairScan {
  /** Rows whose links are found in parallel before they are merged in order. */
  private static final int LINK_ROWS = 256;

  private PairScan() {}

  static double squaredDistance(double[] x, int a, int b, int d) {
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double e = x[a + c] - x[b + c];
      sum += e * e;
    }
    return sum;
  }

  /** x_i / |x_i|. */
  private static double[] directions(double[] x, int n, int d) {
    double[] u = x.clone();
    for (int i = 0; i < n; i++) {
      double square = 0;
      for (int c = 0; c < d; c++) {
        square += x[i * d + c] * x[i * d + c];
      }
      double norm = Math.sqrt(square);
      for (int c = 0; c < d; c++) {
        u[i * d + c] /= norm;
      }
    }
    return u;
  }

  static PairStatistics cosines(double[] x, int n, int d, int bins) {
    double[] u = directions(x, n, d);
    ScoreRows rows = new ScoreRows(u, n, d);
    double[] min = new double[n];
    double[] max = new double[n];
    double[] sum = new double[n];
    int blocks = (n + RowKernel.BLOCK - 1) / RowKernel.BLOCK;
    long[] histogram = new long[bins];
    long[][] partial = new long[blocks][];
    Rows.forEachBlock(
        n,
        RowKernel.BLOCK,
        (from, to) -> {
          double[] row = new double[rows.length()];
          double[] scratch = new double[Panels.WIDTH];
          long[] counts = new long[bins];
          for (int i = from; i < to; i++) {
            rows.products(u, i * d, row, scratch);
            min[i] = Double.POSITIVE_INFINITY;
            max[i] = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < n; j++) {
              if (j != i) {
                min[i] = Math.min(min[i], row[j]);
                max[i] = Math.max(max[i], row[j]);
                sum[i] += row[j];
                if (!Double.isNaN(row[j])) {
                  int bin = (int) Math.floor((row[j] + 1) / 2 * bins);
                  counts[Math.max(0, Math.min(bins - 1, bin))]++;
                }
              }
            }
          }
          partial[from / RowKernel.BLOCK] = counts;
        });
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    double total = 0;
    for (int i = 0; i < n; i++) {
      least = Math.min(least, min[i]);
      most = Math.max(most, max[i]);
      total += sum[i];
    }
    for (long[] counts : partial) {
      for (int b = 0; b < bins; b++) {
        histogram[b] += counts[b];
      }
    }
    if (n == 1) {
      return new PairStatistics(Double.NaN, Double.NaN, Double.NaN, histogram);
    }
    return new PairStatistics(least, total / n / (n - 1.0), most, histogram);
  }

  static Clusters clusters(double[] x, int n, int d, Linkage linkage, double threshold) {
    double[] u = linkage == Linkage.COSINE ? directions(x, n, d) : x;
    // |u_i - u_j|^2 below this links: for unit vectors cos > c is |u_i - u_j|^2 < 2 (1 - c).
    double limit = linkage == Linkage.COSINE ? 2 * (1 - threshold) : threshold * threshold;
    double[] square = new double[n];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < d; c++) {
        square[i] += u[i * d + c] * u[i * d + c];
      }
    }
    ScoreRows rows = new ScoreRows(u, n, d);
    int[] parent = new int[n];
    Arrays.setAll(parent, i -> i);
    long[][] links = new long[LINK_ROWS][(n + 63) / 64];
    for (int start = 0; start < n; start += LINK_ROWS) {
      int base = start;
      int count = Math.min(LINK_ROWS, n - start);
      Rows.forEachBlock(
          count,
          RowKernel.BLOCK,
          (from, to) -> {
            double[] row = new double[rows.length()];
            double[] scratch = new double[Panels.WIDTH];
            for (int a = from; a < to; a++) {
              int i = base + a;
              Arrays.fill(links[a], 0);
              rows.products(u, i * d, row, scratch);
              for (int j = 0; j < i; j++) {
                double far = square[i] + square[j] - 2 * row[j];
                // The expanded square cancels when tokens are close; near the limit use
                // differences.
                double slack = 1e-6 * limit + 1e-12 * (square[i] + square[j]);
                boolean close =
                    far < limit - slack
                        || (far < limit + slack && squaredDistance(u, i * d, j * d, d) < limit);
                if (close) {
                  links[a][j >> 6] |= 1L << (j & 63);
                }
              }
            }
          });
      for (int a = 0; a < count; a++) {
        for (int w = 0; w < links[a].length; w++) {
          for (long bits = links[a][w]; bits != 0; bits &= bits - 1) {
            join(parent, base + a, w * 64 + Long.numberOfTrailingZeros(bits));
          }
        }
      }
    }
    int[] labels = new int[n];
    int clusters = 0;
    for (int i = 0; i < n; i++) {
      labels[i] = root(parent, i);
      clusters += labels[i] == i ? 1 : 0;
    }
    return new Clusters(clusters, labels);
  }

  private static void join(int[] parent, int a, int b) {
    int ra = root(parent, a);
    int rb = root(parent, b);
    parent[Math.max(ra, rb)] = Math.min(ra, rb);
  }

  private static int root(int[] parent, int i) {
    int r = i;
    while (parent[r] != r) {
      parent[r] = parent[parent[r]];
      r = parent[r];
    }
    return r;
  }
}
