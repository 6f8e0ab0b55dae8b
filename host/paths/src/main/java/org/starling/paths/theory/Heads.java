package org.starling.paths.theory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Heads judged by the order parameters of the paths that use them. */
public final class Heads {
  private Heads() {}

  /**
   * A head.
   *
   * @param layer from 0
   * @param head from 0
   * @param score of its paths in |U_1|, relative to the largest of all heads
   */
  public record Score(int layer, int head, double score) {
    /** Layer and head counted from 1 and 0 as in the paper's scripts. */
    public String name() {
      return "layer " + (layer + 1) + ", head " + head;
    }
  }

  /** Whether a path uses a head. */
  public static boolean uses(PathNetwork network, int path, int layer, int head) {
    return path / network.pathsFrom(layer + 1) % network.heads().get(layer) == head;
  }

  /** Scores of all heads, the smallest first: the order to prune in. */
  public static List<Score> scores(PathNetwork network, double[] u) {
    int n = network.paths();
    List<Score> all = new ArrayList<>();
    for (int l = 0; l < network.depth(); l++) {
      for (int h = 0; h < network.heads().get(l); h++) {
        double sum = 0;
        for (int p = 0; p < n; p++) {
          for (int q = 0; q < n; q++) {
            if (uses(network, p, l, h) || uses(network, q, l, h)) {
              sum += Math.abs(u[p * n + q]);
            }
          }
        }
        all.add(new Score(l, h, sum));
      }
    }
    double largest = all.stream().mapToDouble(Score::score).max().orElseThrow();
    return all.stream()
        .map(s -> new Score(s.layer(), s.head(), s.score() / largest))
        .sorted(Comparator.comparingDouble(Score::score))
        .toList();
  }

  /** U_1 without the paths that use one of some heads. */
  public static double[] silenced(PathNetwork network, double[] u, List<Score> heads) {
    boolean[] kept = new boolean[network.paths()];
    for (int p = 0; p < kept.length; p++) {
      int path = p;
      kept[p] = heads.stream().noneMatch(s -> uses(network, path, s.layer(), s.head()));
    }
    return restricted(u, kept);
  }

  /** U_1 with the rows and columns of some paths only. */
  public static double[] restricted(double[] u, boolean[] kept) {
    int n = kept.length;
    double[] out = new double[n * n];
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < n; q++) {
        out[p * n + q] = kept[p] && kept[q] ? u[p * n + q] : 0;
      }
    }
    return out;
  }

  /** The diagonal of U_1. */
  public static double[] diagonal(double[] u, int n) {
    double[] out = new double[n * n];
    for (int p = 0; p < n; p++) {
      out[p * n + p] = u[p * n + p];
    }
    return out;
  }
}
