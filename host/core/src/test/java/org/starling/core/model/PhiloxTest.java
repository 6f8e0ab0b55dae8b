package org.starling.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.starling.core.model.Philox.Purpose;

class PhiloxTest {
  /** Known answers published with the Random123 library for philox4x32, 10 rounds. */
  @Test
  void knownAnswers() {
    assertArrayEquals(
        new int[] {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, Philox.block(0, 0, 0, 0, 0, 0));
    assertArrayEquals(
        new int[] {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        Philox.block(-1, -1, -1, -1, -1, -1));
    assertArrayEquals(
        new int[] {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
        Philox.block(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0));
  }

  @Test
  void aRowOfGaussiansIsTheSingleDraws() {
    Philox s = Philox.stream(11, Purpose.TOKENS, 2);
    double[] row = new double[7];
    s.gaussians(5, 3, row, 0, 7);
    for (int c = 0; c < 7; c++) {
      assertEquals(s.gaussian(5, 3, c), row[c], "coordinate " + c);
    }
  }

  @Test
  void everyPartOfTheKeyChangesTheDraw() {
    double base = Philox.stream(1, Purpose.TOKENS, 0).uniform(0, 0, 0);
    assertNotEquals(base, Philox.stream(2, Purpose.TOKENS, 0).uniform(0, 0, 0));
    assertNotEquals(base, Philox.stream(1L << 32 | 1, Purpose.TOKENS, 0).uniform(0, 0, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.NOISE, 0).uniform(0, 0, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 1).uniform(0, 0, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 0).uniform(1, 0, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 0).uniform(1L << 32, 0, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 0).uniform(0, 1, 0));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 0).uniform(0, 0, 1));
    assertNotEquals(base, Philox.stream(1, Purpose.TOKENS, 0).uniform(0, 0, 2));
  }

  /** Means within 5 standard errors, so a right generator with this seed passes for good. */
  @Test
  void momentsOfUniformAndNormalDraws() {
    Philox s = Philox.stream(2024, Purpose.NOISE, 0);
    int tokens = 20_000;
    int d = 5;
    int draws = tokens * d;
    double[] power = new double[5];
    double uniform = 0;
    double cross = 0;
    for (int i = 0; i < tokens; i++) {
      double[] z = new double[d];
      s.gaussians(0, i, z, 0, d);
      for (int c = 0; c < d; c++) {
        for (int p = 1; p <= 4; p++) {
          power[p] += Math.pow(z[c], p) / draws;
        }
        double u = s.uniform(1, i, c);
        assertTrue(u > 0 && u < 1);
        uniform += u / draws;
      }
      cross += z[0] * z[1] / tokens;
    }
    double error = 5 / Math.sqrt(draws);
    assertEquals(0, power[1], error);
    assertEquals(1, power[2], error * Math.sqrt(2));
    assertEquals(0, power[3], error * Math.sqrt(15));
    assertEquals(3, power[4], error * Math.sqrt(96));
    assertEquals(0.5, uniform, error / Math.sqrt(12));
    assertEquals(0, cross, 5 / Math.sqrt(tokens));
  }
}
