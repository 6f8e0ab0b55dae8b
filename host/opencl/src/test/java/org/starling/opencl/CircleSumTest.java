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
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.opencl.SeriesTrial.Cloud;

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
    Layer layer =
        new SeriesTrial(Precision.SINGLE, Mask.CAUSAL, S, V, 9, Cloud.RANDOM)
            .layer(Normalisation.SOFTMAX);
    SeriesTrial.causalRowsDependOnNothingBehindThem(single, layer, N, 530);
  }

  @Test
  void rowsInDoubtAreSummedByPairsAndCounted() {
    Shape shape = new Shape(1, N, 2);
    try (Engine engine = open(Precision.SINGLE, Summation.EXPANSION)) {
      SeriesTrial plain = new SeriesTrial(Precision.SINGLE, Mask.FULL, I, I, 9, Cloud.RANDOM);
      Layer layer = plain.layer(Normalisation.SOFTMAX);
      evaluate(engine, layer, plain.cloud().positions(N, 2, 7), true);
      assertEquals(0, engine.summation().rowsByPairs());
      assertEquals(N, engine.summation().rows());
      // Everybody is opposite to everybody's query: the denominators are e^-60 of the largest.
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        Layer away =
            new SeriesTrial(Precision.SINGLE, mask, AWAY, I, 30, null).layer(Normalisation.SOFTMAX);
        double[] x = Cloud.ONE_POINT.positions(N, 2, 8);
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
    double[] x = Cloud.RANDOM.positions(N, 2, 9);
    x[2 * 400] = Double.NaN;
    Layer layer =
        new SeriesTrial(Precision.SINGLE, Mask.CAUSAL, I, I, 9, null).layer(Normalisation.SOFTMAX);
    double[] v = evaluate(single, layer, x, true);
    for (int i = 0; i < N; i++) {
      assertEquals(i >= 400, Double.isNaN(v[2 * i]), "token " + i);
    }
  }

  @Test
  void autoTakesTheSeriesWhereItPays() {
    Layer circle =
        new SeriesTrial(Precision.SINGLE, Mask.FULL, I, I, 9, null).layer(Normalisation.SOFTMAX);
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
    Weight four = Weight.identity(4);
    refused(
        new Layer(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            1,
            List.of(new Layer.LayerHead(four, four, four, four)),
            null),
        "d = 2 and 3");
  }

  private void refused(Layer layer, String reason) {
    SeriesTrial.refused(single, layer, reason);
  }
}
