package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;

/** Replicas have their own layers and do not see each other; inactive ones are left alone. */
abstract class ReplicasContract extends VelocityTheme {
  private static final int R = 5;

  /** Five layers, the last one being the first again. */
  private static Layer[] layers(int d) {
    Layer first =
        Layers.of(
            Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 3, d, Layers.Weights.IDENTITY, 0);
    return new Layer[] {
      first,
      Layers.of(
          Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 9, d, Layers.Weights.DENSE, 331),
      Layers.of(
          Geometry.EUCLIDEAN,
          Mask.window(9),
          Normalisation.UNNORMALISED,
          1,
          d,
          Layers.Weights.THREE_HEADS,
          332),
      Layers.of(
          Geometry.RESCALED,
          Mask.prefix(20),
          Normalisation.SOFTMAX,
          2,
          d,
          Layers.Weights.DIAGONAL,
          333),
      first
    };
  }

  @ParameterizedTest(name = "n={0} d={1} seed 341")
  @CsvSource({"1,3", "7,1", "33,3", "49,9", "65,64"})
  void eachReplicaFollowsItsOwnLayer(int n, int d) {
    Shape shape = new Shape(R, n, d);
    double[] x = subject().representable(Tokens.sphere(R * n, d, 341));
    int size = n * d;
    Layer[] layers = layers(d);
    boolean[] active = {true, true, true, true, true};
    double[] nan = new double[R * size];
    Arrays.fill(nan, Double.NaN);
    try (State s = state(shape, x);
        Field v = field(shape, nan)) {
      engine.check(shape, List.of(layers));
      engine.velocity(s, layers, active, v);
      assertEquals(FieldReport.CLEAN, engine.takeReport());
      double[] values = engine.download(v);
      List<ToleranceRule.Sample> samples = new ArrayList<>();
      for (int r = 0; r < R; r++) {
        samples.add(
            sample(
                Arrays.copyOfRange(x, r * size, (r + 1) * size),
                n,
                d,
                layers[r],
                Arrays.copyOfRange(values, r * size, (r + 1) * size)));
      }
      Verdict verdict = ToleranceRule.of(subject().precision()).judge(samples);
      assertTrue(verdict.passed(), verdict::sentence);
    }
  }

  @ParameterizedTest(name = "n={0} d={1} seed 351")
  @CsvSource({"1,3", "49,3", "49,17"})
  void inactiveReplicasAreNeitherReadNorWritten(int n, int d) {
    Shape shape = new Shape(R, n, d);
    int size = n * d;
    double[] x = subject().representable(Tokens.sphere(R * n, d, 351));
    Layer[] layers = layers(d);
    boolean[] active = {true, false, true, false, true};
    double[] sentinel = new double[R * size];
    Arrays.fill(sentinel, 0.625);
    try (State s = state(shape, x);
        Field v = field(shape, sentinel);
        Field u = field(shape, sentinel)) {
      engine.velocity(s, layers, active, v);
      double[] clean = engine.download(v);
      for (int r : new int[] {1, 3}) {
        Arrays.fill(x, r * size, (r + 1) * size, Double.NaN);
      }
      engine.upload(s, x);
      engine.dropReport();
      engine.velocity(s, layers, active, v);
      assertEquals(FieldReport.CLEAN, engine.takeReport(), "report");
      engine.attend(s, layers, active, u);
      Close.sameBits(clean, engine.download(v), "velocity beside inactive NaN");
      for (int r : new int[] {1, 3}) {
        for (Field f : new Field[] {v, u}) {
          Close.sameBits(
              sentinel, engine.download(f), r * size, (r + 1) * size, "inactive replica " + r);
        }
      }
      for (int r : new int[] {0, 2, 4}) {
        for (int a = r * size; a < (r + 1) * size; a++) {
          assertTrue(Double.isFinite(engine.download(u)[a]), "attention of replica " + r);
        }
      }
    }
  }

  @ParameterizedTest(name = "n={0} d={1} seed 361")
  @CsvSource({"49,3", "49,17"})
  void reportsCountReplicasAndTokens(int n, int d) {
    // Replica 1 is frozen at a temperature where e^{-beta} leaves the range. Its token on e2 is
    // pulled by e^{-5000}; those on e1 have company, beside which that weight is 0 to any engine.
    Shape shape = new Shape(3, n, d);
    double[] x = new double[3 * n * d];
    for (int i = 0; i < 3 * n; i++) {
      // Two groups, on e1 and e2; in replica 1 only the last token is on e2.
      boolean second = i / n == 1 ? i % n == n - 1 : i % 2 == 1;
      x[i * d + (second ? 1 : 0)] = 1;
    }
    Layer warm = Layers.identity(d, 1);
    Layer cold = Layers.identity(d, 5000);
    try (State s = state(shape, x);
        Field v = engine.allocateField(shape)) {
      Layer[] layers = {warm, cold, warm};
      engine.velocity(s, layers, all(3), v);
      assertEquals(new FieldReport(0, -1, 1, 2L * n - 1), engine.takeReport());
      double[] values = engine.download(v);
      Close.sameBits(new double[n * d], zeroed(values, n * d), "frozen replica");
      engine.velocity(s, layers, new boolean[] {true, false, true}, v);
      assertEquals(FieldReport.CLEAN, engine.takeReport());
      reportsAddUpUntilTaken(s, v, layers, 2L * n - 1);
    }
  }

  private void reportsAddUpUntilTaken(State s, Field v, Layer[] layers, long token) {
    boolean[] some = {false, true, true};
    engine.velocity(s, layers, all(3), v);
    engine.velocity(s, layers, some, v);
    engine.attend(s, layers, all(3), v);
    assertEquals(new FieldReport(0, -1, 2, token), engine.takeReport());
    assertEquals(FieldReport.CLEAN, engine.takeReport(), "taken before");
    engine.velocity(s, layers, all(3), v);
    engine.dropReport();
    engine.velocity(s, layers, some, v);
    assertEquals(new FieldReport(0, -1, 1, token), engine.takeReport(), "after a drop");
  }

  /** The second of three replicas with -0 as +0. */
  private static double[] zeroed(double[] values, int size) {
    double[] out = Arrays.copyOfRange(values, size, 2 * size);
    for (int a = 0; a < size; a++) {
      out[a] += 0.0;
    }
    return out;
  }
}
