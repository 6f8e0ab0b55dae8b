package org.starling.core.experiment;

/**
 * The block {@code check} of an experiment: the comparison with the reference engine during a run.
 *
 * @param every accepted steps between two checks; 0 for none
 * @param rows tokens recomputed in a check
 */
public record CheckSpec(long every, int rows) {}
