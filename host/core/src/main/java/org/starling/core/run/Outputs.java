package org.starling.core.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.core.observe.Column;
import org.starling.core.observe.Readings;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.ElementType;
import org.starling.core.store.Json;
import org.starling.core.store.NpyAppender;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.TrajectoryWriter;

/**
 * The growing files of a run. One report adds a line to {@code scalars.jsonl}, an entry to each
 * file of {@code observables/} and, where frames are kept, a frame to the trajectory.
 *
 * <p>One replica: scalars stand in the lines, arrays in {@code observables/NAME.npy} of shape
 * {@code [reports][length]}. Several: lines hold smallest, mean and largest value over the
 * replicas, and {@code observables/NAME.npy} has shape {@code [reports][R]} (float64; NaN for a
 * replica that failed) or {@code [reports][R][length]} (-1 throughout for a replica that failed).
 */
final class Outputs {
  private final RunDirectory directory;
  private final int replicas;
  private final List<Column> columns;
  private final AppendedLines scalars;
  private final TrajectoryWriter trajectory;
  private final NpyAppender[] files;
  private int reports;

  private Outputs(
      RunDirectory directory,
      RunSpec spec,
      List<Column> columns,
      Precision precision,
      Map<String, Object> position) {
    this.directory = directory;
    this.replicas = spec.shape().replicas();
    this.columns = columns;
    reports = position == null ? 0 : Math.toIntExact(Json.integer(position.get("reports")));
    scalars =
        position == null
            ? AppendedLines.create(directory.store(), directory.scalars())
            : AppendedLines.restore(
                directory.store(),
                directory.scalars(),
                Json.integer(position.get("scalars_bytes")));
    directory.store().createDirectories(directory.observables());
    files = new NpyAppender[columns.size()];
    for (int c = 0; c < files.length; c++) {
      files[c] = file(columns.get(c));
    }
    trajectory = spec.trajectory() ? trajectory(spec, precision, position) : null;
  }

  static Outputs create(
      RunDirectory directory, RunSpec spec, List<Column> columns, Precision precision) {
    return new Outputs(directory, spec, columns, precision, null);
  }

  /** Goes on at a position that {@link #position} gave; everything after it is cut off. */
  static Outputs restore(
      RunDirectory directory,
      RunSpec spec,
      List<Column> columns,
      Precision precision,
      Map<String, Object> position) {
    return new Outputs(directory, spec, columns, precision, position);
  }

  /** Element type of positions: what the engine's state holds, exactly. */
  static ElementType positions(Precision precision) {
    return precision == Precision.SINGLE ? ElementType.FLOAT32 : ElementType.FLOAT64;
  }

  /** Shape of a frame: replicas only where there are several. */
  static int[] frameShape(Shape shape) {
    return shape.replicas() == 1
        ? new int[] {shape.n(), shape.d()}
        : new int[] {shape.replicas(), shape.n(), shape.d()};
  }

  private TrajectoryWriter trajectory(
      RunSpec spec, Precision precision, Map<String, Object> position) {
    int[] shape = frameShape(spec.shape());
    ElementType type = positions(precision);
    if (position == null) {
      return TrajectoryWriter.create(directory, spec.segmentBytes(), type, shape);
    }
    Map<String, Object> at = new LinkedHashMap<>();
    ((Map<?, ?>) position.get("trajectory")).forEach((k, v) -> at.put((String) k, v));
    return TrajectoryWriter.restore(directory, at, spec.segmentBytes(), type, shape);
  }

  private NpyAppender file(Column column) {
    if (!column.array() && replicas == 1) {
      return null; // it stands in scalars.jsonl
    }
    int[] entry =
        replicas == 1
            ? new int[] {column.length()}
            : column.array() ? new int[] {replicas, column.length()} : new int[] {replicas};
    ElementType type =
        switch (column.kind()) {
          case REAL, COUNT -> ElementType.FLOAT64;
          case LABELS -> ElementType.INT32;
          case COUNTS -> ElementType.INT64;
        };
    return NpyAppender.restore(
        directory.store(), directory.observable(column.name()), type, reports, entry);
  }

  /** Whether frames are kept. */
  boolean keepsFrames() {
    return trajectory != null;
  }

  /** Reports written. */
  int reports() {
    return reports;
  }

  /**
   * Adds a report.
   *
   * @param t its time
   * @param steps accepted steps when it was reached, the smallest over replicas
   * @param readings of all replicas
   * @param failed replicas without a reading
   * @param frame positions, or null where none are kept
   */
  void report(double t, long steps, Readings readings, boolean[] failed, double[] frame) {
    for (int r = 0; r < replicas; r++) {
      if (failed[r]) {
        readings.erase(r);
      }
    }
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("step", steps);
    line.put("t", t);
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      if (!column.array()) {
        line.put(
            column.name(),
            replicas > 1
                ? summary(readings.reals(c), failed)
                : column.kind() == Column.Kind.COUNT
                    ? (Object) (long) readings.real(c, 0)
                    : (Object) readings.real(c, 0));
      }
      if (files[c] != null && column.array()) {
        files[c].append(readings.arrays(c));
      } else if (files[c] != null) {
        files[c].append(readings.reals(c));
      }
    }
    if (trajectory != null) {
      trajectory.append(steps, t, frame);
    }
    // The line last: a report that a reader finds in the lines is complete.
    scalars.append(line);
    reports++;
  }

  private static Map<String, Object> summary(double[] values, boolean[] failed) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    int count = 0;
    for (int r = 0; r < values.length; r++) {
      if (!failed[r]) {
        min = Math.min(min, values[r]);
        max = Math.max(max, values[r]);
        sum += values[r];
        count++;
      }
    }
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("min", count == 0 ? null : (Object) min);
    summary.put("mean", count == 0 ? null : (Object) (sum / count));
    summary.put("max", count == 0 ? null : (Object) max);
    return summary;
  }

  /** Makes everything written so far durable. */
  void force() {
    scalars.force();
    for (NpyAppender file : files) {
      if (file != null) {
        file.force();
      }
    }
    if (trajectory != null) {
      trajectory.force();
    }
    directory.store().forceDirectory(directory.observables());
    directory.store().forceDirectory(directory.path());
  }

  /** Seals the last segment. */
  void finish() {
    if (trajectory != null) {
      trajectory.finish();
    }
    force();
  }

  /** Where the writing stands, for a checkpoint. */
  Map<String, Object> position() {
    Map<String, Object> position = new LinkedHashMap<>();
    position.put("reports", reports);
    position.put("scalars_bytes", scalars.bytes());
    position.put("trajectory", trajectory == null ? Map.of() : trajectory.position());
    return position;
  }

  /** Names of scalar columns and arrays, for the manifest. */
  List<String> names() {
    return new ArrayList<>(columns.stream().map(Column::name).toList());
  }
}
