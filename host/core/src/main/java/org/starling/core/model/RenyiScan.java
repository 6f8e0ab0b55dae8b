package org.starling.core.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Renyi centres of tokens, scanned in the order of their indices (causal paper, section 5): an
 * ordinary centre is further than delta, an angle, from all earlier accepted centres, a strong one
 * from all earlier tokens.
 *
 * @param strong ascending; a subset of
 * @param ordinary ascending; the first token is in both
 */
public record RenyiScan(List<Integer> strong, List<Integer> ordinary) {
  public RenyiScan {
    strong = List.copyOf(strong);
    ordinary = List.copyOf(ordinary);
  }

  /** The angle between two tokens, radians. */
  @FunctionalInterface
  public interface Angles {
    double between(int i, int j);
  }

  /**
   * @param n number of tokens
   * @param delta in (0, pi)
   */
  public static RenyiScan of(int n, Angles angles, double delta) {
    if (!(delta > 0 && delta < Math.PI)) {
      throw new IllegalArgumentException("delta must be an angle in (0, pi), not " + delta);
    }
    List<Integer> strong = new ArrayList<>();
    List<Integer> ordinary = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int token = i;
      if (ordinary.stream().allMatch(c -> angles.between(token, c) > delta)) {
        ordinary.add(i);
        boolean alone = true;
        for (int j = 0; j < i && alone; j++) {
          alone = angles.between(i, j) > delta;
        }
        if (alone) {
          strong.add(i);
        }
      }
    }
    return new RenyiScan(strong, ordinary);
  }
}
