package org.starling.core.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.core.engine.FieldReport;
import org.starling.core.observe.Column;
import org.starling.core.observe.Reading;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.Json;

/**
 * What the loop itself remembers besides the integrator and the outputs; goes into a checkpoint.
 */
final class LoopState {
  /**
   * Rows of a later report that were interpolated when a checkpoint was taken: the steps they came
   * from are gone after it.
   *
   * @param t time of the report
   * @param which replicas whose rows are there
   * @param snapshot state with these rows
   */
  record Pending(double t, boolean[] which, byte[] snapshot) {}

  final Replica[] replicas;

  /** Reports by number that a restored checkpoint brought rows for. */
  final TreeMap<Integer, Pending> pending = new TreeMap<>();

  /** Number of the next report. */
  int next;

  /** Attempts made. */
  long attempts;

  /** Accepted steps of all replicas together. */
  long accepted;

  /** Comparisons with the definition that passed. */
  long checks;

  /** Whether replicas may step over the end time. */
  boolean ending;

  FieldReport report = FieldReport.CLEAN;

  LoopState(int count) {
    replicas = new Replica[count];
    for (int r = 0; r < count; r++) {
      replicas[r] = new Replica();
    }
  }

  /** Adds this state to the parts of a checkpoint. */
  void save(Map<String, Object> facts, Map<String, byte[]> sections) {
    facts.put("next", next);
    facts.put("attempts", attempts);
    facts.put("accepted", accepted);
    facts.put("checks", checks);
    facts.put("ending", ending);
    facts.put("dead_rows", report.deadRows());
    facts.put("first_dead_row", report.firstDeadRow());
    facts.put("below_range", report.belowRange());
    facts.put("first_below_range", report.firstBelowRange());
    List<Object> all = new ArrayList<>();
    for (int r = 0; r < replicas.length; r++) {
      Map<String, Object> one = new LinkedHashMap<>();
      if (replicas[r].outcome != null) {
        one.put("outcome", OutcomeText.facts(replicas[r].outcome));
      }
      if (replicas[r].heldReading != null) {
        one.put("reading", replicas[r].heldReading.values());
      }
      all.add(one);
      putDoubles(sections, "held-" + r, replicas[r].held);
      putDoubles(sections, "end-" + r, replicas[r].atEnd);
    }
    facts.put("replicas", all);
    List<Object> waiting = new ArrayList<>();
    pending.forEach(
        (number, p) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("report", number);
          one.put("t", p.t());
          one.put("which", p.which());
          waiting.add(one);
          sections.put("pending-" + number, p.snapshot());
        });
    facts.put("pending", waiting);
  }

  /** The state that {@link #save} described. */
  static LoopState restore(Checkpoint from, int count, List<Column> columns) {
    Map<String, Object> facts = from.facts();
    LoopState state = new LoopState(count);
    state.next = Math.toIntExact(Json.integer(facts.get("next")));
    state.attempts = Json.integer(facts.get("attempts"));
    state.accepted = Json.integer(facts.get("accepted"));
    state.checks = Json.integer(facts.get("checks"));
    state.ending = (Boolean) facts.get("ending");
    state.report =
        new FieldReport(
            Json.integer(facts.get("dead_rows")),
            Json.integer(facts.get("first_dead_row")),
            Json.integer(facts.get("below_range")),
            Json.integer(facts.get("first_below_range")));
    List<?> all = (List<?>) facts.get("replicas");
    for (int r = 0; r < count; r++) {
      Map<?, ?> one = (Map<?, ?>) all.get(r);
      if (one.get("outcome") != null) {
        state.replicas[r].outcome = OutcomeText.read((Map<?, ?>) one.get("outcome"));
      }
      if (one.get("reading") != null) {
        state.replicas[r].heldReading = reading((List<?>) one.get("reading"), columns);
      }
      state.replicas[r].held = doubles(from.sections().get("held-" + r));
      state.replicas[r].atEnd = doubles(from.sections().get("end-" + r));
    }
    for (Object entry : (List<?>) facts.get("pending")) {
      Map<?, ?> one = (Map<?, ?>) entry;
      int number = Math.toIntExact(Json.integer(one.get("report")));
      List<?> flags = (List<?>) one.get("which");
      boolean[] which = new boolean[count];
      for (int r = 0; r < count; r++) {
        which[r] = (Boolean) flags.get(r);
      }
      state.pending.put(
          number, new Pending(Json.number(one.get("t")), which, from.section("pending-" + number)));
    }
    return state;
  }

  private static Reading reading(List<?> values, List<Column> columns) {
    List<Object> typed = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      Object v = values.get(c);
      switch (columns.get(c).kind()) {
        case REAL -> typed.add(Json.number(v));
        case COUNT -> typed.add(Json.integer(v));
        default -> typed.add(((List<?>) v).stream().mapToLong(Json::integer).toArray());
      }
    }
    return new Reading(typed);
  }

  private static void putDoubles(Map<String, byte[]> sections, String name, double[] values) {
    if (values != null) {
      ByteBuffer out = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
      out.asDoubleBuffer().put(values);
      sections.put(name, out.array());
    }
  }

  private static double[] doubles(byte[] section) {
    if (section == null) {
      return null;
    }
    double[] values = new double[section.length / 8];
    ByteBuffer.wrap(section).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }
}
