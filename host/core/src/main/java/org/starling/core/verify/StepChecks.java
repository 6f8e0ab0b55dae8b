package org.starling.core.verify;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.StepLaw;
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

  /** Largest step. */
  private static final double H = 0.25;

  /** Part of the largest norm that a step may move a token by. */
  private static final double REACH = 0.25;

  /** Tolerance of adaptive steps: any such step is accepted, and errors are positions. */
  private static final double TOLERANCE = 1;

  private final Engine engine;
  private final WholeSteps whole;
  private final Engine definition;

  /** The step size; a power of two, the same in every precision. */
  private double h = H;

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
    double[] exact;
    double error = 0;
    try (State x = engine.allocateState(shape);
        State y = definition.allocateState(shape)) {
      engine.upload(x, x0);
      definition.upload(y, x0);
      h = size(y, layers, norm(one, d));
      if (scheme.adaptive()) {
        double[] found = adapt(scheme, x, layers);
        for (int k = 0; k < found.length; k++) {
          error = Math.max(error, Math.abs(found[k] - step(scheme, y, layers)));
        }
      } else {
        advance(scheme, x, layers);
        step(scheme, y, layers);
        step(scheme, y, layers);
      }
      mine = engine.download(x);
      exact = definition.download(y);
    }
    double scale = 0;
    for (double c : exact) {
      scale = Math.max(scale, Math.abs(c));
    }
    Sample errors = Sample.absolute(mine, exact, scale);
    double allowed = engine.precision() == Precision.DOUBLE ? 1e-11 : 1e-4;
    double worst = Math.max(errors.worst(), error);
    boolean passed = errors.worst() <= allowed && error <= allowed;
    return new Measurement(
        "whole steps",
        line(s.variant(), scheme, n),
        d,
        s.beta(),
        n,
        s.cloud().label(),
        errors.median(),
        worst,
        allowed,
        passed,
        passed ? "" : "error above what is allowed");
  }

  /**
   * Unnormalised weights grow with the norms of the stages: a step that leads far off the sphere
   * would amplify rounding, or lead out of the range of numbers, on a correct engine too. So
   * neither the slope nor the one at its end may move a token far.
   */
  private double size(State x, Layer[] layers, double largest) {
    double size = H;
    try (State end = definition.allocateState(x.shape());
        Field k = definition.allocateField(x.shape())) {
      definition.velocity(x, layers, ACTIVE, k);
      double first = definition.largest(k, ACTIVE)[0].value();
      boolean far = true;
      while (far && size > Float.MIN_NORMAL) {
        definition.velocity(x, layers, ACTIVE, k);
        definition.combine(end, x, new double[][] {{size, size}}, new Field[] {k}, ACTIVE);
        definition.velocity(end, layers, ACTIVE, k);
        double last = definition.largest(k, ACTIVE)[0].value();
        far = !(size * Math.max(first, last / 2) <= REACH * largest);
        size = far ? size / 2 : size;
      }
    }
    return size;
  }

  private static double norm(double[] x, int d) {
    double largest = 0;
    for (int i = 0; i < x.length; i += d) {
      double square = 0;
      for (int a = 0; a < d; a++) {
        square += x[i + a] * x[i + a];
      }
      largest = Math.max(largest, Math.sqrt(square));
    }
    return largest;
  }

  private void advance(RungeKutta scheme, State x, Layer[] layers) {
    int[] most = {2, 2};
    while (most[0] + most[1] > 0) {
      WholeSteps.Progress made =
          whole.advance(scheme, x, null, layers, sizes(), most, WholeSteps.Watching.NOTHING);
      for (int r = 0; r < REPLICAS; r++) {
        most[r] = made.nonFinite()[r] >= 0 ? 0 : most[r] - made.steps()[r];
      }
    }
  }

  /** Two accepted steps; returns the error that each of them was thought to have. */
  private double[] adapt(RungeKutta scheme, State x, Layer[] layers) {
    StepLaw law = new StepLaw(1, 0, 1, 1, 1, 1, 1, 0, TOLERANCE, 0, 0, 0, 1);
    double[] errors = new double[2];
    Field[] slopes = new Field[scheme.stages() - 1];
    try (State end = engine.allocateState(x.shape())) {
      for (int m = 0; m < slopes.length; m++) {
        slopes[m] = engine.allocateField(x.shape());
      }
      WholeSteps.Clocks clocks =
          new WholeSteps.Clocks(
              new double[REPLICAS],
              new double[REPLICAS],
              sizes(),
              new double[] {1, 1},
              new boolean[REPLICAS],
              new boolean[REPLICAS],
              new int[REPLICAS],
              new boolean[REPLICAS]);
      int[] once = {1, 1};
      double never = Double.POSITIVE_INFINITY;
      WholeSteps.Limits limits = new WholeSteps.Limits(once, once, never, never);
      for (int k = 0; k < errors.length; k++) {
        Arrays.fill(clocks.size(), h);
        WholeSteps.Attempts made =
            whole.adapt(
                scheme, law, x, end, slopes, layers, clocks, limits, WholeSteps.Watching.NOTHING);
        // An attempt that was rejected, or had no finite error, cannot agree.
        errors[k] = made.accepted()[1] == 1 ? TOLERANCE * clocks.memory()[1] : Double.NaN;
      }
    } finally {
      close(slopes);
    }
    return errors;
  }

  private static void close(Field[] fields) {
    for (Field f : fields) {
      if (f != null) {
        f.close();
      }
    }
  }

  private double[] sizes() {
    return new double[] {h, h};
  }

  /** A step by the definition; returns the error that it is thought to have, 0 without one. */
  private double step(RungeKutta scheme, State x, Layer[] layers) {
    double error = 0;
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
      combine(stage, x, scheme.b(), k);
      if (scheme.adaptive()) {
        Weighted used = new Weighted(scheme.error(), k);
        error = definition.errorNorm(x, stage, used.weights, used.slopes, TOLERANCE, 0, ACTIVE)[1];
      }
      definition.combine(x, stage, new double[0][], new Field[0], ACTIVE);
      if (layers[0].geometry() == Geometry.SPHERE) {
        definition.retract(x, ACTIVE);
      }
    } finally {
      close(k);
    }
    return TOLERANCE * error;
  }

  private void combine(State out, State x, double[] weights, Field[] k) {
    Weighted used = new Weighted(weights, k);
    definition.combine(out, x, used.weights, used.slopes, ACTIVE);
  }

  /** The slopes that count, and their weights times the step. */
  private final class Weighted {
    private final double[][] weights;
    private final Field[] slopes;

    Weighted(double[] all, Field[] k) {
      int count = (int) Arrays.stream(all).filter(w -> w != 0).count();
      weights = new double[count][];
      slopes = new Field[count];
      int at = 0;
      for (int m = 0; m < all.length; m++) {
        if (all[m] != 0) {
          weights[at] = new double[] {h * all[m], h * all[m]};
          slopes[at++] = k[m];
        }
      }
    }
  }
}
