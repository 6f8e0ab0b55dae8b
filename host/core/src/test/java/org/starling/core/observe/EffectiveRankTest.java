package org.starling.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EffectiveRankTest {
  private static double rank(int d, double... matrix) {
    return EffectiveRank.of(new double[][] {matrix}, d)[0];
  }

  @Test
  void isTheNumberOfEqualDirections() {
    assertEquals(3, rank(3, 2, 0, 0, 0, 2, 0, 0, 0, 2), 1e-12);
    assertEquals(1, rank(2, 0.5, 0.5, 0.5, 0.5), 1e-12);
    assertEquals(2, rank(3, 1, 0, 0, 0, 0, 0, 0, 0, 1), 1e-12);
  }

  @Test
  void isTheExponentialOfTheEntropy() {
    // Eigenvalues 3 and 1.
    double entropy = -(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25));
    assertEquals(Math.exp(entropy), rank(2, 2, 1, 1, 2), 1e-12);
  }

  @Test
  void doesNotInventARank() {
    assertTrue(Double.isNaN(rank(2, 0, 0, 0, 0)));
    assertTrue(Double.isNaN(rank(2, 1, Double.NaN, Double.NaN, 1)));
  }
}
