package org.starling.core.run;

import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Outcome;
import org.starling.core.observe.Reading;

/** Ends replicas: by a stop condition, by what the integrator says, by a non-finite state. */
final class Endings {
  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final Frame frame;
  private final Replica[] replicas;

  Endings(RunSpec spec, Engine engine, Integrator integrator, Frame frame, Replica[] replicas) {
    this.spec = spec;
    this.engine = engine;
    this.integrator = integrator;
    this.frame = frame;
    this.replicas = replicas;
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
   * A replica that the integrator cannot take on. Where the model or the arithmetic ends, its last
   * state is a result and is kept.
   */
  void byIntegrator(int r, Outcome failure) {
    replicas[r].outcome = failure;
    if (failure.kind() == Outcome.Kind.STOP_CONDITION
        || failure.kind() == Outcome.Kind.RESOLUTION_HORIZON) {
      boolean[] only = new boolean[replicas.length];
      only[r] = true;
      frame.copy(only);
      hold(r, frame.read(integrator.time(r)), frame.positions());
    }
  }

  /** Ends replicas whose last step left the finite numbers, and takes them out of {@code moved}. */
  void byNonFinite(boolean[] moved) {
    if (!RunLoop.any(moved)) {
      return;
    }
    Observations.NonFinite[] bad = engine.observations().nonFinite(integrator.state());
    for (int r = 0; r < moved.length; r++) {
      if (moved[r] && bad[r].count() > 0) {
        moved[r] = false;
        replicas[r].outcome =
            new Outcome(
                Outcome.Kind.NON_FINITE,
                who(r)
                    + "token "
                    + bad[r].firstToken()
                    + " became non-finite in step "
                    + integrator.steps(r)
                    + " to t = "
                    + integrator.time(r)
                    + ".",
                r,
                integrator.time(r),
                integrator.steps(r),
                bad[r].firstToken());
      }
    }
  }

  /** Judges the rules of output times on the frame, which is at time t. */
  void atReport(double t, boolean[] running, List<Reading> readings) {
    for (StopRule rule : spec.stops()) {
      if (rule.everySteps() == 0) {
        judge(rule, running, t, readings);
      }
    }
  }

  /** Judges the rules that look at accepted states. */
  void atSteps(boolean[] moved) {
    for (StopRule rule : spec.stops()) {
      for (int r = 0; r < moved.length; r++) {
        boolean due =
            moved[r]
                && replicas[r].running()
                && rule.everySteps() > 0
                && integrator.steps(r) % rule.everySteps() == 0
                && integrator.time(r) <= spec.tEnd();
        if (due) {
          boolean[] only = new boolean[moved.length];
          only[r] = true;
          frame.copy(only);
          judge(rule, only, integrator.time(r), null);
        }
      }
    }
  }

  private void judge(StopRule rule, boolean[] which, double t, List<Reading> readings) {
    if (!RunLoop.any(which)) {
      return;
    }
    String[] found = rule.judge(engine, frame.x());
    List<Reading> known = readings;
    double[] positions = null;
    for (int r = 0; r < which.length; r++) {
      if (!which[r] || found[r] == null || !replicas[r].running()) {
        continue;
      }
      known = known == null ? frame.read(t) : known;
      positions = positions == null ? frame.positions() : positions;
      hold(r, known, positions);
      replicas[r].outcome =
          new Outcome(
              Outcome.Kind.STOP_CONDITION,
              who(r) + "stopped at t = " + t + ": " + found[r] + ".",
              r,
              t,
              integrator.steps(r),
              -1);
    }
  }

  private void hold(int r, List<Reading> readings, double[] positions) {
    replicas[r].heldReading = readings.get(r);
    replicas[r].held = frame.row(positions, r);
  }
}
