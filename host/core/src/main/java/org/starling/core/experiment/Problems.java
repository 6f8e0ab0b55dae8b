package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong, so that one run reports all of it. */
final class Problems {
  private final List<Problem> found = new ArrayList<>();

  void add(Position at, String message) {
    Problem problem = new Problem(at, message);
    if (!found.contains(problem)) {
      found.add(problem);
    }
  }

  List<Problem> all() {
    return List.copyOf(found);
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  int count() {
    return found.size();
  }

  void throwIfAny() {
    if (!found.isEmpty()) {
      List<Problem> ordered = new ArrayList<>(found);
      ordered.sort(
          Comparator.comparing((Problem p) -> p.at().isOverride())
              .thenComparing(p -> p.at().line())
              .thenComparing(p -> p.at().column()));
      throw new ExperimentException(ordered);
    }
  }
}
