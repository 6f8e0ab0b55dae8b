package org.starling.analysis.spectrum;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.analysis.spectrum.AtlasRow.Shape;
import org.starling.analysis.spectrum.AtlasRow.Status;
import org.starling.analysis.theory.FirstToken;
import org.starling.core.model.Weight;

class HypothesesTest {
  private static Weight square(int d, double... entries) {
    return Weight.dense(d, d, entries);
  }

  private static GoodTriple triple(Weight v, Weight b) {
    return GoodTriple.of(ValueSpectrum.of(v), b);
  }

  @Test
  void goodTriples() {
    Weight one = Weight.identity(2);
    Weight plane = square(2, 0.64709742, 0.81911926, 0.61210449, 0.63264484);
    assertTrue(triple(plane, one).good());
    assertFalse(triple(plane, Weight.scalar(2, -1)).good());
    assertTrue(triple(plane, Weight.scalar(2, -1)).simpleTop());
    assertFalse(triple(square(2, .5, -1, 1, .5), one).simpleTop());
    // The largest modulus is a negative eigenvalue (head 4 of ALBERT).
    assertFalse(triple(Weight.diagonal(.73, -1.45), one).simpleTop());
    assertFalse(triple(one, one).simpleTop());
    assertTrue(triple(one, one).paranormal());
    Weight three = Weight.identity(3);
    assertTrue(triple(Weight.diagonal(1, 1, -.5), three).paranormal());
    // The condition is on the modulus.
    assertFalse(triple(Weight.diagonal(1, 1, -1.5), three).paranormal());
    assertFalse(triple(square(3, 1, 1, 0, 0, 1, 0, 0, 0, .2), three).paranormal());
    assertTrue(triple(one, square(2, 2, 1, 1, 2)).positiveDefinite());
    assertFalse(triple(one, square(2, 2, 1, 0, 2)).positiveDefinite());
    assertFalse(triple(one, square(2, 1, 2, 2, 1)).positiveDefinite());
  }

  @Test
  void theAtlas() {
    assertRow(Shape.FIRST_TOKEN, Status.THEOREM, 3, Weight.scalar(3, 2));
    assertRow(Shape.POINT_IN_L, Status.CONJECTURE, 2, Weight.diagonal(1, 1, .5));
    assertRow(Shape.TWO_POLES, Status.CONJECTURE, 1, Weight.diagonal(1, .5, .2));
    assertRow(Shape.CLOUD_AROUND_L, Status.OBSERVED, 3, Weight.scalar(3, -1));
    assertRow(Shape.CLOUD_AROUND_L, Status.OBSERVED, 2, Weight.diagonal(-1, -1, -2));
    assertRow(Shape.TWO_CLOUDS, Status.OBSERVED, 1, Weight.diagonal(-1, -2, -3));
    Weight turning = square(3, 1, -.5, 0, .5, 1, 0, 0, 0, .3);
    assertRow(Shape.ROTATING_CLUSTER, Status.OBSERVED, 2, turning);
    assertRow(Shape.OPEN, Status.NONE, 1, square(3, 1, 1, 0, 0, 1, 0, 0, 0, .2));
    assertRow(Shape.OPEN, Status.NONE, 1, Weight.diagonal(0, -1, -2));
  }

  private static void assertRow(Shape shape, Status status, int dimension, Weight v) {
    AtlasRow row = AtlasRow.of(ValueSpectrum.of(v));
    assertEquals(shape, row.shape(), row.sentence());
    assertEquals(status, row.status());
    assertEquals(dimension, row.dimension());
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void theLimitOfTheFirstTokenIsTheObliqueProjection(long seed) {
    Random random = new Random(seed);
    Weight v = square(3, 1, 2, 0, 0, .3, 0, 0, 0, -.5);
    ValueSpectrum s = ValueSpectrum.of(v);
    double[] x = random.doubles(3, -1, 1).toArray();
    assertArrayEquals(FirstToken.position(v, x, 100), s.limitDirection(x), 1e-12);
    double[] left = s.leftEigenvector(s.values().get(0));
    double sign = Math.signum(left[0] * x[0] + left[1] * x[1] + left[2] * x[2]);
    assertEquals(sign, s.limitDirection(x)[0], 1e-12);
    // J_2 + J_1 + a rest: the limit heads the block, approached like 1/t.
    Weight jordan = square(4, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, .3, 0, 0, .2);
    double[] y = random.doubles(4, -1, 1).toArray();
    double[] limit = ValueSpectrum.of(jordan).limitDirection(y);
    double[] far = FirstToken.position(jordan, y, 1e6);
    assertArrayEquals(limit, far, 1e-4);
    assertNull(ValueSpectrum.of(square(2, 1, -1, 1, 1)).limitDirection(new double[] {1, 0}));
  }

  @Test
  void theRightEigenvectorWouldGiveTheWrongPole() {
    ValueSpectrum s = ValueSpectrum.of(square(3, 1, 2, 0, 0, .3, 0, 0, 0, -.5));
    double[] right = s.rightEigenvector(s.values().get(0));
    Random random = new Random(1);
    int wrong = 0;
    for (int k = 0; k < 200; k++) {
      double[] x = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      double along = right[0] * x[0] + right[1] * x[1] + right[2] * x[2];
      wrong += Math.signum(along) == s.limitDirection(x)[0] ? 0 : 1;
    }
    // 39 % in causal.md 1.2.
    assertEquals(.39, wrong / 200.0, .1);
  }
}
