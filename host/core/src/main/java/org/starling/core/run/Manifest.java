package org.starling.core.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Shape;
import org.starling.core.engine.SummationReport;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Dynamics;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observers;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.Json;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.Sha256;

/** {@code manifest.json}: what was computed, by what, when, and how it ended. */
final class Manifest {
  private final RunDirectory directory;
  private final RunSpec spec;
  private final RunControl control;
  private Map<String, Object> facts;

  Manifest(RunDirectory directory, RunSpec spec, RunControl control) {
    this.directory = directory;
    this.spec = spec;
    this.control = control;
    facts = directory.readManifest();
  }

  /** Notes that a session begins. */
  void begin(Engine engine, Checkpoint from) {
    List<Object> sessions = sessions();
    facts = new LinkedHashMap<>(control.provenance());
    facts.put("run_id", spec.runId());
    facts.put("experiment_sha256", Sha256.of(spec.experimentText()));
    facts.put("finished", false);
    facts.put("outcome", null);
    Shape shape = spec.shape();
    facts.put("replicas", shape.replicas());
    facts.put("n", shape.n());
    facts.put("d", shape.d());
    facts.put("t_end", spec.tEnd());
    facts.put("method", spec.integrator().method().label());
    facts.put("seed", spec.seed());
    facts.put("trajectory", spec.trajectory());
    facts.put(
        "observables",
        Observers.columns(spec.observers(), shape).stream().map(Column::name).toList());
    facts.put("engine", CheckpointKeeper.identity(engine));
    Map<String, Object> session = new LinkedHashMap<>();
    session.put("start", Simulation.now());
    session.put("from_t", from == null ? 0.0 : from.facts().get("t"));
    session.put("engine", CheckpointKeeper.identity(engine));
    sessions.add(session);
    facts.put("sessions", sessions);
    directory.store().replace(directory.manifest(), Json.document(facts));
  }

  /** Notes how a session ended. */
  void end(RunResult result, boolean over) {
    facts.put("finished", over);
    facts.put("outcome", OutcomeText.facts(result.outcome()));
    if (result.replicas().size() > 1) {
      facts.put("outcomes", OutcomeText.counts(result.replicas()));
    }
    facts.put("steps", result.steps());
    facts.put("rejected", result.rejected());
    facts.put("evaluations", result.evaluations());
    facts.put("reports", result.frames());
    FieldReport report = result.report();
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("dead_rows", report.deadRows());
    field.put("first_dead_row", report.firstDeadRow());
    field.put("below_range", report.belowRange());
    field.put("first_below_range", report.firstBelowRange());
    field.put("beyond_storage", report.beyondStorage());
    field.put("first_beyond_storage", report.firstBeyondStorage());
    field.put("below_storage", report.belowStorage());
    field.put("first_below_storage", report.firstBelowStorage());
    facts.put("field_report", field);
    if (!spec.events().isEmpty()) {
      facts.put("events", result.events().size());
    }
    facts.put("row_checks", result.checks());
    facts.put("merging", merging(result.merging()));
    List<Object> sessions = sessions();
    Map<String, Object> session = CheckpointKeeper.map(sessions.get(sessions.size() - 1));
    session.put("stop", Simulation.now());
    session.put("seconds", result.seconds());
    session.put("outcome", result.outcome().kind().label());
    session.put("summation", result.summation().facts());
    if (control.check() != null && !control.check().storageError().isEmpty()) {
      session.put("error_of_half_storage", control.check().storageError());
    }
    sessions.set(sessions.size() - 1, session);
    facts.put("sessions", sessions);
    directory.store().replace(directory.manifest(), Json.document(facts));
  }

  private List<Object> sessions() {
    return facts.get("sessions") instanceof List<?> all ? new ArrayList<>(all) : new ArrayList<>();
  }

  /** The result of a finished run as it stands in the manifest. */
  RunResult recorded() {
    Outcome outcome = OutcomeText.read((Map<?, ?>) facts.get("outcome"));
    Map<String, Object> field = CheckpointKeeper.map(facts.get("field_report"));
    Map<?, ?> merging = (Map<?, ?>) facts.get("merging");
    return new RunResult(
        outcome,
        spec.shape().replicas() == 1 ? List.of(outcome) : List.of(),
        Json.integer(facts.get("steps")),
        Json.integer(facts.get("rejected")),
        Json.integer(facts.get("evaluations")),
        Math.toIntExact(Json.integer(facts.get("reports"))),
        new FieldReport(
            Json.integer(field.get("dead_rows")),
            Json.integer(field.get("first_dead_row")),
            Json.integer(field.get("below_range")),
            Json.integer(field.get("first_below_range")),
            Json.integer(field.getOrDefault("beyond_storage", 0L)),
            Json.integer(field.getOrDefault("first_beyond_storage", -1L)),
            Json.integer(field.getOrDefault("below_storage", 0L)),
            Json.integer(field.getOrDefault("first_below_storage", -1L))),
        Json.integer(facts.get("row_checks")),
        merging == null
            ? null
            : new Merging.Effect(
                Json.integer(merging.get("groups")),
                ((Number) merging.get("largest_shift")).doubleValue()),
        0,
        SummationReport.PAIRS,
        List.of());
  }

  private Map<String, Object> merging(Merging.Effect effect) {
    if (effect == null) {
      return null;
    }
    Map<String, Object> merging = new LinkedHashMap<>();
    merging.put("distance", spec.integrator().merging().distance());
    merging.put("every", spec.integrator().merging().every());
    merging.put("tokens", (long) spec.shape().replicas() * spec.shape().n());
    merging.put("groups", effect.groups());
    merging.put("largest_shift", effect.largestShift());
    double bound = 0;
    for (Dynamics one : spec.dynamics()) {
      bound = Math.max(bound, Merging.velocityBound(one.at(0, 0), effect.largestShift()));
    }
    merging.put("velocity_bound", Double.isNaN(bound) ? null : (Object) bound);
    return merging;
  }
}
