package org.starling.core.run;

import org.starling.core.engine.Engine;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Outcome;

/** Has the in-run check look at the accepted states when it is due. */
final class DriftWatch {
  private final RowCheck check;
  private final Engine engine;
  private final Integrator integrator;
  private final Frame frame;
  private final LoopState state;
  private final CheckpointKeeper keeper;

  /**
   * @param check null for none
   */
  DriftWatch(
      RowCheck check,
      Engine engine,
      Integrator integrator,
      Frame frame,
      LoopState state,
      CheckpointKeeper keeper) {
    this.check = check;
    this.engine = engine;
    this.integrator = integrator;
    this.frame = frame;
    this.state = state;
    this.keeper = keeper;
  }

  /**
   * Compares some rows if enough steps have been made since the last comparison.
   *
   * @param active replicas whose last step is not needed for output any more
   * @return how the run ends; null if the rows agree, or it is not yet time
   */
  Outcome look(boolean[] active) {
    long steps = 0;
    double[] t = new double[active.length];
    for (int r = 0; r < t.length; r++) {
      steps = Math.max(steps, integrator.steps(r));
      t[r] = integrator.time(r);
    }
    if (check == null || steps < state.checks * check.everySteps()) {
      return null;
    }
    RowCheck.Finding finding =
        check.check(
            engine,
            integrator.state(),
            integrator::velocities,
            integrator.evaluated(frame.layers(t)),
            active,
            integrator.lend(active),
            state.checks);
    if (finding == null) {
      state.checks = steps / check.everySteps() + 1;
      return null;
    }
    int r = finding.replica();
    return new Outcome(
        Outcome.Kind.DRIFT,
        Endings.who(r, active.length)
            + finding.sentence()
            + " (token "
            + finding.token()
            + ", t = "
            + integrator.time(r)
            + ", step "
            + integrator.steps(r)
            + "). Last good checkpoint: "
            + keeper.last()
            + ".",
        r,
        integrator.time(r),
        integrator.steps(r),
        finding.token());
  }
}
