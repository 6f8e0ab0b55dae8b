package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

/**
 * One trial of a sum by a series against the definition.
 *
 * @param s score matrix, whose size is the dimension
 * @param v value matrix
 */
record SeriesTrial(Precision precision, Mask mask, Weight s, Weight v, double beta, Cloud cloud) {

  /** Directions, and how far off the unit sphere tokens are. */
  enum Cloud {
    RANDOM,
    CLUSTERS,
    TIGHT,
    STAGE,
    ONE_POINT;

    /** Positions {@code [n][d]}, d = 2 or 3. */
    double[] positions(int n, int d, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] x = new double[d * n];
      for (int i = 0; i < n; i++) {
        double spread = this == CLUSTERS ? 1e-3 : this == TIGHT ? 1e-6 : 0;
        boolean anywhere = this == RANDOM || this == STAGE;
        double[] z = new double[d];
        double norm = 0;
        for (int k = 0; k < d; k++) {
          double centre = Math.cos((this == ONE_POINT ? 1 : 2.4 * (i % 4)) + 1.5 * k);
          z[k] = anywhere ? gaussian(random) : centre + spread * random.nextDouble(-1, 1);
          norm = Math.hypot(norm, z[k]);
        }
        double r = this == STAGE ? 1 + 4e-3 * random.nextDouble() : 1;
        for (int k = 0; k < d; k++) {
          x[d * i + k] = (float) (r * z[k] / norm);
        }
      }
      return x;
    }

    private static double gaussian(SplittableRandom random) {
      return Math.sqrt(-2 * Math.log(1 - random.nextDouble()))
          * Math.cos(2 * Math.PI * random.nextDouble());
    }
  }

  static Engine open(Precision precision, Summation summation) {
    OpenClProvider provider = TestDevices.provider(TestDevices.api());
    return provider.open(
        TestDevices.first(provider), EngineOptions.of(precision).withSummation(summation));
  }

  int d() {
    return s.rows();
  }

  Layer layer(Normalisation normalisation) {
    return layer(Geometry.SPHERE, normalisation);
  }

  private Layer layer(Geometry geometry, Normalisation normalisation) {
    List<Layer.LayerHead> heads = List.of(new Layer.LayerHead(s, v, s, Weight.identity(d())));
    return new Layer(geometry, mask, normalisation, beta, heads, null);
  }

  /**
   * Trials of one dimension.
   *
   * @param n tokens
   * @param i the identity
   * @param away minus the identity
   * @param s a dense score matrix
   * @param v a dense value matrix
   */
  static Stream<SeriesTrial> cases(int n, Weight i, Weight away, Weight s, Weight v) {
    Precision p = Precision.SINGLE;
    return Stream.of(
        new SeriesTrial(p, Mask.FULL, i, i, 0, Cloud.RANDOM),
        new SeriesTrial(p, Mask.FULL, i, i, 1, Cloud.TIGHT),
        new SeriesTrial(p, Mask.FULL, i, i, 9, Cloud.RANDOM),
        new SeriesTrial(p, Mask.FULL, away, i, 9, Cloud.CLUSTERS),
        new SeriesTrial(p, Mask.FULL, s, v, 9, Cloud.STAGE),
        new SeriesTrial(p, Mask.FULL, i, v, 64, Cloud.RANDOM),
        new SeriesTrial(p, Mask.CAUSAL, i, i, 9, Cloud.RANDOM),
        new SeriesTrial(p, Mask.CAUSAL, i, away, 9, Cloud.STAGE),
        new SeriesTrial(p, Mask.CAUSAL, s, i, 9, Cloud.CLUSTERS),
        new SeriesTrial(p, Mask.CAUSAL, away, v, 9, Cloud.TIGHT),
        new SeriesTrial(p, Mask.prefix(300), s, v, 4, Cloud.RANDOM),
        new SeriesTrial(p, Mask.prefix(n), i, i, 4, Cloud.CLUSTERS),
        new SeriesTrial(Precision.MIXED, Mask.CAUSAL, s, v, 9, Cloud.TIGHT),
        new SeriesTrial(Precision.DOUBLE, Mask.FULL, i, i, 9, Cloud.RANDOM));
  }

  /** On an engine of its own where the one at hand has another precision. */
  void keepsTheRuleIn(Engine single, int n) {
    if (precision == Precision.SINGLE) {
      keepsTheRule(single, n);
    } else {
      try (Engine other = open(precision, Summation.EXPANSION)) {
        keepsTheRule(other, n);
      }
    }
  }

  /** Velocities and outputs, with both normalisations. */
  private void keepsTheRule(Engine engine, int n) {
    double[] x = cloud.positions(n, d(), 5);
    for (Normalisation normalisation : List.of(Normalisation.SOFTMAX, Normalisation.UNNORMALISED)) {
      Layer layer = layer(normalisation);
      assertTrue(engine.expands(new Shape(1, n, d()), layer));
      judge(engine, layer, layer, x, evaluate(engine, layer, x, true));
      judge(
          engine,
          layer,
          layer(Geometry.EUCLIDEAN, normalisation),
          x,
          evaluate(engine, layer, x, false));
    }
  }

  static void judge(Engine engine, Layer layer, Layer definition, double[] x, double[] v) {
    judge(engine, layer, definition, x, v, IntStream.range(0, x.length / layer.d()).toArray());
  }

  static void judge(
      Engine engine, Layer layer, Layer definition, double[] x, double[] v, int[] tokens) {
    int d = layer.d();
    int n = x.length / d;
    ReferenceJudge judge = new ReferenceJudge();
    double[][] rows = new double[tokens.length][];
    Arrays.setAll(rows, k -> Arrays.copyOfRange(v, d * tokens[k], d * tokens[k] + d));
    Verdict verdict =
        ToleranceRule.of(engine.precision())
            .judge(
                new ToleranceRule.Sample(
                    judge.velocity(x, n, d, definition, tokens),
                    judge.yardstick(x, n, d, definition, tokens),
                    rows));
    assertTrue(verdict.passed(), layer.normalisation() + ": " + verdict.sentence());
  }

  static double[] evaluate(Engine engine, Layer layer, double[] x, boolean velocity) {
    Shape shape = new Shape(1, x.length / layer.d(), layer.d());
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

  /** Later tokens are others, far off the sphere, or no numbers; and they are not there at all. */
  static void causalRowsDependOnNothingBehindThem(Engine engine, Layer layer, int n, int rows) {
    int d = layer.d();
    double[] x = Cloud.RANDOM.positions(n, d, 6);
    double[] expected = Arrays.copyOf(evaluate(engine, layer, x, true), d * rows);
    assertArrayEquals(expected, evaluate(engine, layer, Arrays.copyOf(x, d * rows), true), "alone");
    for (double factor : new double[] {-1, 1.01, 3, Double.NaN}) {
      double[] other = x.clone();
      for (int k = d * rows; k < other.length; k++) {
        other[k] *= factor;
      }
      double[] v = Arrays.copyOf(evaluate(engine, layer, other, true), d * rows);
      assertArrayEquals(expected, v, "factor " + factor);
    }
  }

  static void refused(Engine engine, Layer layer, String reason) {
    EngineException e =
        assertThrows(
            EngineException.class,
            () -> engine.check(new Shape(1, 700, layer.d()), List.of(layer)));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }
}
