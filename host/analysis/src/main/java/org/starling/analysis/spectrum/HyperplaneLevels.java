package org.starling.analysis.spectrum;

import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.GapGroups;

/** Levels &lt;phi, z_i&gt; of tokens along a left eigenvector, in groups separated by gaps. */
public final class HyperplaneLevels {
  /** Gap relative to the range that separates two levels; emergence.md T3. */
  public static final double GAP = 1e-3;

  private HyperplaneLevels() {}

  /**
   * @param phi left eigenvector {@code [d]}
   * @param relativeGap a gap above this part of the range separates; in (0, 1)
   * @return the groups; their range must be looked at beside their number, since a width that
   *     collapses to 0 has levels too
   */
  public static GapGroups of(Tokens z, double[] phi, double relativeGap) {
    if (!(relativeGap > 0 && relativeGap < 1)) {
      throw new IllegalArgumentException(
          "levels are separated by a part of their range in (0, 1), not by " + relativeGap);
    }
    double[] levels = new double[z.n()];
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < levels.length; i++) {
      levels[i] = z.dot(i, phi);
      low = Math.min(low, levels[i]);
      high = Math.max(high, levels[i]);
    }
    return GapGroups.of(levels, relativeGap * (high - low));
  }
}
