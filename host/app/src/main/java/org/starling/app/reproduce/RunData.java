package org.starling.app.reproduce;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.Measure;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.FileStore;
import org.starling.core.store.Json;
import org.starling.core.store.Npy;
import org.starling.core.store.NpyArray;
import org.starling.core.store.TrajectoryReader;
import org.starling.cpu.reference.ReferenceEngine;

/** The frames of a finished run, and quantities measured on them. */
public final class RunData {
  /** Replicas whose last velocities are computed at a time. */
  private static final int BATCH = 64;

  private final Path path;
  private final ResolvedExperiment resolved;
  private final TrajectoryReader frames;
  private final Shape shape;
  private final double[] times;
  private final Map<String, List<Series>> known = new LinkedHashMap<>();
  private final Map<String, Missing> missing = new LinkedHashMap<>();
  private double[] speeds;

  /**
   * Replicas for which a quantity has no meaning.
   *
   * @param reason of the first of them
   */
  public record Missing(int replicas, String reason) {}

  /**
   * Opens a run.
   *
   * @throws org.starling.core.store.StoreException if it is not one, or a file is damaged
   */
  public RunData(Path path) {
    this.path = path;
    this.resolved = ExperimentFile.read(path.resolve("experiment.yaml"), List.of()).resolve();
    this.frames = TrajectoryReader.open(path);
    this.shape = resolved.shape();
    this.times = new double[frames.frames()];
    for (int k = 0; k < times.length; k++) {
      times[k] = frames.time(k);
    }
  }

  public Path path() {
    return path;
  }

  private Map<String, Object> manifest() {
    Path file = path.resolve("manifest.json");
    return Json.read(FileStore.disk().read(file), file.toString());
  }

  /** Time that computing the run took, in all its sessions. */
  public double seconds() {
    double sum = 0;
    if (manifest().get("sessions") instanceof List<?> sessions) {
      for (Object session : sessions) {
        Object one = session instanceof Map<?, ?> m ? m.get("seconds") : null;
        sum += one == null ? 0 : Json.number(one);
      }
    }
    return sum;
  }

  /** Whether the run reached its end; what a run that did not shows decides nothing. */
  public boolean complete() {
    Object outcome = manifest().get("outcome");
    Object kind = outcome instanceof Map<?, ?> m ? m.get("kind") : outcome;
    return "completed".equals(kind) || "stop-condition".equals(kind);
  }

  public ResolvedExperiment resolved() {
    return resolved;
  }

  public int replicas() {
    return shape.replicas();
  }

  /** Times of the frames. */
  public double[] times() {
    return times.clone();
  }

  /** Positions of a replica in a frame, {@code [n][d]} row-major. */
  public double[] positions(int frame, int replica) {
    return own(frames.frame(frame), replica);
  }

  private double[] own(double[] all, int replica) {
    int size = shape.n() * shape.d();
    return shape.replicas() == 1
        ? all
        : Arrays.copyOfRange(all, replica * size, (replica + 1) * size);
  }

  /** The frame nearest to a time. */
  public int frameAt(double t) {
    int best = 0;
    for (int k = 1; k < times.length; k++) {
      best = Math.abs(times[k] - t) < Math.abs(times[best] - t) ? k : best;
    }
    return best;
  }

  /** The dynamics of a replica. */
  public Dynamics dynamics(int replica) {
    return resolved.replicaDynamics().get(replica);
  }

  /** Swept parameters of each replica by key, the seed apart. */
  public List<Map<String, Double>> parameters() {
    List<Map<String, Double>> all = new ArrayList<>();
    List<Map<String, Object>> given = resolved.parameters();
    for (int r = 0; r < shape.replicas(); r++) {
      Map<String, Double> own = new LinkedHashMap<>();
      given.get(r).forEach((key, value) -> own.put(key, ((Number) value).doubleValue()));
      all.add(own);
    }
    return all;
  }

  /** Measures quantities, all in one passage through the frames. */
  public void measure(List<QuantityCall> calls) {
    Set<QuantityCall> open = new LinkedHashSet<>();
    for (QuantityCall call : calls) {
      if (call.measure() == Measure.OBSERVED) {
        known.computeIfAbsent(call.text(), name -> observed(call.word("name")));
      } else if (call.measure() == Measure.EVENT_TIME) {
        known.computeIfAbsent(
            call.text(), name -> eventTimes(call.word("name"), (int) call.number("number")));
      } else if (!known.containsKey(call.text())) {
        open.add(call);
      }
    }
    if (open.isEmpty()) {
      return;
    }
    if (times.length == 0) {
      throw new IllegalArgumentException(
          path + " keeps no positions; claims need save: {trajectory: true}");
    }
    List<QuantityCall> list = List.copyOf(open);
    int replicas = shape.replicas();
    Probe[][] probes = new Probe[list.size()][replicas];
    double[][][] q = new double[list.size()][replicas][times.length];
    for (int k = 0; k < times.length; k++) {
      double[] all = frames.frame(k);
      for (int r = 0; r < replicas; r++) {
        double[] x = own(all, r);
        for (int m = 0; m < probes.length; m++) {
          if (k == 0) {
            probes[m][r] = probe(list.get(m), r, x);
          }
          q[m][r][k] = probes[m][r].at(times[k], x);
        }
      }
    }
    for (int m = 0; m < probes.length; m++) {
      List<Series> series = new ArrayList<>();
      for (double[] own : q[m]) {
        series.add(new Series(times, own));
      }
      known.put(list.get(m).text(), series);
    }
  }

