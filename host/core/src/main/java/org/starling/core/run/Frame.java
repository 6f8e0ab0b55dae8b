package org.starling.core.run;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Integrators;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Observers;
import org.starling.core.observe.Readings;
import org.starling.core.observe.Snapshot;

/**
 * The state on which reports and stop conditions look at a time of theirs: beside the integrator's,
 * or the integrator's own where every such time is the end of a step.
 */
final class Frame implements AutoCloseable {
  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final List<Column> columns;

  /** Null where the integrator's state is looked at. */
  private final State own;

  /** Null where no observer needs one, or the integrator lends it. */
  private final Field scratch;

  Frame(RunSpec spec, Engine engine, Integrator integrator) {
    this.spec = spec;
    columns = Observers.columns(spec.observers(), spec.shape());
    this.engine = engine;
    this.integrator = integrator;
    own = needsState(spec) ? engine.allocateState(spec.shape()) : null;
    Field allocated = null;
    try {
      allocated = needsField(spec) ? engine.allocateField(spec.shape()) : null;
    } catch (RuntimeException e) {
      close(own);
      throw e;
    }
    scratch = allocated;
  }

  /** Whether a run looks at other states than accepted ones. */
  static boolean needsState(RunSpec spec) {
    double[] times = spec.outputs().until(spec.tEnd());
    // The moment of an event is sought within a step.
    return spec.events().stream().anyMatch(rule -> rule.everySteps() == 1)
        || !spec.dynamics().stream()
            .allMatch(dynamics -> Integrators.stepsEndAt(times, spec.integrator(), dynamics));
  }

  /**
   * Whether observers need a field that the integrator cannot lend: an adaptive method needs its
   * slopes for the further reports of the same step.
   */
  static boolean needsField(RunSpec spec) {
    return spec.integrator().method().adaptive() && observersNeedField(spec);
  }

  private static boolean observersNeedField(RunSpec spec) {
    return spec.observers().stream().anyMatch(Observer::needsScratch);
  }

  @Override
  public void close() {
    close(own);
    if (scratch != null) {
      scratch.close();
    }
  }

  private static void close(State state) {
    if (state != null) {
      state.close();
    }
  }

  /** The rows; not to be written to. */
  State x() {
    return own == null ? integrator.state() : own;
  }

  /** Whether every report and the end fall on ends of steps. */
  boolean onStepEnds() {
    return own == null;
  }

  /** Rows of the last accepted states. */
  void copy(boolean[] which) {
    if (own != null) {
      engine.combine(own, integrator.state(), new double[0][], new Field[0], which);
    }
  }

  /**
   * Rows at a time within the last step of each replica.
   *
   * @param known rows that a checkpoint brought for this time, or null
   */
  void interpolate(double time, boolean[] which, LoopState.Pending known) {
    boolean[] fresh = which.clone();
    // Rows that fall on ends of steps are still those of the accepted state.
    if (known != null && own != null) {
      engine.restore(own, known.snapshot());
      for (int r = 0; r < fresh.length; r++) {
        fresh[r] &= !known.which()[r];
      }
    }
    if (RunLoop.any(fresh)) {
      interpolate(time, fresh);
    }
  }

  /** Rows at a time within the last step of each replica, all of them computed. */
  void interpolate(double time, boolean[] which) {
    if (own != null) {
      integrator.interpolate(all(time), which, own);
      return;
    }
    for (int r = 0; r < which.length; r++) {
      if (which[r] && integrator.time(r) != time) {
        throw new IllegalStateException(
            "replica " + r + ": no step ended at t = " + time + " but at " + integrator.time(r));
      }
    }
  }

  /** Rows at times t[r] within the last steps of replicas; there are others than accepted ones. */
  void within(double[] t, boolean[] which) {
    integrator.interpolate(t, which, own);
  }

  /** Rows at a time ahead, see {@link Integrator#sideStep}; never asked for {@link #onStepEnds}. */
  boolean[] sideStep(double time, boolean[] which) {
    return integrator.sideStep(all(time), which, own);
  }

  private double[] all(double time) {
    double[] t = new double[spec.shape().replicas()];
    Arrays.fill(t, time);
    return t;
  }

  /** What all observers say of the rows, which are those of times t[r]. */
  Readings read(double[] t) {
    Snapshot at = new Snapshot(engine, x(), layers(t), scratch());
    Readings out = new Readings(columns, spec.shape().replicas());
    for (Observer observer : spec.observers()) {
      observer.observe(at, out);
    }
    return out;
  }

  /** The same for one time. */
  Readings read(double t) {
    return read(all(t));
  }

  private Field scratch() {
    if (scratch != null || !observersNeedField(spec)) {
      return scratch;
    }
    boolean[] all = new boolean[spec.shape().replicas()];
    Arrays.fill(all, true);
    return integrator.lend(all);
  }

  /** Layer in force at t[r] for each replica; that of the last weights from their end on. */
  Layer[] layers(double[] t) {
    Layer[] layers = new Layer[t.length];
    for (int r = 0; r < t.length; r++) {
      Dynamics dynamics = spec.dynamics(r);
      int last = dynamics.weights().layers() - 1;
      layers[r] = dynamics.at(t[r], Math.min(last, dynamics.layerIndex(t[r])));
    }
    return layers;
  }

  /** All rows, {@code [R][n][d]}. */
  double[] positions() {
    return engine.download(x());
  }

  /** Row r of positions of all replicas, {@code [n][d]}; those themselves if there is one. */
  double[] row(double[] positions, int r) {
    if (spec.shape().replicas() == 1) {
      return positions;
    }
    int size = spec.shape().n() * spec.shape().d();
    return Arrays.copyOfRange(positions, r * size, (r + 1) * size);
  }
}
