package org.starling.core.run;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Outcome;
import org.starling.core.observe.Readings;

/**
 * Ends replicas, by a stop condition or by what the integrator says, and notes the moments of
 * events.
 */
final class Endings {
  /** Halvings of a step in which the moment of an event is sought. */
  private static final int HALVINGS = 24;

  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final Frame frame;
  private final LoopState state;
  private final EventLog log;
  private final Replica[] replicas;

  Endings(RunSpec spec, Engine engine, Integrator integrator, Frame frame, LoopState state) {
    log = state.log;
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

  /**
   * Judges the rules of output times on the frame, which is at time t.
   *
   * @param before the report before; NaN if there is none
   */
  void atReport(double t, double before, boolean[] running, Readings readings) {
    double[] all = new double[replicas.length];
    Arrays.fill(all, t);
    double[] after = new double[replicas.length];
    Arrays.fill(after, before);
    for (int k = 0; k < log.size(); k++) {
      if (log.rule(k).everySteps() == 0) {
        judge(k, running, all, after, readings);
      }
    }
  }

  /** Judges the rules that look at accepted states. */
  void atSteps(boolean[] moved) {
    for (int k = 0; k < log.size(); k++) {
      StopRule rule = log.rule(k);
      boolean[] due = new boolean[moved.length];
      double[] after = new double[moved.length];
      for (int r = 0; r < moved.length; r++) {
        due[r] =
            moved[r]
                && replicas[r].running()
                && rule.everySteps() > 0
                && integrator.steps(r) % rule.everySteps() == 0
                && integrator.time(r) <= spec.tEnd();
        after[r] = rule.everySteps() == 1 ? integrator.previousTime(r) : Double.NaN;
      }
      if (RunLoop.any(due)) {
        frame.copy(due);
        judge(k, due, times(), after, null);
      }
    }
  }

  private void judge(int k, boolean[] which, double[] t, double[] after, Readings readings) {
    StopRule rule = log.rule(k);
    boolean[] open = new boolean[which.length];
    for (int r = 0; r < which.length; r++) {
      open[r] = which[r] && replicas[r].running() && log.open(k, r);
    }
    if (!RunLoop.any(open)) {
      return;
    }
    Look look = new Look(engine, frame.x(), frame.layers(t), t);
    String[] found = rule.judge(look, log.memory(k));
    boolean[] holds = new boolean[which.length];
    for (int r = 0; r < which.length; r++) {
      holds[r] = open[r] && found[r] != null;
    }
    if (RunLoop.any(holds) && log.ends(k)) {
      end(holds, found, t);
      hold(holds, readings == null ? frame.read(t) : readings);
    } else if (RunLoop.any(holds)) {
      note(k, holds, found, t.clone(), after);
      // Where moments were sought the frame is elsewhere now; what was measured before still holds.
    }
    rule.remember(look, log.memory(k), open);
  }

  private void end(boolean[] which, String[] found, double[] t) {
    for (int r = 0; r < which.length; r++) {
      if (which[r]) {
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
  }

  private void note(int k, boolean[] which, String[] found, double[] t, double[] after) {
    if (log.rule(k).everySteps() == 1) {
      seek(k, which, t, after);
    }
    for (int r = 0; r < which.length; r++) {
      if (which[r]) {
        log.note(
            k, new Event(r, log.rule(k).label(), t[r], after[r], integrator.steps(r), found[r]));
      }
    }
  }

  /**
   * Halves the last steps of replicas at whose ends, t, a condition holds; afterwards it does not
   * hold at after[r] and does at t[r]. A condition that held at the start of the step as well came
   * true there.
   */
  private void seek(int k, boolean[] which, double[] t, double[] after) {
    double[] middle = t.clone();
    for (int s = 0; s < HALVINGS; s++) {
      for (int r = 0; r < which.length; r++) {
        middle[r] = which[r] ? after[r] + 0.5 * (t[r] - after[r]) : t[r];
      }
      frame.within(middle, which);
      String[] found =
          log.rule(k)
              .judge(new Look(engine, frame.x(), frame.layers(middle), middle), log.memory(k));
      for (int r = 0; r < which.length; r++) {
        if (which[r] && found[r] != null) {
          t[r] = middle[r];
        } else if (which[r]) {
          after[r] = middle[r];
        }
      }
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
