package org.starling.core.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.NativeFunctions;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;

/** Noise against the definition: random words bit by bit, what is added to states by rounding. */
final class NoiseChecks {
  private static final boolean[] ACTIVE = {true, false};
  private static final double[] SCALE = {0.5, 9};

  /** A step whose number fills both of its words. */
  private static final long[] STEP = {(5L << 32) | 0x9E3779B9L, 3};

  /** Units of rounding, of the state's and of the noise's size, that the two engines may differ. */
  private static final double UNITS = 16;

  private static final int PAIRS = 64;

  private final Engine engine;
  private final Engine definition;

  NoiseChecks(Engine engine, Engine definition) {
    this.engine = engine;
    this.definition = definition;
  }

  /** Certificate line. */
  static String line(Precision precision, int d) {
    return "noise " + precision.name().toLowerCase(Locale.ROOT) + " d=" + d;
  }

  List<Measurement> measure(int d, int n) {
    List<Measurement> all = new ArrayList<>();
    if (engine instanceof NativeFunctions device) {
      all.add(words(device, d));
    }
    all.add(added("noise", false, n, d));
    all.add(added("noise along the sphere", true, n, d));
    return all;
  }

  private static Philox[] streams() {
    return new Philox[] {
      Philox.stream(-7, Philox.Purpose.NOISE, 0), Philox.stream(1, Philox.Purpose.NOISE, 1)
    };
  }

  private Measurement words(NativeFunctions device, int d) {
    Philox stream = streams()[0];
    int[] found = device.randomWords(stream, STEP[0], -2, PAIRS);
    int wrong = 0;
    for (int p = 0; p < PAIRS; p++) {
      int[] exact = stream.words(STEP[0], -2, p);
      for (int w = 0; w < exact.length; w++) {
        wrong += found[exact.length * p + w] == exact[w] ? 0 : 1;
      }
    }
    return measurement("random words", 1, d, new Sample(wrong, wrong), 0, "");
  }

  private Measurement added(String operation, boolean tangent, int n, int d) {
    Geometry geometry = tangent ? Geometry.SPHERE : Geometry.EUCLIDEAN;
    double[] one = TestCloud.RANDOM.positions(n, d, geometry, engine.precision(), 13);
    double[] x = Arrays.copyOf(one, 2 * one.length);
    System.arraycopy(one, 0, x, one.length, one.length);
    double[] mine = noisy(engine, new Shape(2, n, d), x, tangent);
    double[] exact = noisy(definition, new Shape(2, n, d), x, tangent);
    double[] errors = new double[n * d];
    double[] xi = new double[d];
    Philox stream = streams()[0];
    double unit = engine.precision() == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
    for (int i = 0; i < n; i++) {
      stream.gaussians(STEP[0], i, xi, 0, d);
      double length = norm(xi, 0, d);
      double size = norm(x, i * d, d);
      for (int c = 0; c < d; c++) {
        int at = i * d + c;
        double pair = Math.hypot(xi[c], stream.gaussian(STEP[0], i, c ^ 1));
        double whole = tangent ? length * Math.abs(x[at]) / size : 0;
        double scale = Math.abs(x[at]) + SCALE[0] * (pair + whole);
        errors[at] = Math.abs(mine[at] - exact[at]) / scale;
      }
    }
    double[] rest = Arrays.copyOfRange(mine, n * d, 2 * n * d);
    boolean untouched = Arrays.equals(rest, Arrays.copyOfRange(x, n * d, 2 * n * d));
    String defect = untouched ? "" : "an inactive replica was written";
    return measurement(operation, n, d, Sample.of(errors), UNITS * unit, defect);
  }

  private static double norm(double[] v, int at, int d) {
    double square = 0;
    for (int c = at; c < at + d; c++) {
      square += v[c] * v[c];
    }
    return Math.sqrt(square);
  }

  private static double[] noisy(Engine e, Shape shape, double[] positions, boolean tangent) {
    try (State x = e.allocateState(shape);
        State out = e.allocateState(shape)) {
      e.upload(x, positions);
      e.upload(out, positions);
      e.addNoise(out, x, streams(), STEP, SCALE, tangent, ACTIVE);
      return e.download(out);
    }
  }

  private Measurement measurement(
      String operation, int n, int d, Sample s, double allowed, String defect) {
    return Measurement.ofRandom(operation, line(engine.precision(), d), n, d, s, allowed, defect);
  }
}
