package org.starling.core.experiment;

import org.starling.core.engine.Observations.Linkage;

/**
 * The block {@code stop} of an experiment: at time t, or earlier when the condition holds.
 *
 * @param t time, &gt; 0
 * @param when looked at at save times; null for none
 */
public record StopSpec(double t, Condition when) {
  /** At most {@code clusters} single-linkage clusters are left. */
  public record Condition(int clusters, Linkage linkage, double threshold) {}
}
