package org.starling.core.run;

import java.util.List;
import java.util.stream.LongStream;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Outcome;
import org.starling.core.integrate.Pause;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observers;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.RunDirectory;

/**
 * Steps replicas to the end and reports on the way. Everything that decides a byte of the results
 * is in the integrator, the state and {@link LoopState}, all of which a checkpoint holds; what a
 * session adds (clock, signals) decides only when checkpoints are taken.
 *
 * <p>Replicas that have passed the next output time wait until all have. Before the end time each
 * replica waits once more, on its last state before the end, until all have come there: from the
 * checkpoint taken at that moment the run can be extended. Only then do they step over the end.
 */
final class RunLoop implements AutoCloseable {
  private final RunSpec spec;
  private final RunControl control;
  private final Engine engine;
  private final double[] times;

  /** Steps at whose multiples states are looked at. */
  private final long[] places;

  private final Integrator integrator;
  private final Frame frame;
  private final LoopState state;
  private final EndTime end;
  private final Endings endings;
  private final DriftWatch driftWatch;
  private final PaceWatch pace;
  private final Outputs outputs;
  private final Reports reports;
  private final CheckpointKeeper keeper;
  private final ProgressMeter meter;
  private final StatusFile status;
  private double longestStep;
  private boolean stepped;

  /**
   * @param from checkpoint to go on from, null to start
   */
  RunLoop(
      RunSpec spec, RunControl control, Engine engine, RunDirectory directory, Checkpoint from) {
    this.spec = spec;
    this.control = control;
    this.engine = engine;
    List<Column> columns = Observers.columns(spec.observers(), spec.shape());
    times = spec.outputs().until(spec.tEnd());
    integrator = integrator(from);
    Frame allocated = null;
    boolean done = false;
    try {
      allocated = new Frame(spec, engine, integrator);
      frame = allocated;
      state = from == null ? new LoopState(spec) : LoopState.restore(from, spec, columns);
      if (from != null && !CheckpointKeeper.sameEnd(from, spec)) {
        state.ending = false;
      }
      places =
          LongStream.concat(
                  LongStream.of(state.log.places()),
                  control.check() == null
                      ? LongStream.empty()
                      : LongStream.of(control.check().everySteps()))
              .toArray();
      end = new EndTime(spec, integrator, frame, state.replicas);
      endings = new Endings(spec, engine, integrator, frame, state);
      Precision precision = engine.precision();
      outputs =
          from == null
              ? Outputs.create(directory, spec, columns, precision)
              : Outputs.restore(
                  directory, spec, columns, precision, CheckpointKeeper.outputs(from));
      reports = new Reports(times, integrator, frame, state, endings, outputs);
      keeper = new CheckpointKeeper(spec, engine, integrator, directory);
      driftWatch = new DriftWatch(control.check(), engine, integrator, frame, state, keeper);
      pace = new PaceWatch(spec, engine, integrator, frame, state.replicas);
      meter = new ProgressMeter(control.nanoTime(), reached(), state.accepted);
      status = new StatusFile(directory);
      done = true;
    } finally {
      if (!done) {
        if (allocated != null) {
          allocated.close();
        }
        integrator.close();
      }
    }
  }

  private Integrator integrator(Checkpoint from) {
    State x = engine.allocateState(spec.shape());
    boolean done = false;
    try {
      if (from == null) {
        engine.upload(x, spec.initial());
      } else {
        engine.restore(x, from.section(CheckpointKeeper.STATE));
      }
      Integrator made =
          Integrators.create(
              spec.integrator(),
              engine,
              spec.dynamics().toArray(new Dynamics[0]),
              x,
              spec.noise().toArray(new Philox[0]));
      if (from != null) {
        made.restore(from.section(CheckpointKeeper.INTEGRATOR));
      }
      done = true;
      return made;
    } finally {
      if (!done) {
        x.close();
      }
    }
  }

  @Override
  public void close() {
    frame.close();
    integrator.close();
  }

  Integrator integrator() {
    return integrator;
  }

  LoopState state() {
    return state;
  }

  Outputs outputs() {
    return outputs;
  }

  ProgressMeter meter() {
    return meter;
  }

  /** The last committed checkpoint in words. */
  String lastCheckpoint() {
    return keeper.last();
  }

  /**
   * Goes on until the end or an interruption.
   *
   * @return why the session ended early; null if all replicas have ended
   */
  Outcome run(boolean fresh) {
    if (fresh) {
      refuseNonFiniteStart();
      checkpoint();
    }
    while (true) {
      while (reports.due()) {
        reports.report();
      }
      if (state.next == times.length || !any(state.running())) {
        return null;
      }
      Outcome early = interruption();
      if (early != null) {
        checkpoint();
        return early;
      }
      if (keeper.secondsSince(control) >= control.checkpointSeconds()) {
        checkpoint();
      }
      Outcome drift = drift();
      if (drift != null) {
        return drift;
      }
      boolean[] active = active();
      if (any(active)) {
        step(active);
        if (meter.due()) {
          tell(null);
        }
      } else if (!state.ending) {
        state.ending = true;
        checkpoint();
      } else {
        throw new IllegalStateException("no replica can move at t = " + reached());
      }
    }
  }

