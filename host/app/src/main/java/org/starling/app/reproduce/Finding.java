package org.starling.app.reproduce;

import org.starling.core.experiment.Claim.Item;

/**
 * What a measurement came to.
 *
 * @param values of the replicas it looks at; of a fit against a parameter the means it fits
 * @param measured the number that stands for them: the median, the statistic, the slope
 * @param fulfilled how many replicas are in the range; 1 or 0 for a statistic
 */
public record Finding(Item item, double[] values, double measured, int fulfilled, Verdict verdict) {
  /** Smallest value; NaN without one. */
  public double smallest() {
    return extreme(false);
  }

  /** Largest value; NaN without one. */
  public double largest() {
    return extreme(true);
  }

  private double extreme(boolean largest) {
    double worst = Double.NaN;
    for (double v : values) {
      if (!Double.isNaN(v)) {
        worst = Double.isNaN(worst) ? v : largest ? Math.max(worst, v) : Math.min(worst, v);
      }
    }
    return worst;
  }
}