  /** Without a value where the weights or the dimension of the replica give it no meaning. */
  private Probe probe(QuantityCall call, int replica, double[] x) {
    try {
      return Probes.of(call, new ReplicaFacts(dynamics(replica), x, shape.n(), shape.d()));
    } catch (IllegalArgumentException e) {
      missing.merge(
          call.text(),
          new Missing(1, e.getMessage()),
          (a, b) -> new Missing(a.replicas() + 1, a.reason()));
      return (t, y) -> Double.NaN;
    }
  }

  /** Where a quantity that was measured has no meaning; null if it has one everywhere. */
  public Missing missing(QuantityCall call) {
    return missing.get(call.text());
  }

  /**
   * @throws IllegalArgumentException if a quantity that was measured has no meaning anywhere
   */
  void requireMeaning(List<QuantityCall> calls) {
    for (QuantityCall call : calls) {
      Missing none = missing(call);
      if (none != null && none.replicas() == shape.replicas()) {
        throw new IllegalArgumentException(call.text() + ": " + none.reason());
      }
    }
  }

  /** A quantity of each replica. */
  public List<Series> series(QuantityCall call) {
    measure(List.of(call));
    return known.get(call.text());
  }

  private List<Series> observed(String name) {
    List<Map<String, Object>> reports =
        AppendedLines.read(FileStore.disk(), path.resolve("scalars.jsonl"));
    double[] t = reports.stream().mapToDouble(r -> Json.number(r.get("t"))).toArray();
    double[][] q = new double[shape.replicas()][t.length];
    Path file = path.resolve("observables").resolve(name + ".npy");
    if (shape.replicas() > 1 && FileStore.disk().exists(file)) {
      NpyArray all = Npy.read(file);
      double[] values = all.doubles();
      for (int k = 0; k < t.length; k++) {
        for (int r = 0; r < q.length; r++) {
          q[r][k] = values[k * q.length + r];
        }
      }
    } else {
      for (int k = 0; k < t.length; k++) {
        Object value = reports.get(k).get(name);
        if (value == null && !reports.get(k).containsKey(name)) {
          throw new IllegalArgumentException(
              "the run reports no "
                  + name
                  + "; add its observable to observe: (reported: "
                  + String.join(", ", reports.get(k).keySet())
                  + ")");
        }
        q[0][k] = value == null ? Double.NaN : Json.number(value);
      }
    }
    List<Series> series = new ArrayList<>();
    for (double[] own : q) {
      series.add(new Series(t, own));
    }
    return series;
  }

  /** When each replica met an event for the given time, from 1; NaN where it never did. */
  private List<Series> eventTimes(String name, int number) {
    Path file = path.resolve("events.jsonl");
    if (!FileStore.disk().exists(file)) {
      throw new IllegalArgumentException(
          path + " notes no events; add the one that is meant to events:");
    }
    double[] found = new double[shape.replicas()];
    int[] seen = new int[found.length];
    Arrays.fill(found, Double.NaN);
    for (Map<String, Object> line : AppendedLines.read(FileStore.disk(), file)) {
      int r = Math.toIntExact(Json.integer(line.get("replica")));
      if (name.equals(line.get("event")) && ++seen[r] == number) {
        found[r] = Json.number(line.get("t"));
      }
    }
    List<Series> series = new ArrayList<>();
    for (double t : found) {
      double[] constant = new double[times.length];
      Arrays.fill(constant, t);
      series.add(new Series(times, constant));
    }
    return series;
  }

  /** Largest speed of a token of each replica in the last frame, by the reference engine. */
  public double[] lastSpeeds() {
    if (speeds == null) {
      speeds = new double[shape.replicas()];
      double[] all = frames.frame(times.length - 1);
      for (int first = 0; first < speeds.length; first += BATCH) {
        speeds(all, first, Math.min(speeds.length, first + BATCH));
      }
    }
    return speeds.clone();
  }

  private void speeds(double[] all, int first, int end) {
    int size = shape.n() * shape.d();
    double last = times[times.length - 1];
    Shape part = new Shape(end - first, shape.n(), shape.d());
    Layer[] layers = new Layer[end - first];
    for (int r = first; r < end; r++) {
      layers[r - first] = dynamics(r).at(last, dynamics(r).layerIndex(last));
    }
    boolean[] active = new boolean[layers.length];
    Arrays.fill(active, true);
    try (ReferenceEngine engine = new ReferenceEngine();
        State x = engine.allocateState(part);
        Field v = engine.allocateField(part)) {
      engine.upload(x, Arrays.copyOfRange(all, first * size, end * size));
      engine.velocity(x, layers, active, v);
      double[] values = engine.download(v);
      for (int r = 0; r < layers.length; r++) {
        double largest = 0;
        for (int i = 0; i < shape.n(); i++) {
          // Unnormalised speeds may be beyond the root of the largest number.
          double speed = 0;
          for (int c = 0; c < shape.d(); c++) {
            speed = Math.hypot(speed, values[r * size + i * shape.d() + c]);
          }
          largest = Math.max(largest, speed);
        }
        speeds[first + r] = largest;
      }
    }
  }
}
