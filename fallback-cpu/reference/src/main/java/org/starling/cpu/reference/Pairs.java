package org.starling.cpu.reference;

import java.util.HashSet;
import java.util.Set;
import org.starling.core.engine.Observations.Clusters;
import org.starling.core.engine.Observations.Linkage;

/** Cosines of pairs of tokens and the clusters that linked pairs form. */
final class Pairs {
  private Pairs() {}

  /** &lt;x_i,x_j&gt; / (|x_i| |x_j|); NaN where a norm is 0. */
  static double cosine(ReferenceArray state, int r, int i, int j) {
    int d = state.shape().d();
    double[] x = state.values();
    int xi = state.at(r) + i * d;
    int xj = state.at(r) + j * d;
    return Algebra.dot(x, xi, x, xj, d) / (Algebra.norm(x, xi, d) * Algebra.norm(x, xj, d));
  }

  /** Connected components of the linked pairs; a label is the lowest token of its cluster. */
  static Clusters components(ReferenceArray state, int r, Linkage linkage, double threshold) {
    int n = state.shape().n();
    int[] label = new int[n];
    for (int i = 0; i < n; i++) {
      label[i] = i;
    }
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        if (linked(state, r, i, j, linkage, threshold)) {
          int a = root(label, i);
          int b = root(label, j);
          label[Math.max(a, b)] = Math.min(a, b);
        }
      }
    }
    Set<Integer> roots = new HashSet<>();
    for (int i = 0; i < n; i++) {
      label[i] = root(label, i);
      roots.add(label[i]);
    }
    return new Clusters(roots.size(), label);
  }

  private static boolean linked(
      ReferenceArray state, int r, int i, int j, Linkage linkage, double threshold) {
    if (linkage == Linkage.COSINE) {
      return cosine(state, r, i, j) > threshold;
    }
    int d = state.shape().d();
    double[] x = state.values();
    return Algebra.distance(x, state.at(r) + i * d, x, state.at(r) + j * d, d) < threshold;
  }

  private static int root(int[] label, int i) {
    int root = i;
    while (label[root] != root) {
      root = label[root];
    }
    return root;
  }
}
