package org.starling.core.run;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Reading;
import org.starling.core.observe.Snapshot;

/**
 * A state beside the integrator's, on which reports and stop conditions look at a time of theirs.
 */
final class Frame implements AutoCloseable {
  private final RunSpec spec;
  private final Engine engine;
  private final Integrator integrator;
  private final State x;
  private final Field scratch;

  Frame(RunSpec spec, Engine engine, Integrator integrator, boolean withScratch) {
    this.spec = spec;
    this.engine = engine;
    this.integrator = integrator;
    x = engine.allocateState(spec.shape());
    Field allocated = null;
    try {
      allocated = withScratch ? engine.allocateField(spec.shape()) : null;
    } catch (RuntimeException e) {
      x.close();
      throw e;
    }
    scratch = allocated;
  }

  @Override
  public void close() {
    x.close();
    if (scratch != null) {
      scratch.close();
    }
  }

  State x() {
    return x;
  }

  Field scratch() {
    return scratch;
  }

  /** Rows of the last accepted states. */
  void copy(boolean[] which) {
    engine.combine(x, integrator.state(), new double[0][], new Field[0], which);
  }

  /**
   * Rows at a time within the last step of each replica.
   *
   * @param known rows that a checkpoint brought for this time, or null
   */
  void interpolate(double time, boolean[] which, LoopState.Pending known) {
    boolean[] fresh = which.clone();
    if (known != null) {
      engine.restore(x, known.snapshot());
      for (int r = 0; r < fresh.length; r++) {
        fresh[r] &= !known.which()[r];
      }
    }
    if (RunLoop.any(fresh)) {
      double[] t = new double[fresh.length];
      Arrays.fill(t, time);
      integrator.interpolate(t, fresh, x);
    }
  }

  /** What all observers say of the rows, which are those of time t; one reading per replica. */
  List<Reading> read(double t) {
    double[] all = new double[spec.shape().replicas()];
    Arrays.fill(all, t);
    Snapshot at = new Snapshot(engine, x, layers(all), scratch);
    Reading.Collector out = new Reading.Collector(all.length);
    for (Observer observer : spec.observers()) {
      observer.observe(at, out);
    }
    return out.readings();
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
    return engine.download(x);
  }

  /** Row r of positions of all replicas, {@code [n][d]}. */
  double[] row(double[] positions, int r) {
    int size = spec.shape().n() * spec.shape().d();
    return Arrays.copyOfRange(positions, r * size, (r + 1) * size);
  }
}
