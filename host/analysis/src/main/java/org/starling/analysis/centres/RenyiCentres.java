package org.starling.analysis.centres;

import org.starling.analysis.Tokens;
import org.starling.core.model.RenyiScan;

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
    RenyiScan scan = RenyiScan.of(x.n(), x::angle, delta);
    return new RenyiCentres(
        scan.strong().stream().mapToInt(Integer::intValue).toArray(),
        scan.ordinary().stream().mapToInt(Integer::intValue).toArray(),
        delta);
  }

  /** The scale c beta^{-1/2} of the paper; its figures take c = 4. */
  public static double delta(double c, double beta) {
    return c / Math.sqrt(beta);
  }
}
