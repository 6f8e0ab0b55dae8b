package org.starling.core.verify;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a run asks of an engine, for its certificate.
 *
 * @param variants ways of computing attention
 * @param observables quantities, by the words that experiments use
 */
public record Need(Set<Variant> variants, Set<String> observables) {
  public Need {
    variants = Set.copyOf(variants);
    Set<String> known = new LinkedHashSet<>(observables);
    // The run loop counts non-finite numbers whatever is observed.
    known.add("non-finite");
    known.retainAll(ObservableChecks.ALL);
    observables = Set.copyOf(known);
  }

  /** The part that is summed by a series, or the part that is not. */
  public Need part(boolean expansion) {
    Set<Variant> some = new LinkedHashSet<>(variants);
    some.removeIf(v -> v.expansion() != expansion);
    return new Need(some, observables);
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
      if (v.expansion()) {
        continue;
      }
      labels.add(VectorChecks.variant(v.precision(), v.d()));
      for (String o : observables) {
        labels.add(ObservableChecks.variant(o, v.precision(), v.d()));
      }
    }
    return labels;
  }
}
