package org.starling.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HalfTest {
  /** The number that a pattern of 16 bits stands for, below infinity. */
  private static double decode(int bits) {
    int exponent = bits >> 10;
    double fraction = (bits & 1023) / 1024.0;
    return exponent == 0 ? fraction * 0x1p-14 : (1 + fraction) * Math.scalb(1.0, exponent - 15);
  }

  @Test
  void everyHalfIsItsOwnNearestAndMidpointsGoToTheEvenOne() {
    for (int bits = 0; bits < 0x7bff; bits++) {
      double a = decode(bits);
      double b = decode(bits + 1);
      double even = bits % 2 == 0 ? a : b;
      double middle = (a + b) / 2;
      assertEquals(a, Half.round(a));
      assertEquals(a, -Half.round(-a));
      assertEquals(even, Half.round(middle), "between " + a + " and " + b);
      assertEquals(a, Half.round(Math.nextDown((float) middle)));
      assertEquals(b, Half.round(Math.nextUp((float) middle)));
    }
    assertEquals(Half.LARGEST, decode(0x7bff));
  }

  @Test
  void noInfinityTakesThePlaceOfANumber() {
    assertEquals(Half.LARGEST, Half.round(Math.nextDown(65520f)));
    for (double x : new double[] {65520, 1e30, Double.POSITIVE_INFINITY, Double.NaN, -65520}) {
      assertTrue(Double.isNaN(Half.round(x)), x + " rounded to " + Half.round(x));
    }
  }
}
