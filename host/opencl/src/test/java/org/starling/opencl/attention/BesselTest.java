package org.starling.opencl.attention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BesselTest {
  private static final MathContext DIGITS = new MathContext(60, RoundingMode.HALF_EVEN);
  private static final int COUNT = 64;

  @ParameterizedTest
  @DisplayName("scaled Bessel functions agree with their power series in 60 digits")
  @ValueSource(doubles = {0, 0x1p-30, 0.5, 1, 16, 64, 303.25})
  void agreesWithThePowerSeries(double b) {
    double[] computed = Bessel.scaled(b, COUNT);
    BigDecimal scale = exponential(new BigDecimal(b));
    for (int k = 0; k < COUNT; k++) {
      double exact = series(new BigDecimal(b), k).divide(scale, DIGITS).doubleValue();
      if (exact >= Double.MIN_NORMAL) {
        double units = Math.abs(computed[k] / exact - 1) / 0x1p-53;
        assertTrue(units <= 2 * k + 4, "I_" + k + "(" + b + ") is off by " + units + " units");
      } else {
        assertEquals(0, computed[k], Double.MIN_NORMAL);
      }
    }
  }

  @ParameterizedTest
  @DisplayName("scaled spherical Bessel functions agree with their power series in 60 digits")
  @ValueSource(doubles = {0, 0x1p-30, 0.5, 1, 16, 64, 160.25})
  void sphericalOnesAgreeWithThePowerSeries(double b) {
    double[] computed = Bessel.sphericalScaled(b, COUNT);
    BigDecimal scale = exponential(new BigDecimal(b));
    for (int l = 0; l < COUNT; l++) {
      double exact = sphericalSeries(new BigDecimal(b), l).divide(scale, DIGITS).doubleValue();
      if (exact >= Double.MIN_NORMAL) {
        double units = Math.abs(computed[l] / exact - 1) / 0x1p-53;
        assertTrue(units <= 2 * l + 4, "i_" + l + "(" + b + ") is off by " + units + " units");
      } else {
        assertEquals(0, computed[l], Double.MIN_NORMAL);
      }
    }
  }

  /** Sum of b^l (b^2/2)^m / (m! (2l + 2m + 1)!!). */
  private static BigDecimal sphericalSeries(BigDecimal b, int l) {
    BigDecimal term = BigDecimal.ONE;
    for (int k = 1; k <= l; k++) {
      term = term.multiply(b, DIGITS).divide(BigDecimal.valueOf(2L * k + 1), DIGITS);
    }
    BigDecimal half = b.multiply(b, DIGITS).divide(BigDecimal.valueOf(2), DIGITS);
    BigDecimal sum = term;
    for (int m = 1; m < 1000; m++) {
      BigDecimal below = BigDecimal.valueOf(m * (2L * l + 2L * m + 1));
      term = term.multiply(half, DIGITS).divide(below, DIGITS);
      sum = sum.add(term, DIGITS);
    }
    return sum;
  }

  /** Sum of (b/2)^(2m + k) / (m! (m + k)!). */
  private static BigDecimal series(BigDecimal b, int k) {
    BigDecimal x = b.divide(BigDecimal.valueOf(2), DIGITS);
    BigDecimal term = BigDecimal.ONE;
    for (int m = 1; m <= k; m++) {
      term = term.multiply(x, DIGITS).divide(BigDecimal.valueOf(m), DIGITS);
    }
    BigDecimal sum = term;
    for (int m = 1; m < 1000; m++) {
      BigDecimal below = BigDecimal.valueOf((long) m * (m + k));
      term = term.multiply(x, DIGITS).multiply(x, DIGITS).divide(below, DIGITS);
      sum = sum.add(term, DIGITS);
    }
    return sum;
  }

  private static BigDecimal exponential(BigDecimal b) {
    BigDecimal term = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ONE;
    for (int m = 1; m < 2000; m++) {
      term = term.multiply(b, DIGITS).divide(BigDecimal.valueOf(m), DIGITS);
      sum = sum.add(term, DIGITS);
    }
    return sum;
  }
}
