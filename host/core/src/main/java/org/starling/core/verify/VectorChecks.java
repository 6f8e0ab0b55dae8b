package org.starling.core.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleBiFunction;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Precision;

/**
 * The operations that integrators use between two evaluations (combine, retract, errorNorm,
 * largest) against the float64 definition, with two replicas of which one is inactive.
 */
final class VectorChecks {
  private static final boolean[] ACTIVE = {true, false};
  private static final double[][] COEFFICIENTS = {{0.5, 9}, {-0.25, 9}, {0.125, 9}};

  private final Engine engine;
  private final Engine definition;
  private final double unit;

  VectorChecks(Engine engine, Engine definition) {
    this.engine = engine;
    this.definition = definition;
    this.unit = engine.precision() == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
  }

  static String variant(Precision precision, int d) {
    return "steps " + precision.name().toLowerCase(java.util.Locale.ROOT) + " d=" + d;
  }

  List<Measurement> measure(int d, int n) {
    Shape shape = new Shape(2, n, d);
    double[] x = twice(TestCloud.RANDOM.positions(n, d, Geometry.SPHERE, engine.precision(), 11));
    SplittableRandom random = new SplittableRandom(12);
    double[][] k = new double[COEFFICIENTS.length][];
    for (int m = 0; m < k.length; m++) {
      k[m] = TestCloud.gaussian(random, x.length, 0.01);
      for (int c = 0; c < x.length; c++) {
        k[m][c] = (float) k[m][c];
      }
    }
    List<Measurement> all = new ArrayList<>();
    try (Setup mine = new Setup(engine, shape, x, k);
        Setup exact = new Setup(definition, shape, x, k)) {
      all.add(combine(mine, exact, x, k, n, d));
      all.add(retract(mine, exact, n, d));
      // After combine and retract the two states differ by rounding, which the norms hardly feel.
      all.add(
          number("errorNorm", n, d, mine, exact, (e, s) -> errorNorm(e, s), 16 * unit * d + 1e-12));
      all.add(
          number(
              "largest",
              n,
              d,
              mine,
              exact,
              (e, s) -> e.largest(s.k[0], ACTIVE)[0].value(),
              (4 + d) * unit));
    }
    return all;
  }

  private static double errorNorm(Engine e, Setup s) {
    return e.errorNorm(s.x, s.y, COEFFICIENTS, s.k, 1e-6, 1e-3, ACTIVE)[0];
  }

  private Measurement combine(Setup mine, Setup exact, double[] x, double[][] k, int n, int d) {
    engine.combine(mine.y, mine.x, COEFFICIENTS, mine.k, ACTIVE);
    definition.combine(exact.y, exact.x, COEFFICIENTS, exact.k, ACTIVE);
    double[] a = engine.download(mine.y);
    double[] b = definition.download(exact.y);
    double[] errors = new double[n * d];
    double state = engine.precision() == Precision.MIXED ? 0x1p-44 : unit;
    for (int c = 0; c < errors.length; c++) {
      double scale = state * Math.abs(x[c]);
      for (int m = 0; m < k.length; m++) {
        scale += unit * Math.abs(COEFFICIENTS[m][0] * k[m][c]);
      }
      errors[c] = Math.abs(a[c] - b[c]) / (scale / unit + Double.MIN_NORMAL);
    }
    Sample s = Sample.of(errors);
    boolean untouched = Arrays.equals(tail(a), tail(x));
    return measurement(
        "combine", n, d, s, 8 * unit, untouched ? "" : "an inactive replica was written");
  }

  private Measurement retract(Setup mine, Setup exact, int n, int d) {
    engine.retract(mine.y, ACTIVE);
    definition.retract(exact.y, ACTIVE);
    double[] a = Arrays.copyOf(engine.download(mine.y), n * d);
    double[] b = Arrays.copyOf(definition.download(exact.y), n * d);
    double allowed = engine.precision() == Precision.MIXED ? 0x1p-20 * unit : 8 * unit;
    // The states entering differ by the rounding of combine, hence the larger unit for mixed.
    Sample s = Sample.absolute(a, b, 1);
    return measurement("retract", n, d, s, Math.max(allowed, 8 * unit), "");
  }

  private Measurement number(
      String operation,
      int n,
      int d,
      Setup mine,
      Setup exact,
      ToDoubleBiFunction<Engine, Setup> value,
      double allowed) {
    Sample s =
        Sample.relative(value.applyAsDouble(engine, mine), value.applyAsDouble(definition, exact));
    return measurement(operation, n, d, s, allowed, "");
  }

  private Measurement measurement(
      String operation, int n, int d, Sample s, double allowed, String defect) {
    return Measurement.ofRandom(
        operation, variant(engine.precision(), d), n, d, s, allowed, defect);
  }

  private static double[] twice(double[] x) {
    double[] both = Arrays.copyOf(x, 2 * x.length);
    System.arraycopy(x, 0, both, x.length, x.length);
    return both;
  }

  private static double[] tail(double[] both) {
    return Arrays.copyOfRange(both, both.length / 2, both.length);
  }

  /** The same numbers on one engine. */
  private static final class Setup implements AutoCloseable {
    final State x;
    final State y;
    final Field[] k;

    Setup(Engine e, Shape shape, double[] positions, double[][] fields) {
      x = e.allocateState(shape);
      y = e.allocateState(shape);
      k = new Field[fields.length];
      e.upload(x, positions);
      e.upload(y, positions);
      for (int m = 0; m < k.length; m++) {
        k[m] = e.allocateField(shape);
        e.upload(k[m], fields[m]);
      }
    }

    @Override
    public void close() {
      x.close();
      y.close();
      for (Field f : k) {
        f.close();
      }
    }
  }
}
