package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;
import org.starling.cpu.reference.ReferenceJudge;

/** Tile sizes that a run or a tuner asks for are used, named, and right; others are refused. */
class TileSettingTest {
  private static final int SEED = 3;
  private static final int N = 100;
  private static final int D = 20;

  private final OpenClProvider provider = TestDevices.provider(TestDevices.api());
  private DeviceInfo device;

  @BeforeEach
  void findADevice() {
    device = TestDevices.first(provider);
    if (!device.type().equals("cpu")) {
      TestDevices.absent("row blocks are for CPU devices");
    }
  }

  private Engine open(Map<String, String> pinned) {
    return provider.open(device, new EngineOptions(Precision.SINGLE, pinned));
  }

  @Test
  void anEnginesOwnSettingsOpenTheSameEngine() {
    Map<String, String> settings;
    double[] field;
    try (Engine engine = open(Map.of())) {
      settings = engine.identity().settings();
      field = velocity(engine);
    }
    try (Engine engine = open(settings)) {
      assertEquals(settings, engine.identity().settings());
      assertArrayEquals(field, velocity(engine), "the same bits");
    }
  }

  /** Of a machine with 32-byte, and with 16-byte vectors; more rows than tokens. */
  @ParameterizedTest(name = "{0} seed " + SEED)
  @ValueSource(
      strings = {
        "blocks rows=48 panel=64 chunk=16 tile=4x3x8",
        "blocks rows=144 panel=32 chunk=7 tile=16x1x4"
      })
  void otherTilesGiveOtherBitsWithinTheTolerance(String tiles) {
    double[] usual;
    try (Engine engine = open(Map.of())) {
      usual = velocity(engine);
    }
    try (Engine engine = open(Map.of("tiles", tiles))) {
      assertEquals(tiles, engine.identity().settings().get("tiles"));
      double[] field = velocity(engine);
      assertFalse(Arrays.equals(usual, field), "the tiles decide the bits");
      Verdict verdict = judge(field);
      assertTrue(verdict.passed(), verdict.sentence());
    }
  }

  /** So that blocks may be taller where there are many keys, under a causal mask too. */
  @Test
  void rowsOfABlockDoNotDecideTheBits() {
    double[][] fields = new double[2][];
    for (int k = 0; k < 2; k++) {
      int rows = k == 0 ? 24 : 72;
      String tiles = "blocks rows=" + rows + " panel=32 chunk=16 tile=4x3x8";
      try (Engine engine = open(Map.of("tiles", tiles))) {
        fields[k] = velocity(engine);
      }
    }
    assertArrayEquals(fields[0], fields[1]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "best",
        "groups grid=8 tile=4 chunk=16",
        "blocks rows=47 panel=64 chunk=16 tile=4x3x8"
      })
  void whatIsNoTileOfThisDeviceIsRefused(String tiles) {
    EngineException e = assertThrows(EngineException.class, () -> open(Map.of("tiles", tiles)));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains("tile sizes"), e.getMessage());
  }

  @Test
  void aTokenThatNoStackHoldsIsRefused() {
    int d = 40_000;
    try (Engine engine = open(Map.of())) {
      List<Layer> layers = List.of(layer(d));
      EngineException e =
          assertThrows(EngineException.class, () -> engine.check(new Shape(1, 2, d), layers));
      assertEquals(EngineException.Kind.REQUEST, e.kind());
      assertTrue(e.getMessage().contains("d = 40000"), e.getMessage());
      engine.check(new Shape(1, 2, 4096), List.of(layer(4096)));
    }
  }

  private static Layer layer(int d) {
    Weight one = Weight.identity(d);
    return new Layer(
        Geometry.SPHERE,
        Mask.CAUSAL,
        Normalisation.SOFTMAX,
        4,
        List.of(new Layer.LayerHead(one, one, one, one)),
        null);
  }

  private static double[] tokens() {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] x = new double[N * D];
    for (int i = 0; i < N; i++) {
      double norm = 0;
      for (int c = 0; c < D; c++) {
        x[i * D + c] = (float) random.nextGaussian();
        norm += x[i * D + c] * x[i * D + c];
      }
      for (int c = 0; c < D; c++) {
        x[i * D + c] = (float) (x[i * D + c] / Math.sqrt(norm));
      }
    }
    return x;
  }

  private static double[] velocity(Engine engine) {
    Shape shape = new Shape(1, N, D);
    try (State x = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(x, tokens());
      engine.velocity(x, new Layer[] {layer(D)}, new boolean[] {true}, v);
      return engine.download(v);
    }
  }

  private static Verdict judge(double[] field) {
    int[] rows = IntStream.range(0, N).toArray();
    Judge judge = new ReferenceJudge();
    double[][] computed = new double[N][];
    for (int i = 0; i < N; i++) {
      computed[i] = Arrays.copyOfRange(field, i * D, (i + 1) * D);
    }
    return ToleranceRule.of(Precision.SINGLE)
        .judge(
            new ToleranceRule.Sample(
                judge.velocity(tokens(), N, D, layer(D), rows),
                judge.yardstick(tokens(), N, D, layer(D), rows),
                computed));
  }
}
