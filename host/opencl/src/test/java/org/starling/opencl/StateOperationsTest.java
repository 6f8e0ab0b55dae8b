package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Precision;

/** State kernels against plain float64 loops, between guard zones. */
class StateOperationsTest {
  private static final long SEED = 20261130;

  private final WatchedApi watch = new WatchedApi(TestDevices.api());
  private final List<AutoCloseable> opened = new ArrayList<>();

  record Case(Precision precision, int replicas, int n, int d) {
    Shape shape() {
      return new Shape(replicas, n, d);
    }

    /** Rounding of one number of the state. */
    double epsilon() {
      return switch (precision) {
        case SINGLE -> 0x1p-24;
        case MIXED -> 0x1p-47;
        case DOUBLE -> 0x1p-53;
      };
    }

    /** Rounding of one number of a field. */
    double fieldEpsilon() {
      return precision == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
    }
  }

  static Stream<Case> cases() {
    int[][] shapes = {
      {1, 1, 1}, {1, 2, 3}, {3, 5, 2}, {2, 33, 17}, {1, 129, 64}, {2, 1025, 3}, {1, 7, 257}
    };
    return Stream.of(Precision.values())
        .flatMap(p -> Stream.of(shapes).map(s -> new Case(p, s[0], s[1], s[2])));
  }

  private OpenClEngine open(Precision precision) {
    OpenClEngine engine = TestDevices.open(watch.api(), precision);
    opened.add(engine);
    return engine;
  }

  @AfterEach
  void nothingIsLeftOpenOrOverwritten() throws Exception {
    for (AutoCloseable engine : opened) {
      engine.close();
    }
    assertEquals(List.of(), watch.damage());
    assertEquals(java.util.Set.of(), watch.open());
  }

  private static double[] random(Random random, long size, double scale) {
    double[] x = new double[(int) size];
    for (int i = 0; i < x.length; i++) {
      x[i] = scale * random.nextGaussian();
    }
    return x;
  }

  private static boolean[] active(int replicas) {
    boolean[] active = new boolean[replicas];
    for (int r = 0; r < replicas; r++) {
      active[r] = r % 2 == 0;
    }
    return active;
  }

