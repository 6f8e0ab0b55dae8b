package org.starling.bench;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Random tokens on the sphere with Q = K = V = I on an engine, ready to be evaluated. */
final class Scene implements AutoCloseable {
  /** Inverse temperature of every measurement unless said otherwise. */
  static final double BETA = 4;

  private final Engine engine;
  private final State x;
  private final Field v;
  private final Layer[] layers;
  private final boolean[] active;

  Scene(Engine engine, Shape shape, Mask mask, double beta) {
    this.engine = engine;
    Layer layer = layer(mask, beta, shape.d());
    layers = new Layer[shape.replicas()];
    Arrays.fill(layers, layer);
    active = new boolean[shape.replicas()];
    Arrays.fill(active, true);
    engine.check(shape, List.of(layers));
    x = engine.allocateState(shape);
    Field field = null;
    try {
      engine.upload(x, positions(shape));
      field = engine.allocateField(shape);
    } finally {
      if (field == null) {
        x.close();
      }
    }
    v = field;
  }

  /** One evaluation of the velocity, waited for: the attention pass. */
  void pass() {
    queue();
    engine.finish();
  }

  private void queue() {
    engine.velocity(x, layers, active, v);
  }

  /** Passes behind each other. */
  Lap.Timed passes() {
    return Timing.queued(engine, this::queue);
  }

  double[] velocity() {
    pass();
    return engine.download(v);
  }

  static Layer layer(Mask mask, double beta, int d) {
    return dynamics(mask, beta, d).at(0, 0);
  }

  static Dynamics dynamics(Mask mask, double beta, int d) {
    Weight one = Weight.identity(d);
    return new Dynamics(
        Geometry.SPHERE,
        mask,
        Normalisation.SOFTMAX,
        beta,
        WeightSchedule.constant(List.of(new Head(one, one, one))),
        1,
        null);
  }

  /** The same for the same shape, every time. */
  static double[] positions(Shape shape) {
    SplittableRandom random = new SplittableRandom(31 * shape.n() + shape.d());
    double[] p = new double[Math.toIntExact(shape.size())];
    for (int i = 0; i < p.length; i += shape.d()) {
      double norm = 0;
      for (int a = i; a < i + shape.d(); a++) {
        // Cubes of uniform numbers are as good as normal ones here, and quick.
        double u = 2 * random.nextDouble() - 1;
        p[a] = u * u * u;
        norm += p[a] * p[a];
      }
      for (int a = i; a < i + shape.d(); a++) {
        p[a] /= Math.sqrt(norm);
      }
    }
    return p;
  }

  @Override
  public void close() {
    v.close();
    x.close();
  }
}
