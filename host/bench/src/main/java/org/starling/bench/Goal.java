package org.starling.bench;

/**
 * What a measurement should reach.
 *
 * @param value the goal, in the row's unit, &gt; 0
 * @param atLeast whether more is better; else less is
 */
public record Goal(double value, boolean atLeast) {
  /** Part of a goal below which a row counts as missed. */
  public static final double MISSED_BELOW = 0.75;

  public Goal {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("a goal must be finite and > 0, got " + value);
    }
  }

  public static Goal atLeast(double value) {
    return new Goal(value, true);
  }

  public static Goal atMost(double value) {
    return new Goal(value, false);
  }

  /** How a measured value stands; NaN and values that are not positive are missed. */
  public Verdict judge(double measured) {
    double share = atLeast ? measured / value : value / measured;
    if (share >= 1 && measured >= 0) {
      return Verdict.PASS;
    }
    return share >= MISSED_BELOW ? Verdict.SHORT : Verdict.MISSED;
  }
}
