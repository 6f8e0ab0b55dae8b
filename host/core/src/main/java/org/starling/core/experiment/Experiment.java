package org.starling.core.experiment;

import java.util.List;
import org.starling.core.integrate.IntegratorSpec;

/**
 * An experiment file as records. Numbers that other inputs decide (n and d of a start file) may be
 * null before it is resolved.
 *
 * @param seed seed of everything random without a seed of its own, &gt;= 0
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
    ExecutionSpec execution) {
  public Experiment {
    observe = List.copyOf(observe);
  }
}
