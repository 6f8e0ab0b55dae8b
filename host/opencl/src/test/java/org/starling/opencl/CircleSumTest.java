package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Summation;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;
import org.starling.cpu.reference.ReferenceJudge;

/** The fast sum on the circle against the definition, at sizes of a few blocks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CircleSumTest {
  private static final int N = 700;
  private static final Weight I = Weight.identity(2);
  private static final Weight AWAY = Weight.scalar(2, -1);
  private static final Weight S = Weight.dense(2, 2, new double[] {0.8, -0.5, 0.3, 1.1});
  private static final Weight V = Weight.dense(2, 2, new double[] {0.4, 1.2, -0.7, 0.9});

  private Engine single;

  @BeforeAll
  void open() {
    single = open(Precision.SINGLE, Summation.EXPANSION);
  }

  @AfterAll
  void close() {
    if (single != null) {
      single.close();
    }
  }

  private static Engine open(Precision precision, Summation summation) {
    OpenClProvider provider = TestDevices.provider(TestDevices.api());
    return provider.open(
        TestDevices.first(provider), EngineOptions.of(precision).withSummation(summation));
  }

  /** Angles, and how far off the circle tokens are. */
  private enum Cloud {
    RANDOM,
    CLUSTERS,
    TIGHT,
    STAGE,
    ONE_POINT;

    double[] positions(int n, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] x = new double[2 * n];
      for (int i = 0; i < n; i++) {
        double noise = random.nextDouble(-1, 1);
        double spread = this == CLUSTERS ? 1e-3 : this == TIGHT ? 1e-6 : 0;
        double angle = this == RANDOM || this == STAGE ? Math.PI * noise : 2.4 * (i % 4);
        angle = this == ONE_POINT ? 1 : angle + spread * noise;
        double r = this == STAGE ? 1 + 4e-3 * random.nextDouble() : 1;
        x[2 * i] = (float) (r * Math.cos(angle));
        x[2 * i + 1] = (float) (r * Math.sin(angle));
      }
      return x;
    }
  }

  private record Case(
      Precision precision, Mask mask, Weight s, Weight v, double beta, Cloud cloud) {
    Layer layer(Normalisation normalisation) {
      List<Layer.LayerHead> heads = List.of(new Layer.LayerHead(s, v, s, I));
      return new Layer(Geometry.SPHERE, mask, normalisation, beta, heads, null);
    }
  }

  static Stream<Case> cases() {
    Precision p = Precision.SINGLE;
    return Stream.of(
        new Case(p, Mask.FULL, I, I, 0, Cloud.RANDOM),
        new Case(p, Mask.FULL, I, I, 1, Cloud.TIGHT),
        new Case(p, Mask.FULL, I, I, 9, Cloud.RANDOM),
        new Case(p, Mask.FULL, AWAY, I, 9, Cloud.CLUSTERS),
        new Case(p, Mask.FULL, S, V, 9, Cloud.STAGE),
        new Case(p, Mask.FULL, I, V, 64, Cloud.RANDOM),
        new Case(p, Mask.CAUSAL, I, I, 9, Cloud.RANDOM),
        new Case(p, Mask.CAUSAL, I, AWAY, 9, Cloud.STAGE),
        new Case(p, Mask.CAUSAL, S, I, 9, Cloud.CLUSTERS),
        new Case(p, Mask.CAUSAL, AWAY, V, 9, Cloud.TIGHT),
        new Case(p, Mask.prefix(300), S, V, 4, Cloud.RANDOM),
        new Case(p, Mask.prefix(N), I, I, 4, Cloud.CLUSTERS),
        new Case(Precision.MIXED, Mask.CAUSAL, S, V, 9, Cloud.TIGHT),
        new Case(Precision.DOUBLE, Mask.FULL, I, I, 9, Cloud.RANDOM));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void velocitiesAndOutputsKeepTheRule(Case c) {
    if (c.precision == Precision.SINGLE) {
      keepsTheRule(single, c);
    } else {
      try (Engine other = open(c.precision, Summation.EXPANSION)) {
        keepsTheRule(other, c);
      }
    }
  }

  private static void keepsTheRule(Engine engine, Case c) {
    double[] x = c.cloud.positions(N, 5);
    for (Normalisation normalisation : List.of(Normalisation.SOFTMAX, Normalisation.UNNORMALISED)) {
      Layer layer = c.layer(normalisation);
      assertTrue(engine.expands(new Shape(1, N, 2), layer));
      judge(engine, layer, layer, x, evaluate(engine, layer, x, true));
      Layer free =
          new Layer(Geometry.EUCLIDEAN, c.mask, normalisation, c.beta, layer.heads(), null);
      judge(engine, layer, free, x, evaluate(engine, layer, x, false));
    }
  }

  private static void judge(Engine engine, Layer layer, Layer definition, double[] x, double[] v) {
    int n = x.length / 2;
    int[] tokens = new int[n];
    Arrays.setAll(tokens, i -> i);
    ReferenceJudge judge = new ReferenceJudge();
    double[][] rows = new double[n][];
    Arrays.setAll(rows, i -> new double[] {v[2 * i], v[2 * i + 1]});
    Verdict verdict =
        ToleranceRule.of(engine.precision())
            .judge(
                new ToleranceRule.Sample(
                    judge.velocity(x, n, 2, definition, tokens),
                    judge.yardstick(x, n, 2, definition, tokens),
                    rows));
    assertTrue(verdict.passed(), layer.normalisation() + ": " + verdict.sentence());
  }

  private static double[] evaluate(Engine engine, Layer layer, double[] x, boolean velocity) {
    Shape shape = new Shape(1, x.length / 2, 2);
    try (State state = engine.allocateState(shape);
        Field out = engine.allocateField(shape)) {
      engine.upload(state, x);
      if (velocity) {
        engine.velocity(state, new Layer[] {layer}, new boolean[] {true}, out);
      } else {
        engine.attend(state, new Layer[] {layer}, new boolean[] {true}, out);
      }
      return engine.download(out);
    }
  }

  /** Later tokens are others, far off the circle, or no numbers; and they are not there at all. */
  @Test
  void causalRowsDependOnNothingBehindThem() {
    Layer layer =
        new Case(Precision.SINGLE, Mask.CAUSAL, S, V, 9, Cloud.RANDOM).layer(Normalisation.SOFTMAX);
    double[] x = Cloud.RANDOM.positions(N, 6);
    int rows = 530;
    double[] expected = Arrays.copyOf(evaluate(single, layer, x, true), 2 * rows);
    double[] alone = evaluate(single, layer, Arrays.copyOf(x, 2 * rows), true);
    assertArrayEquals(expected, alone);
    for (double factor : new double[] {-1, 1.01, 3, Double.NaN}) {
      double[] other = x.clone();
      for (int k = 2 * rows; k < other.length; k++) {
        other[k] *= factor;
      }
      double[] v = Arrays.copyOf(evaluate(single, layer, other, true), 2 * rows);
      assertArrayEquals(expected, v, "factor " + factor);
    }
  }

  @Test
  void rowsInDoubtAreSummedByPairsAndCounted() {
    Shape shape = new Shape(1, N, 2);
    try (Engine engine = open(Precision.SINGLE, Summation.EXPANSION)) {
      Case plain = new Case(Precision.SINGLE, Mask.FULL, I, I, 9, Cloud.RANDOM);
      Layer layer = plain.layer(Normalisation.SOFTMAX);
      evaluate(engine, layer, plain.cloud.positions(N, 7), true);
      assertEquals(0, engine.summation().rowsByPairs());
      assertEquals(N, engine.summation().rows());
      // Everybody is opposite to everybody's query: the denominators are e^-60 of the largest.
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        Layer away =
            new Case(Precision.SINGLE, mask, AWAY, I, 30, null).layer(Normalisation.SOFTMAX);
        double[] x = Cloud.ONE_POINT.positions(N, 8);
        x[0] = -x[0];
        x[1] = (float) (-x[1] + 0.1);
        long before = engine.summation().rowsByPairs();
        double[] v = evaluate(engine, away, x, true);
        assertTrue(engine.summation().rowsByPairs() > before, "rows left to pairs, " + mask);
        judge(engine, away, away, x, v);
      }
      assertTrue(engine.expands(shape, layer));
      assertTrue(engine.summation().sentence().startsWith("expansion"));
    }
  }

  @Test
  void aTokenThatIsNoNumberReachesThoseWhoSeeIt() {
    double[] x = Cloud.RANDOM.positions(N, 9);
    x[2 * 400] = Double.NaN;
    Layer layer =
        new Case(Precision.SINGLE, Mask.CAUSAL, I, I, 9, null).layer(Normalisation.SOFTMAX);
    double[] v = evaluate(single, layer, x, true);
    for (int i = 0; i < N; i++) {
      assertEquals(i >= 400, Double.isNaN(v[2 * i]), "token " + i);
    }
  }

  @Test
  void autoTakesTheSeriesWhereItPays() {
    Layer circle =
        new Case(Precision.SINGLE, Mask.FULL, I, I, 9, null).layer(Normalisation.SOFTMAX);
    try (Engine engine = open(Precision.SINGLE, Summation.AUTO);
        Engine pairs = open(Precision.SINGLE, Summation.PAIRS)) {
      assertFalse(engine.expands(new Shape(1, 1000, 2), circle));
      assertFalse(pairs.expands(new Shape(1, 100_000, 2), circle));
      assertFalse(engine.expands(new Shape(1, 100_000, 2), in(Geometry.EUCLIDEAN, Mask.FULL, 9)));
      assertEquals("pairs", engine.summation().sentence());
      assertEquals("auto", engine.identity().settings().get("summation"));
    }
  }

  private static Layer in(Geometry geometry, Mask mask, double beta) {
    return new Layer(
        geometry,
        mask,
        Normalisation.SOFTMAX,
        beta,
        List.of(new Layer.LayerHead(I, I, I, I)),
        null);
  }

  @Test
  void whatHasNoSeriesIsRefusedWithTheReason() {
    refused(in(Geometry.EUCLIDEAN, Mask.FULL, 9), "radii");
    refused(in(Geometry.SPHERE, Mask.window(9), 9), "window");
    refused(in(Geometry.SPHERE, Mask.alibi(0.1), 9), "alibi");
    refused(in(Geometry.SPHERE, Mask.FULL, 1e6), "frequencies");
    Weight three = Weight.identity(3);
    refused(
        new Layer(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            1,
            List.of(new Layer.LayerHead(three, three, three, three)),
            null),
        "d = 2");
  }

  private void refused(Layer layer, String reason) {
    EngineException e =
        assertThrows(
            EngineException.class, () -> single.check(new Shape(1, N, layer.d()), List.of(layer)));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }
}
