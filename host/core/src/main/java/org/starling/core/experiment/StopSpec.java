package org.starling.core.experiment;

import org.starling.core.engine.Observations.Linkage;

/**
 * The block {@code stop} of an experiment: at time t, or earlier when the condition holds.
 *
 * @param t time, &gt; 0
 * @param when null for none
 */
public record StopSpec(double t, Condition when) {
  /**
   * At most {@code clusters} single-linkage clusters are left.
   *
   * @param everySteps accepted steps between two looks; 0 to look at save times
   */
  public record Condition(int clusters, Linkage linkage, double threshold, int everySteps) {}
}
