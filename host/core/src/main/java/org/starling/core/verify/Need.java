package org.starling.core.verify;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.starling.core.engine.Engine;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Layer;

/**
 * What a run asks of an engine, for its certificate.
 *
 * @param variants ways of computing attention
 * @param observables quantities, by the words that experiments use
 * @param steps steps, where the engine makes whole ones; else null
 * @param noise whether noise is added to steps
 */
public record Need(Set<Variant> variants, Set<String> observables, Steps steps, boolean noise) {
  /**
   * Steps that a run makes.
   *
   * @param shape replicas and tokens
   */
  public record Steps(Method method, Shape shape) {
    RungeKutta scheme() {
      return Integrators.scheme(method);
    }
  }

  /** Without steps and noise. */
  public Need(Set<Variant> variants, Set<String> observables) {
    this(variants, observables, null, false);
  }

  public Need {
    variants = Set.copyOf(variants);
    Set<String> known = new LinkedHashSet<>(observables);
    // The run loop counts non-finite numbers whatever is observed.
    known.add("non-finite");
    known.retainAll(ObservableChecks.ALL);
    observables = Set.copyOf(known);
  }

  /** The need as far as it concerns an engine: without steps where it does not make whole ones. */
  public Need on(Engine engine) {
    if (steps == null) {
      return this;
    }
    List<Layer> layers =
        variants.stream().filter(v -> !v.expansion()).map(v -> v.layer(1, 1)).toList();
    boolean whole =
        engine
            .wholeSteps()
            .filter(w -> w.accepts(steps.scheme(), steps.shape(), layers))
            .isPresent();
    return whole ? this : new Need(variants, observables, null, noise);
  }

  /** The part that is summed by a series, or the part that is not. */
  public Need part(boolean expansion) {
    Set<Variant> some = new LinkedHashSet<>(variants);
    some.removeIf(v -> v.expansion() != expansion);
    return new Need(some, observables, expansion ? null : steps, noise && !expansion);
  }

  /** Dimensions in which everything else is measured too; a series comes beside pairs. */
  Set<Integer> dimensions() {
    Set<Integer> dimensions = new LinkedHashSet<>();
    variants.stream().filter(v -> !v.expansion()).forEach(v -> dimensions.add(v.d()));
    return dimensions;
  }

  /** Certificate lines that cover the need. */
  public Set<String> labels() {
    Set<String> labels = new LinkedHashSet<>();
    for (Variant v : variants) {
      labels.add(v.label());
      if (v.half()) {
        labels.add(StorageError.line(v));
      }
      if (v.expansion()) {
        continue;
      }
      if (steps != null) {
        labels.add(StepChecks.line(v, steps.scheme(), steps.shape().n()));
      }
      labels.add(VectorChecks.variant(v.precision(), v.d()));
      if (noise) {
        labels.add(NoiseChecks.line(v.precision(), v.d()));
      }
      for (String o : observables) {
        labels.add(ObservableChecks.variant(o, v.precision(), v.d()));
      }
    }
    return labels;
  }
}
