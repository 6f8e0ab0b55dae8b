package org.starling.core.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.integrate.Outcome;
import org.starling.core.store.Json;

/** An outcome as the files of a run hold it. */
final class OutcomeText {
  private OutcomeText() {}

  static Map<String, Object> facts(Outcome outcome) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("kind", outcome.kind().label());
    facts.put("sentence", outcome.sentence());
    facts.put("replica", outcome.replica());
    facts.put("t", outcome.time());
    facts.put("step", outcome.step());
    facts.put("token", outcome.token());
    return facts;
  }

  static Outcome read(Map<?, ?> facts) {
    return new Outcome(
        kind((String) facts.get("kind")),
        (String) facts.get("sentence"),
        Math.toIntExact(Json.integer(facts.get("replica"))),
        Json.number(facts.get("t")),
        Json.integer(facts.get("step")),
        Math.toIntExact(Json.integer(facts.get("token"))));
  }

  /**
   * How many replicas ended in each way, in the order of the kinds; those under way are {@code
   * running}.
   *
   * @param outcomes null where a replica still runs
   */
  static Map<String, Integer> counts(List<Outcome> outcomes) {
    int[] counts = new int[Outcome.Kind.values().length];
    int running = 0;
    for (Outcome outcome : outcomes) {
      if (outcome == null) {
        running++;
      } else {
        counts[outcome.kind().ordinal()]++;
      }
    }
    Map<String, Integer> named = new LinkedHashMap<>();
    for (Outcome.Kind kind : Outcome.Kind.values()) {
      if (counts[kind.ordinal()] > 0) {
        named.put(kind.label(), counts[kind.ordinal()]);
      }
    }
    if (running > 0) {
      named.put("running", running);
    }
    return named;
  }

  /** The kind with a label of files. */
  static Outcome.Kind kind(String label) {
    for (Outcome.Kind kind : Outcome.Kind.values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalStateException("unknown outcome '" + label + "'");
  }
}
