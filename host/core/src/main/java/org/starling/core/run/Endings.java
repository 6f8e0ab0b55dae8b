package org.starling.core.run;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Outcome;
import org.starling.core.observe.Readings;

/** Ends replicas: by a stop condition, by what the integrator says. */
final class Endings {
  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final Frame frame;
  private final LoopState state;
  private final Replica[] replicas;

  Endings(RunSpec spec, Engine engine, Integrator integrator, Frame frame, LoopState state) {
    this.spec = spec;
    this.engine = engine;
    this.integrator = integrator;
    this.frame = frame;
    this.state = state;
    this.replicas = state.replicas;
  }

  /** A prefix for sentences about one replica of several. */
  private String who(int r) {
    return who(r, replicas.length);
  }

  /** The same among {@code count} replicas. */
  static String who(int r, int count) {
    return count == 1 ? "" : "Replica " + r + ": ";
  }

  /**
   * Replicas that the integrator cannot take on. Where the model or the arithmetic ends, their last
   * states are results and are kept.
   *
   * @param failed replicas with a failure
   */
  void byIntegrator(boolean[] failed) {
    boolean[] kept = new boolean[replicas.length];
    for (int r = 0; r < failed.length; r++) {
      if (failed[r]) {
        replicas[r].outcome = integrator.failure(r);
        Outcome.Kind kind = replicas[r].outcome.kind();
        kept[r] = kind == Outcome.Kind.STOP_CONDITION || kind == Outcome.Kind.RESOLUTION_HORIZON;
      }
    }
    if (RunLoop.any(kept)) {
      frame.copy(kept);
      hold(kept, frame.read(times()));
    }
  }

  private double[] times() {
    double[] t = new double[replicas.length];
    for (int r = 0; r < t.length; r++) {
      t[r] = integrator.time(r);
    }
    return t;
  }

  /** Judges the rules of output times on the frame, which is at time t. */
  void atReport(double t, boolean[] running, Readings readings) {
    double[] all = new double[replicas.length];
    Arrays.fill(all, t);
    for (StopRule rule : spec.stops()) {
      if (rule.everySteps() == 0) {
        judge(rule, running, all, readings);
      }
    }
  }

  /** Judges the rules that look at accepted states. */
  void atSteps(boolean[] moved) {
    for (StopRule rule : spec.stops()) {
      boolean[] due = new boolean[moved.length];
      for (int r = 0; r < moved.length; r++) {
        due[r] =
            moved[r]
                && replicas[r].running()
                && rule.everySteps() > 0
                && integrator.steps(r) % rule.everySteps() == 0
                && integrator.time(r) <= spec.tEnd();
      }
      if (RunLoop.any(due)) {
        frame.copy(due);
        judge(rule, due, times(), null);
      }
    }
  }

  private void judge(StopRule rule, boolean[] which, double[] t, Readings readings) {
    if (!RunLoop.any(which)) {
      return;
    }
    String[] found = rule.judge(engine, frame.x());
    boolean[] stopped = new boolean[which.length];
    for (int r = 0; r < which.length; r++) {
      if (which[r] && found[r] != null && replicas[r].running()) {
        stopped[r] = true;
        replicas[r].outcome =
            new Outcome(
                Outcome.Kind.STOP_CONDITION,
                who(r) + "stopped at t = " + t[r] + ": " + found[r] + ".",
                r,
                t[r],
                integrator.steps(r),
                -1);
      }
    }
    if (RunLoop.any(stopped)) {
      hold(stopped, readings == null ? frame.read(t) : readings);
    }
  }

  private void hold(boolean[] which, Readings readings) {
    double[] positions = frame.positions();
    for (int r = 0; r < which.length; r++) {
      if (which[r]) {
        state.heldReadings(readings.columns()).copy(readings, r);
        replicas[r].held = frame.row(positions, r);
      }
    }
  }
}
