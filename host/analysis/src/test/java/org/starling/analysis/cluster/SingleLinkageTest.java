package org.starling.analysis.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.starling.analysis.Tokens;

class SingleLinkageTest {
  @Test
  void chainsAreOneCluster() {
    Tokens x = Tokens.onCircle(0, 0.1, 0.19, 1, 1.05, -3.1, 3.1);
    Clusters c = SingleLinkage.of(x, Link.angle(0.11));
    assertEquals(3, c.count());
    assertArrayEquals(new int[] {0, 0, 0, 1, 1, 2, 2}, c.labels());
    assertArrayEquals(new int[] {3, 2, 2}, c.sizes());
    assertArrayEquals(new int[] {0, 3, 5}, c.representatives());
    assertEquals(4, SingleLinkage.of(x, Link.angle(0.095)).count());
  }

  @Test
  void thresholdsOfTheThreeKindsAgree() {
    Tokens x = Tokens.onCircle(0, 0.2, 2);
    double angle = 0.2;
    for (double off : new double[] {-1e-9, 1e-9}) {
      int expected = off < 0 ? 3 : 2;
      assertEquals(expected, SingleLinkage.of(x, Link.angle(angle + off)).count());
      assertEquals(expected, SingleLinkage.of(x, Link.cosine(Math.cos(angle + off))).count());
      assertEquals(
          expected, SingleLinkage.of(x, Link.distance(2 * Math.sin((angle + off) / 2))).count());
    }
  }

  @Test
  void aCosineNearOneKeepsItsDigits() {
    // 1 - cos(1e-8) = 5e-17 is below the rounding of a scalar product.
    Tokens x = Tokens.onCircle(0, 1e-8, 1);
    assertEquals(2, SingleLinkage.of(x, Link.cosine(1 - 1e-15)).count());
    assertEquals(2, SingleLinkage.of(x, Link.angle(1.01e-8)).count());
    assertEquals(3, SingleLinkage.of(x, Link.angle(0.99e-8)).count());
  }

  @Test
  void refusesWhatCannotBeCompared() {
    assertThrows(IllegalArgumentException.class, () -> Link.cosine(1));
    assertThrows(IllegalArgumentException.class, () -> Link.angle(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Tokens.of(new double[] {Double.NaN}));
  }
}
