package org.starling.core.run;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A moment of a replica that was asked for.
 *
 * @param name of the condition, {@link StopRule#label}
 * @param t when it was first found to hold
 * @param after the last time at which it was found not to; NaN where that is not known
 * @param step accepted steps when it was found
 * @param found what was found, a clause
 */
public record Event(int replica, String name, double t, double after, long step, String found) {
  /** As a line of {@code events.jsonl}; {@code after} is null where it is not known. */
  Map<String, Object> facts(Map<String, Object> parameters) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("replica", replica);
    facts.putAll(parameters);
    facts.put("event", name);
    facts.put("t", t);
    facts.put("after", Double.isNaN(after) ? null : (Object) after);
    facts.put("step", step);
    facts.put("found", found);
    return facts;
  }
}
