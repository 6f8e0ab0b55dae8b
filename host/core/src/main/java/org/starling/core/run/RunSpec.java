package org.starling.core.run;

import java.util.List;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Philox;
import org.starling.core.observe.Observer;

/**
 * What is computed, as numbers: a resolved experiment without how and where it is executed.
 *
 * @param runId hash of the resolved experiment without its execution block
 * @param experimentText the resolved experiment, byte for byte as in {@code experiment.yaml}
 * @param shape R, n, d
 * @param initial positions at time 0, {@code [R][n][d]} row-major
 * @param dynamics one for all replicas, or one each
 * @param integrator method and tolerances
 * @param tEnd end time, &gt; 0
 * @param outputs when to report
 * @param trajectory whether frames are kept, besides observables
 * @param observers quantities to report
 * @param stops conditions that end a replica early
 * @param seed seed of the run, for the manifest
 * @param replicaParameters per replica what distinguishes it (swept parameters, its seed), R
 *     entries or none; kept as given, so that the entries may be made when they are asked for
 * @param segmentBytes size at which a trajectory segment is sealed, &gt;= 1; the unit of what a
 *     crash can cost
 * @param noise where the noise of each replica comes from, R entries; none where no dynamics has
 *     noise
 * @param events conditions whose moments are noted
 */
public record RunSpec(
    String runId,
    String experimentText,
    Shape shape,
    double[] initial,
    List<Dynamics> dynamics,
    IntegratorSpec integrator,
    double tEnd,
    OutputTimes outputs,
    boolean trajectory,
    List<Observer> observers,
    List<StopRule> stops,
    long seed,
    List<Map<String, Object>> replicaParameters,
    long segmentBytes,
    List<Philox> noise,
    List<StopRule> events) {
  /** Size at which a trajectory segment is sealed, unless a spec says otherwise. */
  public static final long DEFAULT_SEGMENT_BYTES = 16L << 20;

  /** A spec with segments of {@link #DEFAULT_SEGMENT_BYTES}. */
  public RunSpec(
      String runId,
      String experimentText,
      Shape shape,
      double[] initial,
      List<Dynamics> dynamics,
      IntegratorSpec integrator,
      double tEnd,
      OutputTimes outputs,
      boolean trajectory,
      List<Observer> observers,
      List<StopRule> stops,
      long seed,
      List<Map<String, Object>> replicaParameters) {
    this(
        runId,
        experimentText,
        shape,
        initial,
        dynamics,
        integrator,
        tEnd,
        outputs,
        trajectory,
        observers,
        stops,
        seed,
        replicaParameters,
        DEFAULT_SEGMENT_BYTES,
        List.of());
  }

  /** A spec that notes no events. */
  public RunSpec(
      String runId,
      String experimentText,
      Shape shape,
      double[] initial,
      List<Dynamics> dynamics,
      IntegratorSpec integrator,
      double tEnd,
      OutputTimes outputs,
      boolean trajectory,
      List<Observer> observers,
      List<StopRule> stops,
      long seed,
      List<Map<String, Object>> replicaParameters,
      long segmentBytes,
      List<Philox> noise) {
    this(
        runId,
        experimentText,
        shape,
        initial,
        dynamics,
        integrator,
        tEnd,
        outputs,
        trajectory,
        observers,
        stops,
        seed,
        replicaParameters,
        segmentBytes,
        noise,
        List.of());
  }

  /** The same with streams of noise. */
  public RunSpec withNoise(List<Philox> streams) {
    return new RunSpec(
        runId,
        experimentText,
        shape,
        initial,
        dynamics,
        integrator,
        tEnd,
        outputs,
        trajectory,
        observers,
        stops,
        seed,
        replicaParameters,
        segmentBytes,
        streams,
        events);
  }

  /** The same, with the moments of these conditions noted. */
  public RunSpec noting(List<StopRule> moments) {
    return new RunSpec(
        runId,
        experimentText,
        shape,
        initial,
        dynamics,
        integrator,
        tEnd,
        outputs,
        trajectory,
        observers,
        stops,
        seed,
        replicaParameters,
        segmentBytes,
        noise,
        moments);
  }

  public RunSpec {
    dynamics = List.copyOf(dynamics);
    observers = List.copyOf(observers);
    stops = List.copyOf(stops);
    noise = List.copyOf(noise);
    events = List.copyOf(events);
    if (initial.length != shape.size()) {
      throw new IllegalArgumentException(
          "the initial state has " + initial.length + " numbers, the shape needs " + shape.size());
    }
    if (!(tEnd > 0 && tEnd < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the end time must be finite and > 0, got " + tEnd);
    }
    if (dynamics.size() != 1 && dynamics.size() != shape.replicas()) {
      throw new IllegalArgumentException(
          dynamics.size() + " dynamics for " + shape.replicas() + " replicas: give 1 or one each");
    }
    if (!replicaParameters.isEmpty() && replicaParameters.size() != shape.replicas()) {
      throw new IllegalArgumentException(
          replicaParameters.size() + " parameter sets for " + shape.replicas() + " replicas");
    }
  }

  /** Dynamics of replica r. */
  Dynamics dynamics(int r) {
    return dynamics.get(dynamics.size() == 1 ? 0 : r);
  }
}
