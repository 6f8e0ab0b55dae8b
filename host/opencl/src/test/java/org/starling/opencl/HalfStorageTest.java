package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starling.opencl.Clouds.gaussian;
import static org.starling.opencl.Clouds.onSphere;
import static org.starling.opencl.Clouds.slice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Storage;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Layer.LayerHead;
import org.starling.core.model.Mask;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;
import org.starling.cpu.reference.ReferenceJudge;

/** Keys and values of 16 bits: the exact dynamics of rounded keys, and nothing lost in silence. */
@Tag("kernels")
class HalfStorageTest {
  private static final int SEED = 5;
  private static final EngineOptions HALF =
      EngineOptions.of(Precision.SINGLE).withStorage(Storage.HALF);
  private static final OpenClProvider PROVIDER = new OpenClProvider();

  private static Engine open(EngineOptions options) {
    return PROVIDER.open(TestDevices.first(PROVIDER), options);
  }

  @ParameterizedTest(name = "{0} n={1} d={2} {3} seed " + SEED)
  @CsvSource({
    "SINGLE,103,21,",
    "MIXED,9,9,blocks rows=8 panel=32 chunk=5 tile=2x1x4",
  })
  void velocitiesAreOwedToRoundedKeys(Precision precision, int n, int d, String tiles) {
    EngineOptions options = HALF.withPinned(tiles == null ? Map.of() : Map.of("tiles", tiles));
    EngineOptions own =
        new EngineOptions(precision, options.pinned(), options.summation(), Storage.HALF);
    Shape shape = new Shape(2, n, d);
    List<Layer> layers = layers(d);
    List<String> faults = new ArrayList<>();
    boolean differs = false;
    try (Engine engine = open(own);
        State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      assertEquals("half", engine.identity().settings().get("storage"));
      for (int k = 0; k < layers.size(); k++) {
        Layer[] each = {layers.get(k), layers.get((k + 1) % layers.size())};
        engine.upload(x, onSphere(2 * n, d, SEED));
        double[] positions = engine.download(x);
        engine.velocity(x, each, new boolean[] {true, true}, v);
        double[] field = engine.download(v);
        for (int r = 0; r < 2; r++) {
          double[] mine = slice(positions, r, n * d);
          double[] velocity = slice(field, r, n * d);
          Verdict verdict =
              judge(precision, each[r], n, d, mine, Storage.HALF.kept(mine), velocity);
          if (!verdict.passed()) {
            faults.add("layer " + k + " replica " + r + ": " + verdict.sentence());
          }
          differs |= !judge(precision, each[r], n, d, mine, mine, velocity).passed();
        }
      }
    }
    assertTrue(faults.isEmpty(), String.join("\n", faults));
    assertTrue(differs, "nothing was rounded");
  }

