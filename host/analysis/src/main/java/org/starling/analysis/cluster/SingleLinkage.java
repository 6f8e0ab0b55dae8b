package org.starling.analysis.cluster;

import org.starling.analysis.Tokens;

/**
 * Clusters as connected components of the linked pairs. A count without its threshold says nothing:
 * chains of tokens count as one cluster (science of the causal paper, section 5 item 8, takes about
 * 0.25 beta^{-1/2} as the angle).
 */
public final class SingleLinkage {
  private SingleLinkage() {}

  /** Components of {pairs for which the link holds}; O(n^2 d) time, O(n) memory. */
  public static Clusters of(Tokens x, Link link) {
    int n = x.n();
    int[] parent = new int[n];
    for (int i = 0; i < n; i++) {
      parent[i] = i;
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        int a = root(parent, i);
        int b = root(parent, j);
        if (a != b && link.holds(x, i, j)) {
          parent[Math.max(a, b)] = Math.min(a, b);
        }
      }
    }
    for (int i = 0; i < n; i++) {
      parent[i] = root(parent, i);
    }
    return Clusters.ofRoots(parent);
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
