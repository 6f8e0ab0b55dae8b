package org.starling.core.verify;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.verify.VelocityChecks.Situation;

/** Whole steps of an engine against the same steps made of single operations of the definition. */
final class StepChecks {
  private static final boolean[] ACTIVE = {true, true};

  /** A replica beside the one that is looked at. */
  private static final int REPLICAS = 2;

  private static final double H = 0.25;

  private final Engine engine;
  private final WholeSteps whole;
  private final Engine definition;

  StepChecks(Engine engine, WholeSteps whole, Engine definition) {
    this.engine = engine;
    this.whole = whole;
    this.definition = definition;
  }

  /** Certificate line of a variant in whole steps of so many tokens. */
  static String line(Variant v, RungeKutta scheme, int n) {
    return v.label() + " in whole steps of " + scheme.stages() + " slopes, n=" + n;
  }

  /**
   * Two steps: positions are off by rounding, and by what the rule grants a velocity. Relative to
   * the largest position.
   */
  Measurement measure(Situation s, RungeKutta scheme) {
    int n = s.n();
    int d = s.variant().d();
    Shape shape = new Shape(REPLICAS, n, d);
    double[] one = s.positions();
    double[] x0 = Arrays.copyOf(one, 2 * one.length);
    System.arraycopy(one, 0, x0, one.length, one.length);
    Layer[] layers = {s.layer(), s.layer()};
    double[] mine;
    try (State x = engine.allocateState(shape)) {
      engine.upload(x, x0);
      int[] most = {2, 2};
      while (most[0] + most[1] > 0) {
        WholeSteps.Progress made = whole.advance(scheme, x, null, layers, sizes(), most);
        for (int r = 0; r < REPLICAS; r++) {
          most[r] = made.nonFinite()[r] >= 0 ? 0 : most[r] - made.steps()[r];
        }
      }
      mine = engine.download(x);
    }
    double[] exact;
    try (State x = definition.allocateState(shape)) {
      definition.upload(x, x0);
      step(scheme, x, layers);
      step(scheme, x, layers);
      exact = definition.download(x);
    }
    double scale = 0;
    for (double c : exact) {
      scale = Math.max(scale, Math.abs(c));
    }
    Sample errors = Sample.absolute(mine, exact, scale);
    double allowed = engine.precision() == Precision.DOUBLE ? 1e-11 : 1e-4;
    boolean passed = errors.worst() <= allowed;
    return new Measurement(
        "whole steps",
        line(s.variant(), scheme, n),
        d,
        s.beta(),
        n,
        s.cloud().label(),
        errors.median(),
        errors.worst(),
        allowed,
        passed,
        passed ? "" : "error above what is allowed");
  }

  private static double[] sizes() {
    return new double[] {H, H};
  }

  private void step(RungeKutta scheme, State x, Layer[] layers) {
    Field[] k = new Field[scheme.stages()];
    try (State stage = definition.allocateState(x.shape())) {
      for (int m = 0; m < k.length; m++) {
        k[m] = definition.allocateField(x.shape());
        combine(stage, x, scheme.a()[m], k);
        if (scheme.raw()) {
          definition.attend(stage, layers, ACTIVE, k[m]);
        } else {
          definition.velocity(stage, layers, ACTIVE, k[m]);
        }
      }
      combine(x, x, scheme.b(), k);
      if (layers[0].geometry() == Geometry.SPHERE) {
        definition.retract(x, ACTIVE);
      }
    } finally {
      for (Field f : k) {
        if (f != null) {
          f.close();
        }
      }
    }
  }

  private void combine(State out, State x, double[] weights, Field[] k) {
    int count = (int) Arrays.stream(weights).filter(w -> w != 0).count();
    double[][] c = new double[count][];
    Field[] used = new Field[count];
    int at = 0;
    for (int m = 0; m < weights.length; m++) {
      if (weights[m] != 0) {
        c[at] = new double[] {H * weights[m], H * weights[m]};
        used[at++] = k[m];
      }
    }
    definition.combine(out, x, c, used, ACTIVE);
  }
}
