package org.starling.core.integrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Groups nearly coinciding tokens in O(n d) where few are near: tokens within a distance have
 * projections on a fixed direction within that distance, so only leaders with a near projection are
 * compared.
 */
final class NearTokens {
  private NearTokens() {}

  /**
   * The leader of each token: in the order of the tokens, the lowest earlier leader nearer than
   * {@code distance}, or the token itself.
   *
   * @param x positions, {@code [n][d]} from {@code at}
   */
  static int[] leaders(double[] x, int at, int n, int d, double distance) {
    double[] direction = direction(d);
    NavigableMap<Double, List<Integer>> leaders = new TreeMap<>();
    int[] leader = new int[n];
    for (int i = 0; i < n; i++) {
      double p = 0;
      double largest = 0;
      for (int c = 0; c < d; c++) {
        double v = x[at + i * d + c];
        p += direction[c] * v;
        largest = Math.max(largest, Math.abs(v));
      }
      // Rounding of the projections must not hide a neighbour.
      double reach = distance + 1e-12 * d * largest;
      int best = i;
      for (List<Integer> some : leaders.subMap(p - reach, true, p + reach, true).values()) {
        for (int l : some) {
          if (l < best && distance(x, at + i * d, at + l * d, d) < distance) {
            best = l;
          }
        }
      }
      leader[i] = best;
      if (best == i) {
        leaders.computeIfAbsent(p, key -> new ArrayList<>(1)).add(i);
      }
    }
    return leader;
  }

  static double distance(double[] x, int a, int b, int d) {
    double square = 0;
    for (int c = 0; c < d; c++) {
      double e = x[a + c] - x[b + c];
      square += e * e;
    }
    return Math.sqrt(square);
  }

  /** A unit vector that no symmetric arrangement of tokens is perpendicular to. */
  private static double[] direction(int d) {
    double[] u = new double[d];
    SplittableRandom random = new SplittableRandom(d);
    Arrays.setAll(u, c -> random.nextDouble() - 0.5);
    double norm = Math.sqrt(Arrays.stream(u).map(c -> c * c).sum());
    Arrays.setAll(u, c -> u[c] / norm);
    return u;
  }
}
