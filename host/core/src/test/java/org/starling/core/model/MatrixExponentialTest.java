package org.starling.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixExponentialTest {
  private static final MathContext DIGITS = new MathContext(60);

  @ParameterizedTest(name = "d = {0}, t = {1}, seed {2}: the power series in 60 digits")
  @CsvSource({"1,2,1", "2,0.001,2", "3,1,3", "5,1,4", "5,-3,5", "4,9,6", "7,20,7"})
  void powerSeries(int d, double t, long seed) {
    Random random = new Random(seed);
    double[] a = new double[d * d];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextGaussian() / Math.sqrt(d);
    }
    double[] e = MatrixExponential.of(Weight.dense(d, d, a), t).dense();
    double[] exact = series(a, d, t);
    double norm = 0;
    double error = 0;
    for (int i = 0; i < e.length; i++) {
      norm = Math.max(norm, Math.abs(exact[i]));
      error = Math.max(error, Math.abs(e[i] - exact[i]));
    }
    double allowed = 4e-15 * Math.max(1, Math.abs(t)) * Math.max(norm, 1e-3) * d;
    double found = error;
    assertTrue(error <= allowed, () -> "error " + found + " of " + allowed);
  }

  private static double[] series(double[] a, int d, double t) {
    BigDecimal[] m = new BigDecimal[d * d];
    BigDecimal[] term = new BigDecimal[d * d];
    BigDecimal[] sum = new BigDecimal[d * d];
    for (int i = 0; i < m.length; i++) {
      m[i] = new BigDecimal(a[i]).multiply(new BigDecimal(t), DIGITS);
      term[i] = i % (d + 1) == 0 ? BigDecimal.ONE : BigDecimal.ZERO;
      sum[i] = term[i];
    }
    for (int k = 1; k <= 300; k++) {
      BigDecimal[] next = new BigDecimal[d * d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          BigDecimal s = BigDecimal.ZERO;
          for (int l = 0; l < d; l++) {
            s = s.add(term[i * d + l].multiply(m[l * d + j], DIGITS), DIGITS);
          }
          next[i * d + j] = s.divide(BigDecimal.valueOf(k), DIGITS);
        }
      }
      term = next;
      for (int i = 0; i < sum.length; i++) {
        sum[i] = sum[i].add(term[i], DIGITS);
      }
    }
    double[] out = new double[d * d];
    for (int i = 0; i < out.length; i++) {
      out[i] = sum[i].doubleValue();
    }
    return out;
  }

  @Test
  @DisplayName("rotation, Jordan block, and e^{tA} e^{-tA} = I at d = 70")
  void closedForms() {
    double t = 40;
    double[] turned =
        MatrixExponential.of(Weight.dense(2, 2, new double[] {0, -1, 1, 0}), t).dense();
    assertArrayEquals(
        new double[] {Math.cos(t), -Math.sin(t), Math.sin(t), Math.cos(t)}, turned, 1e-13);
    double[] jordan =
        MatrixExponential.of(Weight.dense(2, 2, new double[] {-1, 1, 0, -1}), 5).dense();
    double e = Math.exp(-5);
    assertArrayEquals(new double[] {e, 5 * e, 0, e}, jordan, 1e-15);
    int d = 70;
    Random random = new Random(9);
    double[] a = new double[d * d];
    for (int i = 0; i < a.length; i++) {
      a[i] = random.nextGaussian() / Math.sqrt(d);
    }
    Weight w = Weight.dense(d, d, a);
    double[] product = MatrixExponential.of(w, 1.5).times(MatrixExponential.of(w, -1.5)).dense();
    assertArrayEquals(Weight.identity(d).dense(), product, 1e-12);
  }

  @Test
  @DisplayName("scalar and diagonal matrices stay so; t = 0 gives the identity")
  void structure() {
    assertEquals(Weight.scalar(3, Math.exp(1)), MatrixExponential.of(Weight.scalar(3, 2), 0.5));
    assertEquals(
        Weight.diagonal(Math.exp(-1), Math.exp(4)),
        MatrixExponential.of(Weight.diagonal(-0.5, 2), 2));
    assertEquals(
        Weight.identity(2), MatrixExponential.of(Weight.dense(2, 2, new double[] {1, 2, 3, 4}), 0));
  }

  @Test
  @DisplayName("the Pade coefficients are 26! / (13! 26! ...) in whole numbers")
  void coefficients() throws ReflectiveOperationException {
    var field = MatrixExponential.class.getDeclaredField("B");
    field.setAccessible(true);
    double[] b = (double[]) field.get(null);
    // b_j / b_(j-1) = (m - j + 1) / (j (2m - j + 1)) with m = 13, b_13 = 1.
    for (int j = 1; j <= 13; j++) {
      assertEquals(b[j - 1] * (14 - j), b[j] * j * (27 - j), 0, "coefficient " + j);
    }
    assertEquals(1, b[13]);
  }
}