  @Test
  void rowsOfACausalMaskDoNotKnowLaterTokens() {
    int d = 12;
    double[] x = onSphere(70, d, SEED);
    double[] later = x.clone();
    Arrays.fill(later, 40 * d, later.length, 1e30);
    Layer causal = layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 4, one(d));
    try (Engine engine = open(HALF)) {
      double[] all = velocity(engine, causal, x, d);
      double[] changed = velocity(engine, causal, later, d);
      assertArrayEquals(slice(all, 0, 40 * d), slice(changed, 0, 40 * d));
      double[] fewer = velocity(engine, causal, slice(x, 0, 40 * d), d);
      assertArrayEquals(slice(all, 0, 40 * d), fewer);
    }
  }

  @Test
  void whatHalfCannotHoldIsNoNumberAndReported() {
    int d = 10;
    double[] x = new double[20 * d];
    Arrays.setAll(x, k -> 1 + 0.1 * (k % 7));
    x[11 * d + 3] = 65519;
    x[13 * d + 4] = -65520;
    Arrays.fill(x, 17 * d, 18 * d, 1e-5);
    Arrays.fill(x, 18 * d, 19 * d, 0x1p-15);
    Layer causal = layer(Geometry.EUCLIDEAN, Mask.CAUSAL, Normalisation.SOFTMAX, 1e-9, one(d));
    try (Engine engine = open(HALF);
        State state = engine.allocateState(new Shape(1, 20, d));
        Field field = engine.allocateField(new Shape(1, 20, d))) {
      engine.upload(state, x);
      engine.velocity(state, new Layer[] {causal}, new boolean[] {true}, field);
      engine.velocity(state, new Layer[] {causal}, new boolean[] {true}, field);
      FieldReport report = engine.takeReport();
      assertEquals(2, report.beyondStorage());
      assertEquals(13, report.firstBeyondStorage());
      assertEquals(2, report.belowStorage(), "2^-15 is held exactly");
      assertEquals(17, report.firstBelowStorage());
      assertEquals(0, engine.takeReport().beyondStorage(), "taken");
      double[] v = engine.download(field);
      for (int i = 0; i < 20; i++) {
        assertEquals(i < 13, Double.isFinite(v[i * d + 4]), "token " + i);
      }
    }
  }

  @Test
  void whatIsNotOfferedIsRefusedWithTheReason() {
    int d = 12;
    Layer hardmax = layer(Geometry.SPHERE, Mask.FULL, Normalisation.HARDMAX, 1, one(d));
    Layer soft = layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1, one(d));
    Layer few = layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1, one(8));
    Layer merged = soft.withMerged(MergedKeys.alone(5));
    try (Engine engine = open(HALF)) {
      refused("hardmax", () -> engine.check(new Shape(1, 5, d), List.of(hardmax)));
      refused("d <= 8", () -> engine.check(new Shape(1, 5, 8), List.of(few)));
      refused("merged", () -> engine.check(new Shape(1, 5, d), List.of(merged)));
      refused("hardmax", () -> velocity(engine, hardmax, onSphere(5, d, SEED), d));
      engine.check(new Shape(1, 5, d), List.of(soft));
    }
    refused("double", () -> open(EngineOptions.of(Precision.DOUBLE).withStorage(Storage.HALF)));
    OpenClProvider gpu = TestDevices.provider(WorkGroupKernelsTest.asGpu(TestDevices.api()));
    refused("not a CPU", () -> gpu.open(TestDevices.first(gpu), HALF));
    refused("storage", () -> open(HALF.withPinned(Map.of("storage", "full"))));
  }

  private static void refused(String reason, org.junit.jupiter.api.function.Executable attempt) {
    EngineException e = assertThrows(EngineException.class, attempt);
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void packedKeysTakeHalfTheMemory() {
    Shape s = new Shape(1, 4096, 128);
    List<Layer> layers =
        List.of(layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 1, one(128)));
    try (Engine half = open(HALF);
        Engine full = open(EngineOptions.of(Precision.SINGLE))) {
      MemoryPlan small = half.planWithoutPairs(s, layers, 1, 1);
      MemoryPlan.Item packed =
          small.items().stream()
              .filter(i -> i.name().equals("packed keys (half)"))
              .findFirst()
              .orElseThrow();
      assertEquals(2L * 4096 * 128, packed.bytes());
      long saved = full.planWithoutPairs(s, layers, 1, 1).totalBytes() - small.totalBytes();
      assertTrue(saved > 1.9 * 4096 * 128, saved + " bytes");
      assertFalse(half.plan(s, layers, 1, 1).totalBytes() < small.totalBytes());
    }
  }

  private static double[] velocity(Engine engine, Layer layer, double[] positions, int d) {
    Shape shape = new Shape(1, positions.length / d, d);
    try (State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(x, positions);
      engine.velocity(x, new Layer[] {layer}, new boolean[] {true}, v);
      return engine.download(v);
    }
  }

  private static Verdict judge(
      Precision precision, Layer layer, int n, int d, double[] x, double[] keys, double[] v) {
    int[] rows = IntStream.range(0, n).toArray();
    Judge judge = new ReferenceJudge();
    double[][] computed = new double[n][];
    Arrays.setAll(computed, i -> slice(v, i, d));
    return ToleranceRule.of(precision)
        .judge(
            new ToleranceRule.Sample(
                judge.velocity(x, keys, n, d, layer, rows),
                judge.yardstick(x, keys, n, d, layer, rows),
                computed));
  }

  private static List<Layer> layers(int d) {
    Weight dense = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 1));
    Weight other = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 2));
    Weight one = Weight.identity(d);
    return List.of(
        layer(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 81, one(d)),
        layer(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 200, one(d)),
        layer(Geometry.SPHERE, Mask.alibi(0.2), Normalisation.SOFTMAX, 9, head(dense, other)),
        layer(Geometry.EUCLIDEAN, Mask.window(9), Normalisation.UNNORMALISED, 1, head(one, dense)),
        layer(
            Geometry.RESCALED,
            Mask.prefix(40),
            Normalisation.SOFTMAX,
            2,
            head(dense, one),
            head(one, other)));
  }

  private static Layer layer(
      Geometry geometry, Mask mask, Normalisation rule, double beta, LayerHead... heads) {
    return new Layer(geometry, mask, rule, beta, List.of(heads), null);
  }

  private static LayerHead one(int d) {
    return head(Weight.identity(d), Weight.identity(d));
  }

  private static LayerHead head(Weight s, Weight v) {
    return new LayerHead(s, v, Weight.identity(s.rows()), s);
  }
}
