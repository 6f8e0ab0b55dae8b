package org.starling.core.run;

import java.util.LinkedHashMap;
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
    String label = (String) facts.get("kind");
    for (Outcome.Kind kind : Outcome.Kind.values()) {
      if (kind.label().equals(label)) {
        return new Outcome(
            kind,
            (String) facts.get("sentence"),
            Math.toIntExact(Json.integer(facts.get("replica"))),
            Json.number(facts.get("t")),
            Json.integer(facts.get("step")),
            Math.toIntExact(Json.integer(facts.get("token"))));
      }
    }
    throw new IllegalStateException("unknown outcome '" + label + "'");
  }
}
