package org.starling.app.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.core.experiment.Experiment;
import org.starling.core.experiment.ExperimentException;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.experiment.SaveSpec;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.FileStore;
import org.starling.core.store.Json;
import org.starling.core.store.StoreException;
import org.starling.core.store.TrajectoryReader;

/** The files of a run as figures need them. Read without a lock: a run may still be going on. */
final class RunFiles {
  /**
   * A scalar at every report; the three curves are one object where there is one replica.
   *
   * @param mean over replicas; NaN where no replica has a value
   */
  record Series(double[] mean, double[] min, double[] max) {
    boolean single() {
      return mean == min;
    }
  }

  private final Path path;
  private final ExperimentFile file;
  private final Experiment experiment;
  private final Map<String, Object> manifest;
  private final List<Map<String, Object>> reports;
  private final TrajectoryReader trajectory;
  private ResolvedExperiment resolved;

  private RunFiles(Path path) {
    FileStore store = FileStore.disk();
    Path text = path.resolve("experiment.yaml");
    if (!store.exists(text)) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          path + " is not the directory of a run: it has no experiment.yaml");
    }
    this.path = path;
    this.file = ExperimentFile.read(text, List.of());
    this.experiment = file.experiment();
    Path facts = path.resolve("manifest.json");
    this.manifest =
        store.exists(facts)
            ? Json.read(store.read(facts), facts.toString())
            : new LinkedHashMap<>();
    this.reports = AppendedLines.read(store, path.resolve("scalars.jsonl"));
    this.trajectory = TrajectoryReader.open(path);
  }

  /**
   * Opens a run.
   *
   * @throws StoreException if it is not one, or a file is damaged
   * @throws ExperimentException if its experiment cannot be read
   */
  static RunFiles open(Path path) {
    return new RunFiles(path);
  }

  Path path() {
    return path;
  }

  Experiment experiment() {
    return experiment;
  }

  Map<String, Object> manifest() {
    return manifest;
  }

  int n() {
    return experiment.tokens().n();
  }

  int d() {
    return experiment.tokens().d();
  }

  int replicas() {
    return experiment.replicas();
  }

  TrajectoryReader trajectory() {
    return trajectory;
  }

  /**
   * The frames.
   *
   * @throws MissingData if there are none
   */
  TrajectoryReader frames() throws MissingData {
    if (trajectory.frames() == 0) {
      throw new MissingData(
          Boolean.FALSE.equals(experiment.save().trajectory())
              ? "the run keeps no trajectory (save.trajectory is false); run it again with --set"
                  + " save.trajectory=true"
              : "the run has no frames yet");
    }
    return trajectory;
  }

  /** Positions of the first replica in a frame, {@code [n][d]} row-major. */
  double[] positions(int frame) {
    double[] all = trajectory.frame(frame);
    return replicas() == 1 ? all : Arrays.copyOf(all, n() * d());
  }

  /** Times of all reports. */
  double[] times() {
    return reports.stream().mapToDouble(r -> Json.number(r.get("t"))).toArray();
  }

  /** Number of the report with this time, the nearest one. */
  int reportAt(double time) {
    double[] times = times();
    int best = 0;
    for (int k = 1; k < times.length; k++) {
      if (Math.abs(times[k] - time) < Math.abs(times[best] - time)) {
        best = k;
      }
    }
    return best;
  }

  /** Whether reports are spaced by equal ratios of time. */
  boolean logTime() {
    return experiment.save().schedule() instanceof SaveSpec.Schedule.Log;
  }

  /** An axis for the times of a run; logarithmic ones begin at the first time after 0. */
  Axis timeAxis() throws MissingData {
    double[] times = times();
    double first = 0;
    for (int k = times.length - 1; logTime() && k >= 0; k--) {
      first = times[k] > 0 ? times[k] : first;
    }
    if (times.length < 2 || !(times[times.length - 1] > first)) {
      throw new MissingData("the run has only " + times.length + " reports yet; a curve needs two");
    }
    return new Axis("time t", first, times[times.length - 1], logTime());
  }

  /** Names of the scalars that are reported, in order. */
  List<String> scalars() {
    Set<String> names = new LinkedHashSet<>();
    if (!reports.isEmpty()) {
      names.addAll(reports.get(0).keySet());
    }
    names.remove("step");
    names.remove("t");
    return new ArrayList<>(names);
  }

  /** A scalar at every report; NaN where it has no value. */
  Series series(String name) {
    double[] mean = new double[reports.size()];
    double[] min = mean;
    double[] max = mean;
    if (replicas() > 1) {
      min = new double[mean.length];
      max = new double[mean.length];
    }
    for (int k = 0; k < mean.length; k++) {
      Object value = reports.get(k).get(name);
      if (value instanceof Map<?, ?> summary) {
        mean[k] = number(summary.get("mean"));
        min[k] = number(summary.get("min"));
        max[k] = number(summary.get("max"));
      } else {
        mean[k] = number(value);
      }
    }
    return new Series(mean, min, max);
  }

  private static double number(Object value) {
    return value == null ? Double.NaN : Json.number(value);
  }

  /** An array that is reported; null if the run does not report it. */
  ReportedArray array(String name) {
    Path npy = path.resolve("observables").resolve(name + ".npy");
    return FileStore.disk().exists(npy) ? ReportedArray.open(npy, reports.size()) : null;
  }

  /**
   * A scalar of every replica, where there are several.
   *
   * @throws MissingData if it has no file
   */
  ReportedReals reals(String name) throws MissingData {
    Path npy = path.resolve("observables").resolve(name + ".npy");
    if (!FileStore.disk().exists(npy)) {
      throw new MissingData(npy + " is missing");
    }
    return ReportedReals.open(npy, reports.size());
  }

  /** Cluster labels of the only, or the first, threshold; null if the run has none. */
  ReportedArray clusterLabels() {
    for (String name : scalars()) {
      if (name.equals("clusters") || name.startsWith("clusters-")) {
        return array("cluster-labels" + name.substring("clusters".length()));
      }
    }
    return null;
  }

  /**
   * The experiment with its inputs.
   *
   * @throws MissingData if an input is gone or has changed
   */
  ResolvedExperiment resolved() throws MissingData {
    if (resolved == null) {
      try {
        resolved = file.resolve();
      } catch (ExperimentException e) {
        throw new MissingData("the experiment's inputs cannot be read: " + e.problems().get(0));
      }
    }
    return resolved;
  }
}
