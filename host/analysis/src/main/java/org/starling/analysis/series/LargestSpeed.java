package org.starling.analysis.series;

import org.starling.analysis.Significant;
import org.starling.analysis.Tokens;

/**
 * What a final state owes its reader: the largest speed, and whether it lets one call the state
 * final. A state at rest to the eye may be metastable: its clusters still approach at e^{-beta(1 -
 * cos delta)}, and a step below the resolution of the numbers moves nothing at all (causal.md 5
 * items 3 and 4).
 *
 * @param speed largest |v_i|
 * @param token that has it
 * @param verdict what that means
 */
public record LargestSpeed(double speed, int token, Verdict verdict) {

  /** What the largest speed lets one say. */
  public enum Verdict {
    /** Below the stated fraction of the slowest predicted speed: at rest. */
    AT_REST,
    /** Slower than fast relaxation, but not below the slowest predicted speed: metastable. */
    STILL_MOVING,
    /** Speed times step is below the resolution of the numbers: the run cannot tell. */
    BELOW_RESOLUTION
  }

  /**
   * @param v velocities {@code [n][d]}
   * @param slowScale the slowest speed that dynamics still to come would have, such as
   *     e^{-beta(1-cos delta)} for clusters delta apart; 0 where none is predicted
   * @param step of the integrator, &gt; 0
   * @param resolution of positions: 6e-8 in single, 1e-16 in double precision
   */
  public static LargestSpeed of(Tokens v, double slowScale, double step, double resolution) {
    int token = 0;
    for (int i = 1; i < v.n(); i++) {
      token = v.norm(i) > v.norm(token) ? i : token;
    }
    double speed = v.norm(token);
    Verdict verdict =
        speed == 0 || speed < 1e-3 * slowScale
            ? Verdict.AT_REST
            : speed * step < resolution ? Verdict.BELOW_RESOLUTION : Verdict.STILL_MOVING;
    return new LargestSpeed(speed, token, verdict);
  }

  /** One sentence for a report. */
  public String sentence() {
    String fact = "largest speed " + Significant.of(speed) + " (token " + token + "): ";
    switch (verdict) {
      case AT_REST:
        return fact + "at rest";
      case STILL_MOVING:
        return fact + "still moving, so this state may be metastable";
      case BELOW_RESOLUTION:
        return fact + "a step moves less than the numbers resolve, so this run cannot tell";
      default:
        throw new AssertionError(verdict);
    }
  }
}
