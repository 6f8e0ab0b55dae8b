package org.starling.core.experiment;

import java.util.List;
import org.starling.core.integrate.IntegratorSpec;

/**
 * An experiment file as records. Numbers that other inputs decide (n and d of a start file) may be
 * null before it is resolved.
 *
 * @param seed seed of everything random without a seed of its own, &gt;= 0
 * @param sweep what distinguishes the replicas, whose first point the other parts hold; null for
 *     none
 */
public record Experiment(
    ModelSpec model,
    TokensSpec tokens,
    IntegratorSpec integrator,
    StopSpec stop,
    List<ObservableSpec> observe,
    SaveSpec save,
    CheckSpec check,
    long seed,
    SweepSpec sweep,
    ExecutionSpec execution) {
  public Experiment {
    observe = List.copyOf(observe);
  }

  /** The same experiment with another sweep, or with none for null. */
  Experiment with(SweepSpec other) {
    return new Experiment(
        model, tokens, integrator, stop, observe, save, check, seed, other, execution);
  }

  /** Replicas of a resolved experiment: the starts at a point times the points of the sweep. */
  public int replicas() {
    return Math.multiplyExact(tokens.replicas(), sweep == null ? 1 : sweep.points());
  }
}
