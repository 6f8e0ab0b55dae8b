package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Observations.Clusters;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;

/** Clusters are connected components, labelled by their lowest token. */
abstract class ClustersContract extends ContractTheme {
  @ParameterizedTest(name = "n={0} d={1} seed 171")
  @CsvSource({"1,3", "2,2", "7,3", "49,3", "129,64"})
  void findsGroupsOfCloseTokens(int n, int d) {
    double[] first = Tokens.clustered(n, d, 1e-3, 171);
    double[] second = Tokens.clustered(n, d, 1e-3, 172);
    double[] x = Arrays.copyOf(first, 2 * n * d);
    System.arraycopy(second, 0, x, n * d, n * d);
    // Token i belongs to centre i mod 4.
    int[] labels = new int[n];
    Arrays.setAll(labels, i -> i % 4);
    try (State s = state(new Shape(2, n, d), x)) {
      for (Clusters c : engine.observations().clusters(s, Linkage.COSINE, 0.999)) {
        assertEquals(Math.min(n, 4), c.count());
        assertArrayEquals(labels, c.labels());
      }
      for (Clusters c : engine.observations().clusters(s, Linkage.DISTANCE, 0.02)) {
        assertEquals(Math.min(n, 4), c.count());
        assertArrayEquals(labels, c.labels());
      }
    }
  }

  /**
   * n tokens on the circle, {@code step} apart, in a random order; two chains with a gap between.
   */
  private static double[] chains(int n, double step, int[] positionOf) {
    double[] x = new double[2 * n];
    for (int i = 0; i < n; i++) {
      int k = positionOf[i];
      double angle = step * k + (k >= n / 2 ? step : 0);
      x[2 * i] = Math.cos(angle);
      x[2 * i + 1] = Math.sin(angle);
    }
    return x;
  }

  @ParameterizedTest(name = "chain of {0} seed 181")
  @CsvSource({"2", "3", "64", "300"})
  void followsLongChains(int n) {
    int[] position = allRows(n);
    Random random = new Random(181);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = position[i];
      position[i] = position[j];
      position[j] = swap;
    }
    int[] lowest = {n, n};
    for (int i = 0; i < n; i++) {
      int chain = position[i] >= n / 2 ? 1 : 0;
      lowest[chain] = Math.min(lowest[chain], i);
    }
    int[] labels = new int[n];
    Arrays.setAll(labels, i -> lowest[position[i] >= n / 2 ? 1 : 0]);
    double step = 0.015;
    try (State s = state(new Shape(1, n, 2), chains(n, step, position))) {
      Clusters c = engine.observations().clusters(s, Linkage.COSINE, Math.cos(1.5 * step))[0];
      assertEquals(2, c.count());
      assertArrayEquals(labels, c.labels());
      assertEquals(1, engine.observations().clusters(s, Linkage.DISTANCE, 2.5 * step)[0].count());
      assertEquals(n, engine.observations().clusters(s, Linkage.DISTANCE, 0.5 * step)[0].count());
    }
  }

  @Test
  void comparesStrictly() {
    double[] x = {1, 0, 0, 1, 1, 0};
    try (State s = state(new Shape(1, 3, 2), x)) {
      assertEquals(2, engine.observations().clusters(s, Linkage.COSINE, 0)[0].count());
      assertEquals(1, engine.observations().clusters(s, Linkage.COSINE, -0.1)[0].count());
      assertEquals(3, engine.observations().clusters(s, Linkage.DISTANCE, 0)[0].count());
    }
  }

  @Test
  void nanLinksNothing() {
    double[] x = {1, 0, Double.NaN, 0, 1, 0};
    try (State s = state(new Shape(1, 3, 2), x)) {
      for (Linkage linkage : Linkage.values()) {
        Clusters c = engine.observations().clusters(s, linkage, 0.5)[0];
        assertArrayEquals(new int[] {0, 1, 0}, c.labels(), linkage::toString);
        assertTrue(c.count() == 2);
      }
    }
  }
}
