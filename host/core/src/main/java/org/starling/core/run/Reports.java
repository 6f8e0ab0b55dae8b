package org.starling.core.run;

import java.util.Arrays;
import org.starling.core.integrate.Integrator;
import org.starling.core.observe.Readings;

/** Makes the reports, each once all running replicas have passed its time. */
final class Reports {
  private final double[] times;
  private final Integrator integrator;
  private final Frame frame;
  private final LoopState state;
  private final Endings endings;
  private final Outputs outputs;

  /**
   * @param times of all reports
   */
  Reports(
      double[] times,
      Integrator integrator,
      Frame frame,
      LoopState state,
      Endings endings,
      Outputs outputs) {
    this.times = times;
    this.integrator = integrator;
    this.frame = frame;
    this.state = state;
    this.endings = endings;
    this.outputs = outputs;
  }

  /** Whether every running replica has passed the next output time. */
  boolean due() {
    if (state.next == times.length || !RunLoop.any(state.running())) {
      return false;
    }
    for (int r = 0; r < state.replicas.length; r++) {
      if (state.replicas[r].running() && integrator.time(r) < times[state.next]) {
        return false;
      }
    }
    return true;
  }

  /** Makes the report that is due. */
  void report() {
    double t = times[state.next];
    frame.interpolate(t, state.running(), state.pending.remove(state.next));
    Readings readings = frame.read(t);
    boolean[] failed = new boolean[state.replicas.length];
    double[] positions = outputs.keepsFrames() ? frame.positions() : null;
    long steps = Long.MAX_VALUE;
    for (int r = 0; r < state.replicas.length; r++) {
      Replica replica = state.replicas[r];
      if (replica.running()) {
        steps = Math.min(steps, integrator.steps(r));
        continue;
      }
      failed[r] = !replica.stopped();
      if (replica.stopped()) {
        readings.copy(state.heldReadings(readings.columns()), r);
      }
      if (positions != null) {
        int size = positions.length / state.replicas.length;
        if (replica.stopped()) {
          System.arraycopy(replica.held, 0, positions, r * size, size);
        } else {
          Arrays.fill(positions, r * size, (r + 1) * size, Double.NaN);
        }
      }
    }
    outputs.report(t, steps, readings, failed, positions);
    state.next++;
    double before = state.next == 1 ? Double.NaN : times[state.next - 2];
    endings.atReport(t, before, state.running(), readings);
  }
}
