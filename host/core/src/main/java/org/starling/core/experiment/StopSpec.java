package org.starling.core.experiment;

import java.util.List;
import org.starling.core.engine.Observations.Linkage;

/**
 * The blocks {@code stop} and {@code events} of an experiment: it ends at time t, or earlier when a
 * condition holds, and notes on its way the moments at which others come to hold.
 *
 * @param t time, &gt; 0
 * @param when null for none
 * @param events conditions whose moments are noted
 */
public record StopSpec(double t, Condition when, List<Condition> events) {
  public StopSpec {
    events = List.copyOf(events);
  }

  /** A condition on a state, and on those before it. */
  public sealed interface Condition {
    /** Accepted steps between two looks; 0 to look at save times. */
    int everySteps();

    /** At most {@code clusters} single-linkage clusters are left. */
    record Clusters(int clusters, Linkage linkage, double threshold, int everySteps)
        implements Condition {}

    /** All tokens are within a distance of the first one. */
    record Collapse(double distance, int everySteps) implements Condition {}

    /** Of at most {@code from} clusters some have merged. */
    record Merged(int from, Linkage linkage, double threshold, int everySteps)
        implements Condition {}

    /**
     * The energy has left an interval of length {@code within}, in which it was for a time of at
     * least {@code lasting}.
     */
    record PlateauLeft(double lasting, double within, int everySteps) implements Condition {}
  }
}
