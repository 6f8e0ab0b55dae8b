package org.starling.core.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Observers;
import org.starling.core.observe.Reading;
import org.starling.core.observe.Snapshot;
import org.starling.core.store.Checkpoint;
import org.starling.core.store.RunDirectory;

/**
 * Steps replicas to the end and reports on the way. Everything that decides a byte of the results is
 * in the integrator, the state and {@link LoopState}, all of which a checkpoint holds; what a session
 * adds (clock, signals) decides only when checkpoints are taken.
 *
 * <p>Replicas that have passed the next output time wait until all have. Before the end time each
 * replica waits once more, on its last state before the end, until all have come there: from the
 * checkpoint taken at that moment the run can be extended. Only then do they step over the end.
 */
final class RunLoop implements AutoCloseable {
  private final RunSpec spec;
  private final RunControl control;
  private final Engine engine;
  private final List<Column> columns;
  private final double[] times;
  private final Integrator integrator;
  private final State frame;
  private final Field scratch;
  private final LoopState state;
  private final Outputs outputs;
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
    columns = Observers.columns(spec.observers(), spec.shape());
    times = spec.outputs().until(spec.tEnd());
    integrator = integrator(from);
    State allocated = null;
    boolean done = false;
    try {
      allocated = engine.allocateState(spec.shape());
      frame = allocated;
      scratch = needsScratch(spec, control) ? engine.allocateField(spec.shape()) : null;
      state =
          from == null
              ? new LoopState(spec.shape().replicas())
              : LoopState.restore(from, spec.shape().replicas(), columns);
      outputs =
          from == null
              ? Outputs.create(directory, spec, columns, engine.precision())
              : Outputs.restore(
                  directory,
                  spec,
                  columns,
                  engine.precision(),
                  CheckpointKeeper.outputs(from));
      if (from != null && !CheckpointKeeper.sameEnd(from, spec)) {
        state.ending = false;
      }
      keeper = new CheckpointKeeper(spec, engine, integrator, directory);
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

  /** Whether a field beyond the integrator's is needed. */
  static boolean needsScratch(RunSpec spec, RunControl control) {
    return control.check() != null || spec.observers().stream().anyMatch(Observer::needsScratch);
  }

  private Integrator integrator(Checkpoint from) {
    State x = engine.allocateState(spec.shape());
    if (from == null) {
      engine.upload(x, spec.initial());
    } else {
      engine.restore(x, from.section(CheckpointKeeper.STATE));
    }
    Integrator made =
        Integrators.create(
            spec.integrator(), engine, spec.dynamics().toArray(new Dynamics[0]), x);
    if (from != null) {
      made.restore(from.section(CheckpointKeeper.INTEGRATOR));
    }
    return made;
  }

  @Override
  public void close() {
    frame.close();
    if (scratch != null) {
      scratch.close();
    }
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
      while (reportDue()) {
        report();
      }
      if (state.next == times.length || none(running())) {
        tell(null);
        return null;
      }
      Outcome early = interruption();
      if (early != null) {
        checkpoint();
        tell(early);
        return early;
      }
      if (keeper.secondsSince(control) >= control.checkpointSeconds()) {
        checkpoint();
      }
      Outcome drift = compareRows();
      if (drift != null) {
        tell(drift);
        return drift;
      }
      boolean[] active = active();
      if (!none(active)) {
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

  private boolean[] running() {
    boolean[] running = new boolean[state.replicas.length];
    for (int r = 0; r < running.length; r++) {
      running[r] = state.replicas[r].running();
    }
    return running;
  }

  private boolean[] active() {
    boolean[] active = running();
    for (int r = 0; r < active.length; r++) {
      active[r] &=
          integrator.time(r) < times[state.next] && (state.ending || !beforeLastStep(r));
    }
    return active;
  }

  /** Whether the next step of replica r reaches the end time. */
  private boolean beforeLastStep(int r) {
    double h = integrator.stepSize(r);
    return h > 0 && integrator.time(r) + h >= spec.tEnd();
  }

  private void step(boolean[] active) {
    double begin = meter.seconds();
    if (state.ending) {
      sideSteps(active);
    }
    integrator.attempt(active);
    state.attempts++;
    state.report = state.report.and(integrator.takeReport());
    String hint = integrator.takeHint();
    if (hint != null) {
      control.listener().message(hint);
    }
    boolean[] moved = new boolean[active.length];
    for (int r = 0; r < active.length; r++) {
      Outcome failure = active[r] ? integrator.failure(r) : null;
      if (failure != null) {
        end(r, failure);
      } else if (active[r] && integrator.accepted(r)) {
        moved[r] = true;
        state.accepted++;
      }
    }
    refuseNonFinite(moved);
    judgeSteps(moved);
    if (state.ending) {
      noteEnds(moved);
    }
    stepped = true;
    longestStep = Math.max(longestStep, meter.seconds() - begin);
  }

  private void refuseNonFinite(boolean[] moved) {
    if (none(moved)) {
      return;
    }
    Observations.NonFinite[] bad = engine.observations().nonFinite(integrator.state());
    for (int r = 0; r < moved.length; r++) {
      if (moved[r] && bad[r].count() > 0) {
        moved[r] = false;
        state.replicas[r].outcome =
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

  private String who(int r) {
    return state.replicas.length == 1 ? "" : "Replica " + r + ": ";
  }

  // --- the end time ---

  /** Positions at the end time for replicas whose next step goes over it. */
  private void sideSteps(boolean[] active) {
    boolean[] which = new boolean[active.length];
    double[] t = new double[active.length];
    for (int r = 0; r < active.length; r++) {
      Dynamics dynamics = spec.dynamics(r);
      which[r] =
          active[r]
              && state.replicas[r].atEnd == null
              && integrator.time(r) < spec.tEnd()
              && integrator.time(r) + integrator.stepSize(r) > spec.tEnd()
              && spec.tEnd() <= dynamics.end(dynamics.layerIndex(integrator.time(r)));
      t[r] = spec.tEnd();
    }
    if (none(which)) {
      return;
    }
    boolean[] good = integrator.sideStep(t, which, frame);
    keepEnds(good, which);
  }

  /** After an attempt: an end known from a state that is no longer the last one is known no more. */
  private void noteEnds(boolean[] moved) {
    boolean[] crossed = new boolean[moved.length];
    double[] t = new double[moved.length];
    for (int r = 0; r < moved.length; r++) {
      t[r] = spec.tEnd();
      if (moved[r] && integrator.time(r) <= spec.tEnd()) {
        state.replicas[r].atEnd = null;
      }
      crossed[r] =
          moved[r] && integrator.time(r) > spec.tEnd() && state.replicas[r].atEnd == null;
    }
    if (!none(crossed)) {
      integrator.interpolate(t, crossed, frame);
      keepEnds(crossed, crossed);
    }
  }

  private void keepEnds(boolean[] good, boolean[] which) {
    double[] positions = engine.download(frame);
    for (int r = 0; r < which.length; r++) {
      if (which[r] && good[r]) {
        state.replicas[r].atEnd = row(positions, r);
      }
    }
  }

  /** Positions of replica r in an array of all. */
  double[] row(double[] positions, int r) {
    int size = spec.shape().n() * spec.shape().d();
    return Arrays.copyOfRange(positions, r * size, (r + 1) * size);
  }

  // --- reports ---

  private boolean reportDue() {
    if (state.next == times.length || none(running())) {
      return false;
    }
    for (int r = 0; r < state.replicas.length; r++) {
      if (state.replicas[r].running() && integrator.time(r) < times[state.next]) {
        return false;
      }
    }
    return true;
  }

  private void report() {
    double t = times[state.next];
    interpolate(state.next, running());
    state.pending.remove(state.next);
    List<Reading> readings = read(t);
    double[] positions = outputs.keepsFrames() ? engine.download(frame) : null;
    long steps = Long.MAX_VALUE;
    for (int r = 0; r < state.replicas.length; r++) {
      Replica replica = state.replicas[r];
      if (replica.running()) {
        steps = Math.min(steps, integrator.steps(r));
        continue;
      }
      readings.set(r, replica.heldReading);
      if (positions != null) {
        int size = positions.length / state.replicas.length;
        if (replica.stopped()) {
          System.arraycopy(replica.held, 0, positions, r * size, size);
        } else {
          Arrays.fill(positions, r * size, (r + 1) * size, Double.NaN);
        }
      }
    }
    outputs.report(t, steps, readings, positions);
    state.next++;
    for (StopRule rule : spec.stops()) {
      if (rule.everySteps() == 0) {
        judge(rule, running(), t, readings);
      }
    }
  }

  /** Rows of report {@code number} into the frame: from a checkpoint, or from the step just held. */
  private void interpolate(int number, boolean[] which) {
    LoopState.Pending known = state.pending.get(number);
    boolean[] fresh = which.clone();
    if (known != null) {
      engine.restore(frame, known.snapshot());
      for (int r = 0; r < fresh.length; r++) {
        fresh[r] &= !known.which()[r];
      }
    }
    if (!none(fresh)) {
      double[] t = new double[fresh.length];
      Arrays.fill(t, times[number]);
      integrator.interpolate(t, fresh, frame);
    }
  }

  /** What all observers say of the frame. */
  private List<Reading> read(double t) {
    double[] all = new double[state.replicas.length];
    Arrays.fill(all, t);
    Snapshot at = new Snapshot(engine, frame, layers(all), scratch);
    Reading.Collector out = new Reading.Collector(all.length);
    for (Observer observer : spec.observers()) {
      observer.observe(at, out);
    }
    return new ArrayList<>(out.readings());
  }

  private Layer[] layers(double[] t) {
    Layer[] layers = new Layer[t.length];
    for (int r = 0; r < t.length; r++) {
      Dynamics dynamics = spec.dynamics(r);
      int last = dynamics.weights().layers() - 1;
      layers[r] = dynamics.at(t[r], Math.min(last, dynamics.layerIndex(t[r])));
    }
    return layers;
  }

  // --- stop conditions ---

  private void judgeSteps(boolean[] moved) {
    for (StopRule rule : spec.stops()) {
      boolean[] due = new boolean[moved.length];
      for (int r = 0; r < moved.length; r++) {
        due[r] =
            moved[r]
                && state.replicas[r].running()
                && rule.everySteps() > 0
                && integrator.steps(r) % rule.everySteps() == 0
                && integrator.time(r) <= spec.tEnd();
      }
      if (!none(due)) {
        copyToFrame(due);
        judge(rule, due, Double.NaN, null);
      }
    }
  }

  private void copyToFrame(boolean[] which) {
    engine.combine(frame, integrator.state(), new double[0][], new Field[0], which);
  }

  /**
   * Ends the replicas in the frame for which a rule holds.
   *
   * @param t time of the frame; NaN for each replica's own
   * @param readings of the frame; null to take them
   */
  private void judge(StopRule rule, boolean[] which, double t, List<Reading> readings) {
    if (none(which)) {
      return;
    }
    String[] found = rule.judge(engine, frame);
    List<Reading> known = readings;
    double[] positions = null;
    for (int r = 0; r < which.length; r++) {
      if (!which[r] || found[r] == null) {
        continue;
      }
      double at = Double.isNaN(t) ? integrator.time(r) : t;
      known = known == null ? read(at) : known;
      positions = positions == null ? engine.download(frame) : positions;
      state.replicas[r].held = row(positions, r);
      state.replicas[r].heldReading = known.get(r);
      state.replicas[r].outcome =
          new Outcome(
              Outcome.Kind.STOP_CONDITION,
              who(r) + "stopped at t = " + at + ": " + found[r] + ".",
              r,
              at,
              integrator.steps(r),
              -1);
    }
  }

  /** A replica that the integrator cannot take on; its last state is good, and kept where it counts. */
  private void end(int r, Outcome failure) {
    state.replicas[r].outcome = failure;
    if (failure.kind() == Outcome.Kind.STOP_CONDITION
        || failure.kind() == Outcome.Kind.RESOLUTION_HORIZON) {
      boolean[] only = new boolean[state.replicas.length];
      only[r] = true;
      copyToFrame(only);
      state.replicas[r].heldReading = read(integrator.time(r)).get(r);
      state.replicas[r].held = row(engine.download(frame), r);
    }
  }

  // --- safety ---

  private Outcome compareRows() {
    RowCheck check = control.check();
    long steps = 0;
    double[] t = new double[state.replicas.length];
    boolean[] running = running();
    for (int r = 0; r < t.length; r++) {
      steps = Math.max(steps, integrator.steps(r));
      t[r] = integrator.time(r);
    }
    if (check == null || steps < state.checks * check.everySteps()) {
      return null;
    }
    RowCheck.Finding finding =
        check.check(engine, integrator.state(), layers(t), running, scratch, state.checks);
    if (finding == null) {
      state.checks = steps / check.everySteps() + 1;
      return null;
    }
    int r = finding.replica();
    return new Outcome(
        Outcome.Kind.DRIFT,
        who(r)
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
      boolean[] passed = running();
      for (int r = 0; r < passed.length; r++) {
        passed[r] &= integrator.time(r) >= times[number];
      }
      if (none(passed)) {
        break;
      }
      interpolate(number, passed);
      state.pending.put(
          number, new LoopState.Pending(times[number], passed, engine.snapshot(frame)));
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

  private void tell(Outcome outcome) {
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

  private static boolean none(boolean[] which) {
    for (boolean w : which) {
      if (w) {
        return false;
      }
    }
    return true;
  }
}
