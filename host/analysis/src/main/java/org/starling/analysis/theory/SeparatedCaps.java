package org.starling.analysis.theory;

import java.util.Arrays;
import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.Clusters;
import org.starling.analysis.cluster.Link;
import org.starling.analysis.cluster.SingleLinkage;

/** The grouping of a start under which it is most separated. */
public final class SeparatedCaps {
  private static final double SMALLEST_EPS = 1e-12;
  private static final int MOST_CLUSTERS = 64;

  private SeparatedCaps() {}

  /**
   * Among the partitions by single linkage into 2 to 64 clusters, the {@link Separation} with the
   * largest gamma; O(n^2 d) for each.
   *
   * @param beta &gt; 1
   * @return null where every partition has a cluster too wide for eps &lt; 1/8
   */
  public static Separation best(Tokens x, double beta) {
    double[] merges = merges(x);
    Separation best = null;
    for (int k = 2; k <= Math.min(MOST_CLUSTERS, x.n()); k++) {
      // The k - 1 longest edges of the spanning tree are cut; a threshold lies between two edges.
      double longest = merges[merges.length - k + 1];
      double next = merges.length >= k ? merges[merges.length - k] : 0;
      if (!(longest > next)) {
        continue;
      }
      Clusters c = SingleLinkage.of(x, Link.angle((longest + next) / 2));
      Separation s = separation(x, c, beta);
      best = s != null && (best == null || s.gamma() > best.gamma()) ? s : best;
    }
    return best;
  }

  private static Separation separation(Tokens x, Clusters c, double beta) {
    try {
      return Separation.of(x, c, beta, SMALLEST_EPS);
    } catch (IllegalArgumentException tooWide) {
      return null;
    }
  }

  /** Edge lengths of the minimum spanning tree by angle, ascending (Prim). */
  private static double[] merges(Tokens x) {
    int n = x.n();
    double[] near = new double[n];
    Arrays.fill(near, Double.POSITIVE_INFINITY);
    boolean[] in = new boolean[n];
    double[] edges = new double[n - 1];
    int last = 0;
    in[0] = true;
    for (int e = 0; e < n - 1; e++) {
      int next = -1;
      for (int j = 0; j < n; j++) {
        if (!in[j]) {
          near[j] = Math.min(near[j], x.angle(last, j));
          next = next < 0 || near[j] < near[next] ? j : next;
        }
      }
      edges[e] = near[next];
      in[next] = true;
      last = next;
    }
    Arrays.sort(edges);
    return edges;
  }
}
