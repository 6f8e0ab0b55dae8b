package org.starling.core.run;

import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.SummationReport;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Outcome;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.Checkpoints;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.StoreException;

/**
 * Runs an experiment in a directory: from the start, or on from its last checkpoint. An
 * interrupted, an extended and a single long run leave the same bytes in {@code traj}, {@code
 * scalars.jsonl}, {@code observables} and {@code final.npy}.
 */
public final class Simulation {
  private Simulation() {}

  /** States that a run holds on the device, for the memory plan. */
  public static int states(RunSpec spec) {
    return Integrators.states(spec.integrator()) + (Frame.needsState(spec) ? 1 : 0);
  }

  /** Fields that a run holds on the device, for the memory plan. */
  public static int fields(RunSpec spec) {
    return Integrators.fields(spec.integrator()) + (Frame.needsField(spec) ? 1 : 0);
  }

  /**
   * Settings that decide the bits (tile sizes and the like) of the engine that wrote the last
   * checkpoint, to open an engine with before {@link #run}; empty if there is no checkpoint.
   *
   * @throws StoreException of kind REFUSED if there is none any more
   */
  public static Map<String, String> pinned(RunDirectory directory) {
    Checkpoint last = new Checkpoints(directory).latest(facts -> true);
    Map<String, String> pinned = new LinkedHashMap<>();
    if (last == null) {
      requireNothingReported(directory);
    } else {
      CheckpointKeeper.map(CheckpointKeeper.engine(last).get("settings"))
          .forEach((k, v) -> pinned.put(k, (String) v));
    }
    return pinned;
  }

