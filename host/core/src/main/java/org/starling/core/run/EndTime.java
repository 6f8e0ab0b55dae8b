package org.starling.core.run;

import org.starling.core.integrate.Integrator;
import org.starling.core.model.Dynamics;

/**
 * Positions at the end time, which steps go over: by one shortened step from the last state before
 * it, taken for output and discarded. Where that step's error is too large a regular step comes
 * first, and the last state before the end is a later one.
 */
final class EndTime {
  private final RunSpec spec;
  private final Integrator integrator;
  private final Frame frame;
  private final Replica[] replicas;

  EndTime(RunSpec spec, Integrator integrator, Frame frame, Replica[] replicas) {
    this.spec = spec;
    this.integrator = integrator;
    this.frame = frame;
    this.replicas = replicas;
  }

  /** Whether the next step of replica r reaches the end time. */
  boolean isNext(int r) {
    double h = integrator.stepSize(r);
    return h > 0 && integrator.time(r) + h >= spec.tEnd();
  }

  /** Before an attempt: side steps for replicas that are about to go over the end. */
  void before(boolean[] active) {
    if (frame.onStepEnds()) {
      return;
    }
    boolean[] which = new boolean[active.length];
    for (int r = 0; r < active.length; r++) {
      double t = integrator.time(r);
      Dynamics dynamics = spec.dynamics(r);
      which[r] =
          active[r]
              && replicas[r].atEnd == null
              && t < spec.tEnd()
              && t + integrator.stepSize(r) > spec.tEnd()
              && spec.tEnd() <= dynamics.end(dynamics.layerIndex(t));
    }
    if (RunLoop.any(which)) {
      boolean[] good = frame.sideStep(spec.tEnd(), which);
      for (int r = 0; r < which.length; r++) {
        which[r] &= good[r];
      }
      keep(which);
    }
  }

  /** After an attempt: ends taken from a state that is no longer the last one count no more. */
  void after(boolean[] moved) {
    boolean[] over = new boolean[moved.length];
    for (int r = 0; r < moved.length; r++) {
      if (moved[r] && integrator.time(r) <= spec.tEnd()) {
        replicas[r].atEnd = null;
      }
      over[r] = moved[r] && integrator.time(r) > spec.tEnd() && replicas[r].atEnd == null;
    }
    if (RunLoop.any(over)) {
      frame.interpolate(spec.tEnd(), over);
      keep(over);
    }
  }

  private void keep(boolean[] which) {
    double[] positions = frame.positions();
    for (int r = 0; r < which.length; r++) {
      if (which[r]) {
        replicas[r].atEnd = frame.row(positions, r);
      }
    }
  }
}
