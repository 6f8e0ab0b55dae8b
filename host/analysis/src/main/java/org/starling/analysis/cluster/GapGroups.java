package org.starling.analysis.cluster;

import java.util.Arrays;

/**
 * Numbers on a line in groups separated by wide gaps.
 *
 * @param clusters the partition; clusters are ordered by their lowest index, not by value
 * @param centres mean of each cluster, {@code [count]}
 * @param spreads largest less smallest value of each cluster, {@code [count]}
 * @param range largest less smallest value of all
 */
public record GapGroups(Clusters clusters, double[] centres, double[] spreads, double range) {

  /**
   * @param values {@code [n]}, n &gt;= 1, finite
   * @param gap &gt;= 0: two neighbours further apart than this are in different groups
   */
  public static GapGroups of(double[] values, double gap) {
    int n = values.length;
    if (n == 0 || !(gap >= 0)) {
      throw new IllegalArgumentException("cannot group " + n + " numbers by gaps > " + gap);
    }
    Integer[] order = new Integer[n];
    for (int i = 0; i < n; i++) {
      if (!Double.isFinite(values[i])) {
        throw new IllegalArgumentException("value " + i + " is " + values[i]);
      }
      order[i] = i;
    }
    Arrays.sort(order, (a, b) -> Double.compare(values[a], values[b]));
    int[] roots = new int[n];
    int root = order[0];
    for (int k = 0; k < n; k++) {
      if (k > 0 && values[order[k]] - values[order[k - 1]] > gap) {
        root = order[k];
      }
      roots[order[k]] = root;
    }
    Clusters clusters = Clusters.ofRoots(roots);
    double[] sum = new double[clusters.count()];
    double[] low = new double[clusters.count()];
    double[] high = new double[clusters.count()];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < n; i++) {
      int c = clusters.labels()[i];
      sum[c] += values[i];
      low[c] = Math.min(low[c], values[i]);
      high[c] = Math.max(high[c], values[i]);
    }
    int[] sizes = clusters.sizes();
    for (int c = 0; c < sum.length; c++) {
      sum[c] /= sizes[c];
      high[c] -= low[c];
    }
    return new GapGroups(clusters, sum, high, values[order[n - 1]] - values[order[0]]);
  }
}
