package org.starling.analysis.centres;

import java.util.ArrayList;
import java.util.List;
import org.starling.analysis.Tokens;

/**
 * Renyi centres of tokens on the sphere, scanned in the order of their indices (causal paper,
 * section 5; science/causal.md 1.6). Computed once, on the initial positions; the chosen tokens are
 * then followed in time.
 *
 * @param strong tokens further than delta from all earlier tokens, ascending; a subset of
 * @param ordinary tokens further than delta from all earlier accepted centres, ascending; the first
 *     token is in both
 * @param delta separation, an angle in radians
 */
public record RenyiCentres(int[] strong, int[] ordinary, double delta) {

  /**
   * @param delta in (0, pi)
   */
  public static RenyiCentres of(Tokens x, double delta) {
    if (!(delta > 0 && delta < Math.PI)) {
      throw new IllegalArgumentException("delta must be an angle in (0, pi), not " + delta);
    }
    List<Integer> strong = new ArrayList<>();
    List<Integer> ordinary = new ArrayList<>();
    for (int i = 0; i < x.n(); i++) {
      int token = i;
      if (ordinary.stream().allMatch(c -> x.angle(token, c) > delta)) {
        ordinary.add(i);
        boolean alone = true;
        for (int j = 0; j < i && alone; j++) {
          alone = x.angle(i, j) > delta;
        }
        if (alone) {
          strong.add(i);
        }
      }
    }
    return new RenyiCentres(
        strong.stream().mapToInt(Integer::intValue).toArray(),
        ordinary.stream().mapToInt(Integer::intValue).toArray(),
        delta);
  }

  /** The scale c beta^{-1/2} of the paper; its figures take c = 4. */
  public static double delta(double c, double beta) {
    return c / Math.sqrt(beta);
  }
}
