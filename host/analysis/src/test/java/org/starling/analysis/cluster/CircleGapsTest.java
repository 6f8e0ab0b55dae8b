package org.starling.analysis.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.analysis.Tokens;

class CircleGapsTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void isSingleLinkageByAngle(long seed) {
    Random random = new Random(seed);
    double[] angles = random.doubles(60, -20, 20).toArray();
    double threshold = 0.11;
    Clusters gaps = CircleGaps.of(angles, threshold);
    Clusters pairs = SingleLinkage.of(Tokens.onCircle(angles), Link.angle(threshold));
    assertArrayEquals(pairs.labels(), gaps.labels());
  }

  @Test
  void oneWideGapIsOneCluster() {
    assertEquals(1, CircleGaps.of(new double[] {0, 0.1, 0.2}, 0.5).count());
    assertEquals(1, CircleGaps.of(new double[] {3.1, -3.1, 3.0}, 0.5).count());
    assertEquals(2 * Math.PI - 0.2, CircleGaps.largest(new double[] {0.2, 0, 0.1}), 1e-15);
    assertEquals(2 * Math.PI, CircleGaps.largest(new double[] {7}), 1e-15);
  }
}
