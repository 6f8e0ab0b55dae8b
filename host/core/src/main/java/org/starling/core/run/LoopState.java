package org.starling.core.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.core.engine.FieldReport;
import org.starling.core.observe.Column;
import org.starling.core.observe.Readings;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.Json;

/**
 * What the loop itself remembers besides the integrator and the outputs; goes into a checkpoint.
 */
final class LoopState {
  private static final String REPLICAS = "replicas";
  private static final String EVENTS = "events";

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

  /** Last readings of replicas that stopped by a condition; null until there is one. */
  private Readings held;

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

  /** Conditions and what they found. */
  final EventLog log;

  LoopState(RunSpec spec) {
    log = new EventLog(spec);
    int count = spec.shape().replicas();
    replicas = new Replica[count];
    for (int r = 0; r < count; r++) {
      replicas[r] = new Replica();
    }
  }

  /** Which replicas have not ended. */
  boolean[] running() {
    boolean[] running = new boolean[replicas.length];
    for (int r = 0; r < running.length; r++) {
      running[r] = replicas[r].running();
    }
    return running;
  }

  /** Where the last readings of stopped replicas are kept. */
  Readings heldReadings(List<Column> columns) {
    held = held == null ? new Readings(columns, replicas.length) : held;
    return held;
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
    facts.put("beyond_storage", report.beyondStorage());
    facts.put("first_beyond_storage", report.firstBeyondStorage());
    facts.put("below_storage", report.belowStorage());
    facts.put("first_below_storage", report.firstBelowStorage());
    sections.put(REPLICAS, SavedReplicas.write(replicas, held));
    if (log.size() > 0) {
      sections.put(EVENTS, log.save());
    }
    List<Object> waiting = new ArrayList<>();
    pending.forEach(
        (number, p) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("report", number);
          one.put("t", p.t());
          waiting.add(one);
          sections.put("pending-which-" + number, bytes(p.which()));
          sections.put("pending-" + number, p.snapshot());
        });
    facts.put("pending", waiting);
  }

  /** The state that {@link #save} described. */
  static LoopState restore(Checkpoint from, RunSpec spec, List<Column> columns) {
    Map<String, Object> facts = from.facts();
    LoopState state = new LoopState(spec);
    int count = state.replicas.length;
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
            Json.integer(facts.get("first_below_range")),
            Json.integer(facts.getOrDefault("beyond_storage", 0L)),
            Json.integer(facts.getOrDefault("first_beyond_storage", -1L)),
            Json.integer(facts.getOrDefault("below_storage", 0L)),
            Json.integer(facts.getOrDefault("first_below_storage", -1L)));
    SavedReplicas.read(from.section(REPLICAS), state, columns);
    if (state.log.size() > 0) {
      state.log.restore(from.section(EVENTS));
    }
    for (Object entry : (List<?>) facts.get("pending")) {
      Map<?, ?> one = (Map<?, ?>) entry;
      int number = Math.toIntExact(Json.integer(one.get("report")));
      byte[] flags = from.section("pending-which-" + number);
      boolean[] which = new boolean[count];
      for (int r = 0; r < count; r++) {
        which[r] = flags[r] != 0;
      }
      state.pending.put(
          number, new Pending(Json.number(one.get("t")), which, from.section("pending-" + number)));
    }
    return state;
  }

  private static byte[] bytes(boolean[] which) {
    byte[] bytes = new byte[which.length];
    for (int r = 0; r < bytes.length; r++) {
      bytes[r] = (byte) (which[r] ? 1 : 0);
    }
    return bytes;
  }
}