  /**
   * Runs to the end, a stop condition, an interruption or a failure. To resume, open the directory
   * and call this with the same experiment; to extend, replace the experiment in the directory
   * first. A finished run is not computed again.
   *
   * @param spec the experiment, with the text that stands in the directory
   * @param directory created or opened by the caller, who closes it
   * @throws StoreException if the files fail; the run can be resumed when the disk is well again
   * @throws EngineException of kind REQUEST or ENVIRONMENT; a device that fails is an outcome
   */
  public static RunResult run(
      RunSpec spec, RunControl control, Engine engine, RunDirectory directory) {
    if (!directory.experimentText().equals(spec.experimentText())) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          directory.experiment() + " is not the experiment to be run; choose another directory");
    }
    Manifest manifest = new Manifest(directory, spec, control);
    if (directory.finished()) {
      return manifest.recorded();
    }
    Checkpoint from = CheckpointKeeper.latest(directory, spec);
    if (from == null && !new Checkpoints(directory).any()) {
      requireNothingReported(directory);
    }
    if (from == null && new Checkpoints(directory).any()) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          "no checkpoint in "
              + directory.checkpoints()
              + " can be gone on from: all are damaged, or the run is past them; start again with"
              + " --force");
    }
    if (from != null) {
      sameEngine(from, engine, control.listener());
      control
          .listener()
          .message("Resuming at t = " + from.facts().get("t") + " in " + directory.path() + ".");
    }
    String advice = spec.integrator().beyondPrecision(engine.precision());
    if (advice != null) {
      control.listener().message(advice);
    }
    // An older end state would be taken for the new one.
    directory.store().delete(directory.finalState());
    manifest.begin(engine, from);
    try (RunLoop loop = new RunLoop(spec, control, engine, directory, from)) {
      Outcome early;
      try {
        early = loop.run(from == null);
      } catch (EngineException e) {
        if (e.kind() != EngineException.Kind.DEVICE_FAILURE) {
          throw e;
        }
        early =
            new Outcome(
                Outcome.Kind.DEVICE_FAILURE,
                e.getMessage() + " Last good checkpoint: " + loop.lastCheckpoint() + ".",
                -1,
                loop.reached(),
                loop.state().accepted,
                -1);
      }
      if (!spec.events().isEmpty()) {
        directory.store().replace(directory.events(), loop.state().log.lines());
      }
      if (early == null) {
        conclude(spec, engine, directory, loop);
      }
      RunResult result = result(spec, loop, early, engine.summation());
      boolean over = early == null && !failed(result.outcome());
      manifest.end(result, over);
      loop.tell(result.outcome());
      return result;
    }
  }

  /** The first checkpoint is written before the first report: where there are reports, it was. */
  private static void requireNothingReported(RunDirectory directory) {
    if (directory.store().exists(directory.scalars())
        && directory.store().size(directory.scalars()) > 0) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          directory.path()
              + " holds reports of this run, but the checkpoints in "
              + directory.checkpoints()
              + " are gone or damaged: it cannot go on. Restore them from a copy, or begin again"
              + " with `starling run "
              + directory.experiment()
              + " --out "
              + directory.path()
              + " --force`");
    }
  }

  private static boolean failed(Outcome outcome) {
    return outcome.kind() != Outcome.Kind.COMPLETED
        && outcome.kind() != Outcome.Kind.STOP_CONDITION
        && outcome.kind() != Outcome.Kind.RESOLUTION_HORIZON;
  }

  /** A state can be restored only on the engine and precision that saved it. */
  private static void sameEngine(Checkpoint from, Engine engine, ProgressListener listener) {
    Map<String, Object> then = CheckpointKeeper.engine(from);
    Map<String, Object> now = CheckpointKeeper.identity(engine);
    for (String key : List.of("engine", "precision")) {
      if (!Objects.equals(then.get(key), now.get(key))) {
        throw new StoreException(
            StoreException.Kind.REFUSED,
            "the checkpoint was made with "
                + key
                + " "
                + then.get(key)
                + ", now it is "
                + now.get(key)
                + "; resume with the same one");
      }
    }
    for (Map.Entry<String, Object> e : now.entrySet()) {
      if (!Objects.equals(then.get(e.getKey()), e.getValue())) {
        listener.message(
            "The checkpoint was made with "
                + e.getKey()
                + " "
                + then.get(e.getKey())
                + ", now it is "
                + e.getValue()
                + ": the same science, but perhaps not the bytes of an uninterrupted run.");
      }
    }
  }

  /** Writes what the end leaves: outcomes, the last segment, the final state. */
  private static void conclude(RunSpec spec, Engine engine, RunDirectory directory, RunLoop loop) {
    Replica[] replicas = loop.state().replicas;
    double[] positions = endPositions(engine, loop);
    boolean result = false;
    String sentence = "Reached t = " + spec.tEnd() + ".";
    for (int r = 0; r < replicas.length; r++) {
      Replica replica = replicas[r];
      if (replica.running()) {
        replica.outcome =
            new Outcome(
                Outcome.Kind.COMPLETED,
                replicas.length == 1 ? sentence : "Replica " + r + " r" + sentence.substring(1),
                r,
                spec.tEnd(),
                loop.integrator().steps(r),
                -1);
        result = true;
      } else {
        result |= replica.stopped();
      }
    }
    loop.outputs().finish();
    if (result) {
      ElementType type = Outputs.positions(engine.precision());
      Npy.write(
          directory.store(),
          directory.finalState(),
          type,
          positions,
          Outputs.frameShape(spec.shape()));
    }
    if (replicas.length > 1) {
      directory.store().replace(directory.replicas(), replicaLines(spec, loop));
    }
  }

  /**
   * Where the tokens are at the end, {@code [R][n][d]}; NaN where a replica failed. A single
   * replica's positions are not copied.
   */
  private static double[] endPositions(Engine engine, RunLoop loop) {
    Replica[] replicas = loop.state().replicas;
    if (replicas.length == 1 && replicas[0].atItsEnd() != null) {
      return replicas[0].atItsEnd();
    }
    double[] positions = engine.download(loop.integrator().state());
    int size = positions.length / replicas.length;
    for (int r = 0; r < replicas.length; r++) {
      double[] own = replicas[r].atItsEnd();
      if (own != null) {
        System.arraycopy(own, 0, positions, r * size, size);
      } else if (!replicas[r].running()) {
        Arrays.fill(positions, r * size, (r + 1) * size, Double.NaN);
      }
    }
    return positions;
  }

  /** A line a replica: what distinguishes it, how it ended, its steps. */
  private static byte[] replicaLines(RunSpec spec, RunLoop loop) {
    return AppendedLines.encode(
        new AbstractList<Map<String, Object>>() {
          @Override
          public Map<String, Object> get(int r) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("replica", r);
            if (!spec.replicaParameters().isEmpty()) {
              line.putAll(spec.replicaParameters().get(r));
            }
            line.put("outcome", OutcomeText.facts(loop.state().replicas[r].outcome));
            line.put("steps", loop.integrator().steps(r));
            line.put("rejected", loop.integrator().rejected(r));
            return line;
          }

          @Override
          public int size() {
            return spec.shape().replicas();
          }
        });
  }

  private static RunResult result(
      RunSpec spec, RunLoop loop, Outcome early, SummationReport summation) {
    List<Outcome> all = new ArrayList<>();
    long rejected = 0;
    for (int r = 0; r < loop.state().replicas.length; r++) {
      all.add(loop.state().replicas[r].outcome);
      rejected += loop.integrator().rejected(r);
    }
    FieldReport report = loop.state().report;
    return new RunResult(
        early != null ? early : overall(spec, all, loop),
        Collections.unmodifiableList(all),
        loop.state().accepted,
        rejected,
        loop.integrator().evaluations(),
        loop.state().next,
        report,
        loop.state().checks,
        merging(loop),
        loop.meter().seconds(),
        summation,
        loop.state().log.events());
  }

  private static Merging.Effect merging(RunLoop loop) {
    long groups = 0;
    double shift = 0;
    for (int r = 0; r < loop.state().replicas.length; r++) {
      Merging.Effect one = loop.integrator().merging(r);
      if (one == null) {
        return null;
      }
      groups += one.groups();
      shift = Math.max(shift, one.largestShift());
    }
    return new Merging.Effect(groups, shift);
  }

  /** The outcome of the run: the first failure if there is one. */
  private static Outcome overall(RunSpec spec, List<Outcome> all, RunLoop loop) {
    Outcome first = null;
    int failures = 0;
    int stops = 0;
    for (Outcome o : all) {
      if (o.kind().exitCode() != 0) {
        first = first == null ? o : first;
        failures++;
      } else if (o.kind() == Outcome.Kind.STOP_CONDITION) {
        stops++;
      }
    }
    if (first != null) {
      String sentence = first.sentence();
      if (all.size() > 1) {
        sentence = failures + " of " + all.size() + " replicas failed. " + sentence;
      }
      if (failed(first)) {
        String cause = loop.state().report.beyondStorageSentence();
        sentence += cause.isEmpty() ? "" : " " + cause;
        sentence += " Last good checkpoint: " + loop.lastCheckpoint() + ".";
      }
      return new Outcome(
          first.kind(), sentence, first.replica(), first.time(), first.step(), first.token());
    }
    if (all.size() == 1) {
      return all.get(0);
    }
    return new Outcome(
        stops == all.size() ? Outcome.Kind.STOP_CONDITION : Outcome.Kind.COMPLETED,
        (all.size() - stops)
            + " of "
            + all.size()
            + " replicas reached t = "
            + spec.tEnd()
            + ", "
            + stops
            + " met a stop condition.",
        -1,
        spec.tEnd(),
        loop.state().accepted,
        -1);
  }

  /** The moment, for the files. */
  static String now() {
    return Instant.now().truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString();
  }
}
