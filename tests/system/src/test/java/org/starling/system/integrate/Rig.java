package org.starling.system.integrate;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Philox;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.cpu.reference.ReferenceEngine;

/** An integrator on the reference engine, driven as a run drives it. */
final class Rig implements AutoCloseable {
  private static final int LIMIT = 20_000;

  final Engine engine;
  final Shape shape;
  final Integrator integrator;
  private final State out;

  Rig(IntegratorSpec spec, Shape shape, double[] x0, Dynamics... dynamics) {
    this(new ReferenceEngine(), spec, shape, x0, dynamics);
  }

  Rig(IntegratorSpec spec, Shape shape, double[] x0, Philox[] noise, Dynamics... dynamics) {
    this(new ReferenceEngine(), spec, shape, x0, noise, dynamics);
  }

  Rig(Engine engine, IntegratorSpec spec, Shape shape, double[] x0, Dynamics... dynamics) {
    this(engine, spec, shape, x0, new Philox[0], dynamics);
  }

  private Rig(
      Engine engine,
      IntegratorSpec spec,
      Shape shape,
      double[] x0,
      Philox[] noise,
      Dynamics... dynamics) {
    this.engine = engine;
    this.shape = shape;
    State x = engine.allocateState(shape);
    engine.upload(x, x0);
    integrator = Integrators.create(spec, engine, dynamics, x, noise);
    out = engine.allocateState(shape);
  }

  /** Attempts that all replicas make together. */
  Rig attempts(int count) {
    for (int s = 0; s < count; s++) {
      integrator.attempt(all());
    }
    return this;
  }

  /** Steps that end before t (within rounding), then a side step to t: the positions at t. */
  double[] at(double t) {
    boolean[] active = all();
    int left = LIMIT;
    for (boolean go = true; go; ) {
      if (left-- == 0) {
        throw new AssertionError(LIMIT + " attempts have not led to t = " + t);
      }
      go = false;
      for (int r = 0; r < active.length; r++) {
        double end = integrator.time(r) + integrator.stepSize(r);
        active[r] = integrator.time(r) < t * (1 - 1e-12) && end <= t * (1 + 1e-12);
        go |= active[r];
      }
      if (go) {
        integrator.attempt(active);
        for (int r = 0; r < active.length; r++) {
          if (integrator.failure(r) != null) {
            throw new AssertionError(integrator.failure(r).sentence());
          }
        }
      }
    }
    double[] to = new double[active.length];
    for (int r = 0; r < to.length; r++) {
      to[r] = Math.max(t, integrator.time(r));
    }
    return side(to);
  }

  double[] side(double... t) {
    boolean[] good = integrator.sideStep(t, all(), out);
    for (boolean g : good) {
      if (!g) {
        throw new AssertionError("the side step is not accurate enough");
      }
    }
    return engine.download(out);
  }

  double[] dense(double... t) {
    integrator.interpolate(t, all(), out);
    return engine.download(out);
  }

  double[] state() {
    return engine.download(integrator.state());
  }

  boolean[] all() {
    boolean[] all = new boolean[shape.replicas()];
    Arrays.fill(all, true);
    return all;
  }

  @Override
  public void close() {
    integrator.close();
    out.close();
    engine.close();
  }

  // --- models ---

  static Dynamics dynamics(Geometry g, Mask mask, Normalisation norm, double beta, Head head) {
    return new Dynamics(g, mask, norm, beta, WeightSchedule.constant(List.of(head)), 1, null);
  }

  static Dynamics plain(Geometry g, int d, double beta) {
    return dynamics(g, Mask.FULL, Normalisation.SOFTMAX, beta, identity(d));
  }

  static Head identity(int d) {
    return new Head(Weight.identity(d), Weight.identity(d), Weight.identity(d));
  }

  /** A head with dense Q, K, V of entries N(0, 1/d). */
  static Head gaussian(int d, long seed) {
    Random random = new Random(seed);
    return new Head(dense(d, random), dense(d, random), dense(d, random));
  }

  private static Weight dense(int d, Random random) {
    double[] a = new double[d * d];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextGaussian() / Math.sqrt(d);
    }
    return Weight.dense(d, d, a);
  }

  /** Weights drawn afresh for each of {@code layers} layers. */
  static WeightSchedule perLayer(int d, int layers, long seed) {
    return new WeightSchedule() {
      @Override
      public List<Head> heads(int layer) {
        return List.of(gaussian(d, seed + layer));
      }

      @Override
      public boolean constant() {
        return false;
      }

      @Override
      public int layers() {
        return layers;
      }
    };
  }

  static double[] gaussianTokens(Shape s, long seed) {
    Random random = new Random(seed);
    double[] x = new double[(int) s.size()];
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextGaussian();
    }
    return x;
  }

  static double[] tokens(Geometry g, Shape s, long seed) {
    double[] x = gaussianTokens(s, seed);
    if (g == Geometry.SPHERE) {
      for (int at = 0; at < x.length; at += s.d()) {
        double sum = 0;
        for (int a = 0; a < s.d(); a++) {
          sum += x[at + a] * x[at + a];
        }
        for (int a = 0; a < s.d(); a++) {
          x[at + a] /= Math.sqrt(sum);
        }
      }
    }
    return x;
  }

  /** Largest absolute difference; NaN if any entry is. */
  static double distance(double[] a, double[] b) {
    double worst = 0;
    for (int i = 0; i < a.length; i++) {
      worst = Math.max(worst, Math.abs(a[i] - b[i]));
    }
    return worst;
  }
}
