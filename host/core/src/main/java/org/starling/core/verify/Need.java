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

  /** Dimensions of the variants. */
  Set<Integer> dimensions() {
    Set<Integer> dimensions = new LinkedHashSet<>();
    variants.forEach(v -> dimensions.add(v.d()));
    return dimensions;
  }

  /** Certificate lines that cover the need. */
  public Set<String> labels() {
    Set<String> labels = new LinkedHashSet<>();
    for (Variant v : variants) {
      labels.add(v.label());
      labels.add(VectorChecks.variant(v.precision(), v.d()));
      for (String o : observables) {
        labels.add(ObservableChecks.variant(o, v.precision(), v.d()));
      }
    }
    return labels;
  }
}
