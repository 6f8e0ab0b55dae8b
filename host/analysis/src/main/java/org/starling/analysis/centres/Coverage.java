package org.starling.analysis.centres;

import org.starling.analysis.Tokens;

/** What chosen tokens do over time. */
public final class Coverage {
  private Coverage() {}

  /**
   * Part of all tokens, in [0, 1], within an angle of the current position of a centre (Fig. 3 of
   * the causal paper; its radius is not known, so it is always stated).
   *
   * @param centres tokens that count as centres
   * @param radius radians, &gt; 0
   */
  public static double of(Tokens x, int[] centres, double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("a radius must be > 0, not " + radius);
    }
    int covered = 0;
    for (int i = 0; i < x.n(); i++) {
      for (int c : centres) {
        if (i == c || x.angle(i, c) <= radius) {
          covered++;
          break;
        }
      }
    }
    return covered / (double) x.n();
  }

  /** Angle in [0, pi] between the start and the present position of each token, {@code [n]}. */
  public static double[] displacements(Tokens start, Tokens now) {
    if (start.n() != now.n() || start.d() != now.d()) {
      throw new IllegalArgumentException("the two frames have other numbers of tokens");
    }
    double[] angles = new double[now.n()];
    for (int i = 0; i < angles.length; i++) {
      angles[i] = Tokens.of(start.row(i), now.row(i)).angle(0, 1);
    }
    return angles;
  }
}