  private void refuseNonFiniteStart() {
    Observations.NonFinite[] bad = engine.observations().nonFinite(integrator.state());
    for (int r = 0; r < bad.length; r++) {
      if (bad[r].count() > 0) {
        throw new IllegalArgumentException(
            "the initial state is not finite: replica " + r + ", token " + bad[r].firstToken());
      }
    }
  }

  // --- which replicas move ---

  private boolean[] active() {
    boolean[] active = state.running();
    for (int r = 0; r < active.length; r++) {
      active[r] &= integrator.time(r) < times[state.next] && (state.ending || !end.isNext(r));
    }
    return active;
  }

  private void step(boolean[] active) {
    double begin = meter.seconds();
    long[] made = new long[active.length];
    for (int r = 0; r < active.length; r++) {
      made[r] = integrator.steps(r);
    }
    if (state.ending) {
      // Before every step over the end positions at the end are taken: one step at a time.
      end.before(active);
      integrator.attempt(active);
    } else {
      integrator.advance(
          active, new Pause(times[state.next], spec.tEnd(), state.log.watches(active), places));
    }
    state.attempts++;
    state.report = state.report.and(integrator.takeReport());
    String hint = integrator.takeHint();
    if (hint != null) {
      control.listener().message(hint);
    }
    boolean[] moved = new boolean[active.length];
    boolean[] failed = new boolean[active.length];
    for (int r = 0; r < active.length; r++) {
      if (active[r] && integrator.failure(r) != null) {
        state.accepted += integrator.steps(r) - made[r];
        failed[r] = true;
      } else if (active[r] && integrator.accepted(r)) {
        moved[r] = true;
        state.accepted += integrator.steps(r) - made[r];
      }
    }
    endings.byIntegrator(failed);
    endings.atSteps(moved);
    if (state.ending) {
      end.after(moved);
    }
    pace.look();
    stepped = true;
    longestStep = Math.max(longestStep, meter.seconds() - begin);
  }

  // --- safety ---

  private Outcome drift() {
    // A replica that waits at a report needs its last step for it; its turn is when it moves.
    boolean[] active = state.running();
    for (int r = 0; r < active.length; r++) {
      active[r] &= integrator.time(r) < times[state.next];
    }
    return driftWatch.look(active);
  }

  private Outcome interruption() {
    String reason = control.stop().reason();
    Outcome.Kind kind = Outcome.Kind.INTERRUPTED;
    // A session makes at least one step, so that a short wall time still gets somewhere.
    double needed = meter.seconds() + 2 * longestStep + keeper.cost();
    if (reason == null && stepped && needed >= control.walltimeSeconds()) {
      kind = Outcome.Kind.WALLTIME;
      reason = "the wall time of " + control.walltimeSeconds() + " s is used up";
    }
    return reason == null
        ? null
        : new Outcome(
            kind,
            "Stopped at t = " + reached() + ": " + reason + "; 'resume' continues.",
            -1,
            reached(),
            state.accepted,
            -1);
  }

  private void checkpoint() {
    for (int number = state.next; number < times.length; number++) {
      boolean[] passed = state.running();
      for (int r = 0; r < passed.length; r++) {
        passed[r] &= integrator.time(r) >= times[number];
      }
      if (!any(passed)) {
        break;
      }
      frame.interpolate(times[number], passed, state.pending.get(number));
      state.pending.put(
          number, new LoopState.Pending(times[number], passed, engine.snapshot(frame.x())));
    }
    double last = state.next == 0 ? Double.NaN : times[state.next - 1];
    keeper.write(control, state, outputs, last);
  }

  /** Time that every running replica has reached; the end time if none runs. */
  double reached() {
    double t = spec.tEnd();
    for (int r = 0; r < state.replicas.length; r++) {
      if (state.replicas[r].running()) {
        t = Math.min(t, integrator.time(r));
      }
    }
    return t;
  }

  /** Reports progress, with the outcome once the run has ended; null while it goes on. */
  void tell(Outcome outcome) {
    meter.sample(reached(), state.accepted);
    int running = 0;
    double h = 0;
    for (int r = 0; r < state.replicas.length; r++) {
      if (state.replicas[r].running()) {
        h = running == 0 ? integrator.stepSize(r) : Math.min(h, integrator.stepSize(r));
        running++;
      }
    }
    Progress progress =
        new Progress(
            reached(),
            spec.tEnd(),
            state.accepted,
            h,
            state.next,
            times.length,
            running,
            meter.stepsPerSecond(),
            meter.secondsLeft(spec.tEnd()),
            outcome);
    status.write(progress);
    control.listener().progress(progress);
  }

  static boolean any(boolean[] which) {
    for (boolean w : which) {
      if (w) {
        return true;
      }
    }
    return false;
  }
}
