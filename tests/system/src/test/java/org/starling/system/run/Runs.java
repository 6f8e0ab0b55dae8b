package org.starling.system.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Philox;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Observers;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.run.RunSpec;
import org.starling.core.run.Simulation;
import org.starling.core.run.StopRule;
import org.starling.core.store.FileStore;
import org.starling.core.store.RunDirectory;
import org.starling.cpu.reference.ReferenceEngine;

/** Small runs, on the reference engine unless told otherwise, and what they leave. */
final class Runs {
  static final Path DIR = Path.of("run");
  static final int N = 5;
  static final int D = 3;
  static final long SEED = 20261130;

  /** Four frames of one replica. */
  static final long SEGMENT = 4L * N * D * Double.BYTES;

  private Runs() {}

  /** A run that can be varied. */
  record Case(
      int replicas,
      Geometry geometry,
      IntegratorSpec integrator,
      OutputTimes outputs,
      double tEnd,
      List<Observer> more,
      List<StopRule> stops,
      List<StopRule> events,
      Supplier<Engine> engine) {

    static Case of(int replicas, IntegratorSpec integrator, OutputTimes outputs, double tEnd) {
      return new Case(
          replicas,
          Geometry.SPHERE,
          integrator,
          outputs,
          tEnd,
          List.of(),
          List.of(),
          List.of(),
          ReferenceEngine::new);
    }

    Case until(double t) {
      return new Case(replicas, geometry, integrator, outputs, t, more, stops, events, engine);
    }

    Case in(Geometry other) {
      return new Case(replicas, other, integrator, outputs, tEnd, more, stops, events, engine);
    }

    Case observing(Observer observer) {
      return new Case(
          replicas, geometry, integrator, outputs, tEnd, List.of(observer), stops, events, engine);
    }

    Case stopping(StopRule rule) {
      return new Case(
          replicas, geometry, integrator, outputs, tEnd, more, List.of(rule), events, engine);
    }

    Case noting(StopRule... rules) {
      return new Case(
          replicas, geometry, integrator, outputs, tEnd, more, stops, List.of(rules), engine);
    }

    Case on(Supplier<Engine> other) {
      return new Case(replicas, geometry, integrator, outputs, tEnd, more, stops, events, other);
    }

    RunSpec spec() {
      List<Dynamics> dynamics = new java.util.ArrayList<>();
      List<Philox> streams = new java.util.ArrayList<>();
      double noise = integrator.method() == Method.EULER_MARUYAMA ? 0.4 : 0;
      for (int r = 0; r < replicas; r++) {
        // Replicas of different stiffness, so that their steps differ.
        dynamics.add(Runs.dynamics(geometry, 1 + 4 * r, noise));
        streams.add(Philox.stream(SEED, Philox.Purpose.NOISE, r));
      }
      List<Observer> observers = new java.util.ArrayList<>(more);
      observers.add(Observers.named("order-parameter"));
      observers.add(Observers.named("effective-rank"));
      observers.add(Observers.clusters(Linkage.COSINE, 0.99, ""));
      observers.add(Observers.innerProducts(8));
      observers.add(Observers.named("max-speed"));
      return new RunSpec(
          "id-" + tEnd,
          text(),
          new Shape(replicas, N, D),
          cloud(replicas),
          dynamics,
          integrator,
          tEnd,
          outputs,
          true,
          observers,
          stops,
          SEED,
          List.of(),
          SEGMENT * replicas,
          streams,
          events);
    }

    String text() {
      return "stop: {t: " + tEnd + "}\n";
    }
  }

  private static Dynamics dynamics(Geometry geometry, double beta, double noise) {
    Weight one = Weight.identity(D);
    return new Dynamics(
        geometry,
        Mask.FULL,
        Normalisation.SOFTMAX,
        beta,
        WeightSchedule.constant(List.of(new Head(one, one, one))),
        1,
        null,
        noise);
  }

  /** Random unit vectors. */
  static double[] cloud(int replicas) {
    Random random = new Random(SEED);
    double[] x = new double[replicas * N * D];
    for (int i = 0; i < replicas * N; i++) {
      double norm = 0;
      for (int c = 0; c < D; c++) {
        x[i * D + c] = random.nextGaussian();
        norm += x[i * D + c] * x[i * D + c];
      }
      for (int c = 0; c < D; c++) {
        x[i * D + c] /= Math.sqrt(norm);
      }
    }
    return x;
  }

  /** Starts in an empty directory. */
  static RunResult start(Case run, RunControl control, FileStore store, Path path) {
    try (RunDirectory directory = RunDirectory.create(store, path, run.text(), false);
        Engine engine = run.engine().get()) {
      return Simulation.run(run.spec(), control, engine, directory);
    }
  }

  /** Goes on in a directory. */
  static RunResult resume(Case run, RunControl control, FileStore store, Path path) {
    try (RunDirectory directory = RunDirectory.open(store, path);
        Engine engine = run.engine().get()) {
      directory.replaceExperiment(run.text());
      return Simulation.run(run.spec(), control, engine, directory);
    }
  }

  /** The files that must not depend on interruptions, by name. */
  static Map<String, byte[]> results(LyingFileStore store) {
    Map<String, byte[]> results = new TreeMap<>();
    store
        .files()
        .forEach(
            (path, bytes) -> {
              String name = DIR.relativize(path).toString();
              if (name.startsWith("traj/")
                  || name.startsWith("observables/")
                  || name.equals("scalars.jsonl")
                  || name.equals("replicas.jsonl")
                  || name.equals("events.jsonl")
                  || name.equals("experiment.yaml")
                  || name.equals("final.npy")) {
                results.put(name, bytes);
              }
            });
    return results;
  }

  /** Fails naming the files that differ. */
  static void assertSame(Map<String, byte[]> wanted, Map<String, byte[]> found, String what) {
    Map<String, String> differences = new LinkedHashMap<>();
    wanted.forEach(
        (name, bytes) -> {
          byte[] other = found.get(name);
          int at = other == null ? -1 : java.util.Arrays.mismatch(bytes, other);
          if (other == null || at >= 0) {
            differences.put(
                name,
                other == null
                    ? "missing"
                    : "differs at byte " + at + " of " + bytes.length + "/" + other.length);
          }
        });
    found.keySet().stream()
        .filter(name -> !wanted.containsKey(name))
        .forEach(name -> differences.put(name, "not expected"));
    if (!differences.isEmpty()) {
      throw new AssertionError(what + ": " + differences);
    }
  }
}