  @ParameterizedTest(name = "{0}, seed " + SEED)
  @MethodSource("cases")
  void combinesStates(Case c) {
    Engine engine = open(c.precision());
    Random random = new Random(SEED);
    int size = (int) c.shape().size();
    State x = engine.allocateState(c.shape());
    State out = engine.allocateState(c.shape());
    engine.upload(x, random(random, size, 1));
    double[] x0 = engine.download(x);
    engine.upload(out, random(random, size, 1));
    double[] before = engine.download(out);
    Field[] k = new Field[4];
    double[][] v = new double[k.length][];
    double[][] h = new double[k.length][c.replicas()];
    for (int m = 0; m < k.length; m++) {
      k[m] = engine.allocateField(c.shape());
      engine.upload(k[m], random(random, size, 1));
      v[m] = engine.download(k[m]);
      for (int r = 0; r < c.replicas(); r++) {
        h[m][r] = random.nextGaussian() / 3;
      }
    }
    boolean[] active = active(c.replicas());
    engine.combine(out, x, h, k, active);
    double[] got = engine.download(out);
    for (int i = 0; i < size; i++) {
      int r = i / (c.n() * c.d());
      if (!active[r]) {
        assertEquals(before[i], got[i], "inactive replicas stay as they are");
        continue;
      }
      double expected = x0[i];
      double magnitude = Math.abs(x0[i]);
      for (int m = 0; m < k.length; m++) {
        expected += h[m][r] * v[m][i];
        magnitude += Math.abs(h[m][r] * v[m][i]);
      }
      double allowed = c.epsilon() * Math.abs(expected) + 8 * 0x1p-47 * magnitude;
      if (c.precision() == Precision.DOUBLE) {
        allowed = 8 * 0x1p-53 * magnitude;
      }
      close(expected, got[i], allowed, "number " + i);
    }
    // Without terms it copies, bit for bit.
    engine.combine(out, x, new double[0][], new Field[0], active);
    double[] copy = engine.download(out);
    for (int i = 0; i < size; i++) {
      if (active[i / (c.n() * c.d())]) {
        assertEquals(x0[i], copy[i]);
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed " + SEED)
  @MethodSource("cases")
  void retractsToUnitNorm(Case c) {
    Engine engine = open(c.precision());
    Random random = new Random(SEED);
    State x = engine.allocateState(c.shape());
    double[] far = random(random, c.shape().size(), 1);
    int d = c.d();
    for (int i = 0; i < c.replicas() * c.n(); i++) {
      // Squares of these leave the range of float32.
      double scale = Math.pow(10, 25 * (2 * random.nextDouble() - 1));
      for (int a = 0; a < d; a++) {
        far[i * d + a] *= scale;
      }
    }
    engine.upload(x, far);
    double[] x0 = engine.download(x);
    boolean[] active = active(c.replicas());
    engine.retract(x, active);
    double[] got = engine.download(x);
    double tolerance = Math.max(4 * c.epsilon(), 4e-15);
    for (int i = 0; i < c.replicas() * c.n(); i++) {
      if (!active[i / c.n()]) {
        for (int a = 0; a < d; a++) {
          assertEquals(x0[i * d + a], got[i * d + a]);
        }
        continue;
      }
      double norm = norm(x0, i, d);
      for (int a = 0; a < d; a++) {
        double e = x0[i * d + a] / norm;
        close(e, got[i * d + a], tolerance, "token " + i);
      }
      close(1, norm(got, i, d), tolerance, "norm of token " + i);
    }
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void retractTurnsTokensWithoutDirectionIntoNaN(Precision precision) {
    Engine engine = open(precision);
    State x = engine.allocateState(new Shape(1, 4, 2));
    engine.upload(x, new double[] {0, 0, Double.NaN, 1, 1, Double.POSITIVE_INFINITY, 3, 4});
    engine.retract(x, new boolean[] {true});
    double[] got = engine.download(x);
    for (int i = 0; i < 6; i++) {
      assertTrue(Double.isNaN(got[i]), "number " + i + " is " + got[i]);
    }
    close(0.6, got[6], 1e-7, "the healthy token");
    Observations.NonFinite bad = engine.observations().nonFinite(x)[0];
    assertEquals(new Observations.NonFinite(6, 0), bad);
  }

  @ParameterizedTest(name = "{0}, seed " + SEED)
  @MethodSource("cases")
  void measuresErrorsAndSpeeds(Case c) {
    Engine engine = open(c.precision());
    Random random = new Random(SEED);
    int size = (int) c.shape().size();
    State x = engine.allocateState(c.shape());
    State y = engine.allocateState(c.shape());
    engine.upload(x, random(random, size, 1));
    engine.upload(y, random(random, size, 2));
    double[] xs = engine.download(x);
    double[] ys = engine.download(y);
    Field[] k = {engine.allocateField(c.shape()), engine.allocateField(c.shape())};
    double[][] v = new double[2][];
    double[][] h = new double[2][c.replicas()];
    for (int m = 0; m < 2; m++) {
      // Squares of these underflow float32.
      engine.upload(k[m], random(random, size, 1e-27));
      v[m] = engine.download(k[m]);
      for (int r = 0; r < c.replicas(); r++) {
        h[m][r] = random.nextGaussian();
      }
    }
    boolean[] active = active(c.replicas());
    double[] got = engine.errorNorm(x, y, h, k, 1e-9, 1e-6, active);
    Engine.Extreme[] fastest = engine.largest(k[0], active);
    int d = c.d();
    for (int r = 0; r < c.replicas(); r++) {
      double worst = 0;
      double speed = active[r] ? -1 : 0;
      int token = 0;
      for (int i = r * c.n(); active[r] && i < (r + 1) * c.n(); i++) {
        double[] e = new double[d];
        for (int a = 0; a < d; a++) {
          e[a] = h[0][r] * v[0][i * d + a] + h[1][r] * v[1][i * d + a];
        }
        double scale = 1e-9 + 1e-6 * Math.max(norm(xs, i, d), norm(ys, i, d));
        worst = Math.max(worst, norm(e, 0, d) / scale);
        if (norm(v[0], i, d) > speed) {
          speed = norm(v[0], i, d);
          token = i - r * c.n();
        }
      }
      close(worst, got[r], 16 * c.fieldEpsilon() * worst, "error norm of replica " + r);
      close(speed, fastest[r].value(), 8 * c.fieldEpsilon() * speed, "speed in replica " + r);
      assertEquals(token, fastest[r].token());
    }
  }

  @ParameterizedTest
  @EnumSource(Precision.class)
  void nonFiniteNumbersReachTheResult(Precision precision) {
    Engine engine = open(precision);
    Shape shape = new Shape(1, 9, 2);
    State x = engine.allocateState(shape);
    Field v = engine.allocateField(shape);
    boolean[] active = {true};
    double[][] one = {{1}};
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      double[] values = new double[18];
      values[14] = bad;
      values[16] = bad;
      engine.upload(v, values);
      engine.upload(x, new double[18]);
      Engine.Extreme largest = engine.largest(v, active)[0];
      assertTrue(Double.isNaN(largest.value()), "largest is " + largest);
      assertEquals(7, largest.token());
      double error = engine.errorNorm(x, x, one, new Field[] {v}, 1, 1, active)[0];
      assertTrue(Double.isNaN(error), "error norm of a bad field is " + error);
      engine.upload(x, values);
      engine.upload(v, new double[18]);
      error = engine.errorNorm(x, x, one, new Field[] {v}, 1, 1, active)[0];
      assertTrue(Double.isNaN(error), "error norm at a bad state is " + error);
      assertFalse(Double.isFinite(engine.observations().norms(x)[0].mean()));
      assertEquals(2, engine.observations().nonFinite(x)[0].count());
      assertEquals(7, engine.observations().nonFinite(x)[0].firstToken());
    }
  }

  @ParameterizedTest(name = "{0}, seed " + SEED)
  @MethodSource("cases")
  void observesTokens(Case c) {
    Engine engine = open(c.precision());
    Random random = new Random(SEED);
    State x = engine.allocateState(c.shape());
    engine.upload(x, random(random, c.shape().size(), 1));
    double[] xs = engine.download(x);
    int d = c.d();
    int n = c.n();
    Observations o = engine.observations();
    Observations.Spread[] norms = o.norms(x);
    Observations.Spread[] distances = o.distanceToFirst(x);
    double[] order = o.orderParameter(x);
    double[][] moments = o.secondMoment(x);
    for (int r = 0; r < c.replicas(); r++) {
      double[] norm = new double[n];
      double[] distance = new double[n];
      double[] mean = new double[d];
      double[] moment = new double[d * d];
      for (int i = 0; i < n; i++) {
        int at = (r * n + i) * d;
        norm[i] = norm(xs, r * n + i, d);
        double[] difference = new double[d];
        for (int a = 0; a < d; a++) {
          difference[a] = xs[at + a] - xs[r * n * d + a];
          mean[a] += xs[at + a] / n;
          for (int b = 0; b < d; b++) {
            moment[a * d + b] += xs[at + a] * xs[at + b] / n;
          }
        }
        distance[i] = norm(difference, 0, d);
      }
      same(norm, norms[r], c, "norms");
      same(distance, distances[r], c, "distances");
      close(norm(mean, 0, d), order[r], 1e-13, "order parameter");
      for (int e = 0; e < d * d; e++) {
        close(moment[e], moments[r][e], 64 * c.fieldEpsilon(), "second moment " + e);
      }
    }
  }

  @ParameterizedTest(name = "{0}, seed " + SEED)
  @MethodSource("cases")
  void keepsStatesThroughSnapshots(Case c) {
    Engine engine = open(c.precision());
    State x = engine.allocateState(c.shape());
    engine.upload(x, random(new Random(SEED), c.shape().size(), 1));
    byte[] saved = engine.snapshot(x);
    State y = engine.allocateState(c.shape());
    engine.restore(y, saved);
    assertArrayEquals(engine.download(x), engine.download(y));
    assertArrayEquals(saved, engine.snapshot(y));
  }

  private static void same(double[] values, Observations.Spread got, Case c, String what) {
    double min = Double.POSITIVE_INFINITY;
    double max = 0;
    double sum = 0;
    for (double v : values) {
      min = Math.min(min, v);
      max = Math.max(max, v);
      sum += v;
    }
    double allowed = 8 * c.fieldEpsilon() * max;
    close(min, got.min(), allowed, what + ", smallest");
    close(sum / values.length, got.mean(), allowed, what + ", mean");
    close(max, got.max(), allowed, what + ", largest");
  }

  private static double norm(double[] x, int token, int d) {
    double sum = 0;
    for (int a = 0; a < d; a++) {
      sum = Math.hypot(sum, x[token * d + a]);
    }
    return sum;
  }

  /** Not assertEquals with a delta: that passes for two NaNs. */
  private static void close(double expected, double got, double allowed, String what) {
    assertTrue(
        Math.abs(expected - got) <= allowed,
        () -> what + ": expected " + expected + " but got " + got + ", allowed " + allowed);
  }
}
