package org.starling.core.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How a session of a run is executed; decides no byte of its results.
 *
 * @param stop asks the run to stop
 * @param walltimeSeconds the session ends, with a checkpoint, within this time; infinite for no
 *     limit
 * @param checkpointSeconds wall time between checkpoints, &gt; 0
 * @param check comparison with the definition; null for none
 * @param listener hears progress
 * @param provenance what the manifest records besides what the loop knows: versions, command line,
 *     certificate
 * @param nanoTime clock for rates, wall time and checkpoints
 */
public record RunControl(
    StopRequest stop,
    double walltimeSeconds,
    double checkpointSeconds,
    RowCheck check,
    ProgressListener listener,
    Map<String, Object> provenance,
    LongSupplier nanoTime) {
  public static final double DEFAULT_CHECKPOINT_SECONDS = 60;

  public RunControl {
    provenance = new LinkedHashMap<>(provenance);
    if (!(walltimeSeconds > 0) || !(checkpointSeconds > 0)) {
      throw new IllegalArgumentException(
          "walltime and checkpoint interval must be > 0, got "
              + walltimeSeconds
              + " and "
              + checkpointSeconds);
    }
  }

  /** No limits, no check, nobody listening. */
  public static RunControl plain() {
    return new RunControl(
        new StopRequest(),
        Double.POSITIVE_INFINITY,
        DEFAULT_CHECKPOINT_SECONDS,
        null,
        ProgressListener.NONE,
        Map.of(),
        System::nanoTime);
  }

  public RunControl withStop(StopRequest request) {
    return new RunControl(
        request, walltimeSeconds, checkpointSeconds, check, listener, provenance, nanoTime);
  }

  public RunControl withWalltime(double seconds) {
    return new RunControl(stop, seconds, checkpointSeconds, check, listener, provenance, nanoTime);
  }

  public RunControl withCheckpointEvery(double seconds) {
    return new RunControl(stop, walltimeSeconds, seconds, check, listener, provenance, nanoTime);
  }

  public RunControl withCheck(RowCheck rows) {
    return new RunControl(
        stop, walltimeSeconds, checkpointSeconds, rows, listener, provenance, nanoTime);
  }

  public RunControl withListener(ProgressListener hears) {
    return new RunControl(
        stop, walltimeSeconds, checkpointSeconds, check, hears, provenance, nanoTime);
  }

  public RunControl withProvenance(Map<String, Object> facts) {
    return new RunControl(
        stop, walltimeSeconds, checkpointSeconds, check, listener, facts, nanoTime);
  }

  public RunControl withClock(LongSupplier nanos) {
    return new RunControl(
        stop, walltimeSeconds, checkpointSeconds, check, listener, provenance, nanos);
  }
}
