package org.starling.core.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.integrate.Integrator;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.Checkpoints;
import org.starling.core.store.Json;
import org.starling.core.store.RunDirectory;

/** Writes a run's checkpoints, and knows which one a run can go on from. */
final class CheckpointKeeper {
  static final String STATE = "state";
  static final String INTEGRATOR = "integrator";

  /** Mark of a checkpoint from which the run can be extended: no replica is past the end time. */
  private static final String BEFORE_END = "before_end";

  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final RunDirectory directory;
  private final Checkpoints checkpoints;
  private String last = "none";
  private double cost;
  private long written;
  private boolean any;

  CheckpointKeeper(RunSpec spec, Engine engine, Integrator integrator, RunDirectory directory) {
    this.spec = spec;
    this.engine = engine;
    this.integrator = integrator;
    this.directory = directory;
    checkpoints = new Checkpoints(directory);
  }

  /** Wall time since the last checkpoint of this session; 0 before the first question. */
  double secondsSince(RunControl control) {
    if (!any) {
      any = true;
      written = control.nanoTime().getAsLong();
    }
    return (control.nanoTime().getAsLong() - written) * 1e-9;
  }

  /** Wall time that a checkpoint took in this session, in seconds. */
  double cost() {
    return cost;
  }

  /** The last checkpoint of this session in words. */
  String last() {
    return last;
  }

  /**
   * Makes the outputs durable, then writes a checkpoint.
   *
   * @param lastReport time of the last report; NaN if there is none
   */
  void write(RunControl control, LoopState state, Outputs outputs, double lastReport) {
    long begin = control.nanoTime().getAsLong();
    outputs.force();
    Map<String, Object> facts = new LinkedHashMap<>();
    Map<String, byte[]> sections = new LinkedHashMap<>();
    facts.put("run_id", spec.runId());
    facts.put("t_end", spec.tEnd());
    facts.put("last_report", Double.isNaN(lastReport) ? null : (Object) lastReport);
    double earliest = Double.POSITIVE_INFINITY;
    double latest = 0;
    for (int r = 0; r < state.replicas.length; r++) {
      if (state.replicas[r].running()) {
        earliest = Math.min(earliest, integrator.time(r));
        latest = Math.max(latest, integrator.time(r));
      }
    }
    facts.put("t", earliest);
    facts.put("latest_t", latest);
    facts.put(BEFORE_END, latest < spec.tEnd());
    facts.put("engine", identity(engine));
    facts.put("outputs", outputs.position());
    state.save(facts, sections);
    sections.put(STATE, engine.snapshot(integrator.state()));
    sections.put(INTEGRATOR, integrator.save());
    int number = checkpoints.write(new Checkpoint(facts, sections), BEFORE_END);
    last =
        "t = "
            + earliest
            + ", step "
            + state.accepted
            + ", "
            + directory.checkpoints().resolve(String.format(java.util.Locale.ROOT, "%06d", number));
    written = control.nanoTime().getAsLong();
    any = true;
    cost = Math.max(cost, (written - begin) * 1e-9);
  }

  /** What computed the state, with everything that decides its bits. */
  static Map<String, Object> identity(Engine engine) {
    EngineIdentity identity = engine.identity();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("engine", identity.engine());
    facts.put("precision", engine.precision().name().toLowerCase(java.util.Locale.ROOT));
    facts.put("device", identity.device());
    facts.put("driver", identity.driver());
    facts.put("platform", identity.platform());
    facts.put("kernel_hash", identity.kernelHash());
    facts.put("settings", identity.settings());
    return facts;
  }

  /** Output positions in a checkpoint. */
  static Map<String, Object> outputs(Checkpoint from) {
    return map(from.facts().get("outputs"));
  }

  /** Identity of the engine that a checkpoint was made on. */
  static Map<String, Object> engine(Checkpoint from) {
    return map(from.facts().get("engine"));
  }

  static boolean sameEnd(Checkpoint from, RunSpec spec) {
    return Json.number(from.facts().get("t_end")) == spec.tEnd();
  }

  /**
   * The newest checkpoint that this run can go on from. One made for another end time will do if no
   * replica had passed that end, and the reports up to it are the ones this run would have made.
   *
   * @return null if there is none
   */
  static Checkpoint latest(RunDirectory directory, RunSpec spec) {
    double[] times = spec.outputs().until(spec.tEnd());
    return new Checkpoints(directory).latest(facts -> usable(facts, spec.tEnd(), times));
  }

  private static boolean usable(Map<String, Object> facts, double tEnd, double[] times) {
    if (Json.number(facts.get("t_end")) == tEnd) {
      return true;
    }
    int next = Math.toIntExact(Json.integer(facts.get("next")));
    int waiting = ((java.util.List<?>) facts.get("pending")).size();
    double latest = Json.number(facts.get("latest_t"));
    if (!Boolean.TRUE.equals(facts.get(BEFORE_END))
        || !(latest < tEnd)
        || next + waiting >= times.length) {
      return false;
    }
    if (next > 0 && times[next - 1] != Json.number(facts.get("last_report"))) {
      return false;
    }
    int k = next;
    for (Object entry : (java.util.List<?>) facts.get("pending")) {
      if (times[k++] != Json.number(((Map<?, ?>) entry).get("t"))) {
        return false;
      }
    }
    return times[k] >= latest;
  }

  static Map<String, Object> map(Object value) {
    Map<String, Object> copy = new LinkedHashMap<>();
    ((Map<?, ?>) value).forEach((k, v) -> copy.put((String) k, v));
    return copy;
  }
}
