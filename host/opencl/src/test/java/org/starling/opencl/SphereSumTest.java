package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starling.opencl.SeriesTrial.evaluate;
import static org.starling.opencl.SeriesTrial.judge;
import static org.starling.opencl.SeriesTrial.open;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Summation;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.opencl.SeriesTrial.Cloud;

/** The fast sum on the sphere, d = 3, against the definition, at sizes of a few blocks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SphereSumTest {
  private static final int N = 700;
  private static final Weight I = Weight.identity(3);
  private static final Weight AWAY = Weight.scalar(3, -1);
  private static final Weight S =
      Weight.dense(3, 3, new double[] {0.8, -0.5, 0.3, 0.1, 1.1, -0.2, 0.4, 0.2, 0.9});
  private static final Weight V =
      Weight.dense(3, 3, new double[] {0.4, 1.2, -0.7, 0.9, 0.1, 0.3, -0.2, 0.5, 0.6});

  private Engine single;

  @BeforeAll
  void openEngine() {
    single = open(Precision.SINGLE, Summation.EXPANSION);
  }

  @AfterAll
  void close() {
    if (single != null) {
      single.close();
    }
  }

  static Stream<SeriesTrial> cases() {
    return SeriesTrial.cases(N, I, AWAY, S, V);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void velocitiesAndOutputsKeepTheRule(SeriesTrial c) {
    c.keepsTheRuleIn(single, N);
  }

  @Test
  void causalRowsDependOnNothingBehindThem() {
    Layer layer = layer(Mask.CAUSAL, S, V, 9);
    SeriesTrial.causalRowsDependOnNothingBehindThem(single, layer, N, 530);
  }

  /** More tokens than the moments that are held at a time stand for. */
  @Test
  void sumsGoOnFromChunkToChunk() {
    int n = 17_000;
    double[] x = Cloud.RANDOM.positions(n, 3, 7);
    int[] tokens = {0, 255, 5_000, 16_383, 16_384, n - 1};
    for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
      Layer layer = layer(mask, I, I, 4);
      judge(single, layer, layer, x, evaluate(single, layer, x, true), tokens);
    }
  }

  @Test
  void rowsInDoubtAreSummedByPairsAndCounted() {
    try (Engine engine = open(Precision.SINGLE, Summation.EXPANSION)) {
      double[] random = Cloud.RANDOM.positions(N, 3, 7);
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        evaluate(engine, layer(mask, I, I, 9), random, true);
      }
      assertEquals(0, engine.summation().rowsByPairs());
      assertEquals(2 * N, engine.summation().rows());
      // Everybody is opposite to everybody's query: the denominators are e^-60 of the largest.
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        Layer away = layer(mask, AWAY, I, 30);
        double[] x = Cloud.ONE_POINT.positions(N, 3, 8);
        x[0] = -x[0];
        x[1] = (float) (-x[1] + 0.1);
        long before = engine.summation().rowsByPairs();
        double[] v = evaluate(engine, away, x, true);
        assertTrue(engine.summation().rowsByPairs() > before, "rows left to pairs, " + mask);
        judge(engine, away, away, x, v);
      }
      String sentence = engine.summation().sentence();
      assertTrue(sentence.startsWith("expansion in spherical harmonics up to degree L"), sentence);
      assertEquals("spherical harmonics", engine.summation().facts().get("basis"));
    }
  }

  @Test
  void aTokenThatIsNoNumberReachesThoseWhoSeeIt() {
    double[] x = Cloud.RANDOM.positions(N, 3, 9);
    x[3 * 400] = Double.NaN;
    double[] v = evaluate(single, layer(Mask.CAUSAL, I, I, 9), x, true);
    for (int i = 0; i < N; i++) {
      assertEquals(i >= 400, Double.isNaN(v[3 * i]), "token " + i);
    }
  }

  @Test
  void autoTakesTheSeriesWhereItPays() {
    Layer weak = layer(Mask.FULL, I, I, 4);
    Layer strong = layer(Mask.CAUSAL, I, I, 64);
    try (Engine engine = open(Precision.SINGLE, Summation.AUTO);
        Engine pairs = open(Precision.SINGLE, Summation.PAIRS)) {
      assertFalse(engine.expands(new Shape(1, 1000, 3), weak));
      assertTrue(engine.expands(new Shape(1, 10_000, 3), weak));
      assertFalse(engine.expands(new Shape(1, 10_000, 3), strong));
      assertTrue(engine.expands(new Shape(1, 100_000, 3), strong));
      assertFalse(engine.expands(new Shape(1, 100_000, 3), layer(Mask.FULL, I, I, 1000)));
      assertFalse(pairs.expands(new Shape(1, 100_000, 3), weak));
    }
  }

  @Test
  void whatHasNoSeriesIsRefusedWithTheReason() {
    SeriesTrial.refused(single, layer(Mask.window(9), I, I, 9), "window");
    SeriesTrial.refused(single, layer(Mask.FULL, I, I, 1000), "degrees beyond");
  }

  private static Layer layer(Mask mask, Weight s, Weight v, double beta) {
    return new SeriesTrial(Precision.SINGLE, mask, s, v, beta, null).layer(Normalisation.SOFTMAX);
  }
}
