package org.starling.analysis.centres;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.analysis.Tokens;

class CentresTest {
  private static Tokens uniform(Random random, int n, int d) {
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      double square = 0;
      for (int c = 0; c < d; c++) {
        x[i * d + c] = random.nextGaussian();
        square += x[i * d + c] * x[i * d + c];
      }
      for (int c = 0; c < d; c++) {
        x[i * d + c] /= Math.sqrt(square);
      }
    }
    return new Tokens(x, n, d);
  }

  @Test
  void theOrderOfTokensDecides() {
    Tokens x = Tokens.onCircle(0, 0.4, 0.8, 2, 2.3, 2.6);
    RenyiCentres c = RenyiCentres.of(x, 0.5);
    assertArrayEquals(new int[] {0, 2, 3, 5}, c.ordinary());
    // Token 2 is near token 1, which is no centre but a token; 5 is near 4.
    assertArrayEquals(new int[] {0, 3}, c.strong());
    Tokens turned = Tokens.onCircle(0.4, 0, 0.8, 2.3, 2, 2.6);
    assertArrayEquals(new int[] {0, 3}, RenyiCentres.of(turned, 0.5).ordinary());
    assertEquals(0.5, RenyiCentres.delta(4, 64));
  }

  @Test
  void everyTokenIsWithinDeltaOfAnOrdinaryCentre() {
    Tokens x = uniform(new Random(5), 300, 3);
    RenyiCentres c = RenyiCentres.of(x, 0.5);
    assertEquals(1, Coverage.of(x, c.ordinary(), 0.5));
    assertTrue(Coverage.of(x, c.strong(), 0.5) < 1);
    assertTrue(
        Arrays.stream(c.ordinary())
            .boxed()
            .toList()
            .containsAll(Arrays.stream(c.strong()).boxed().toList()));
    assertEquals(1. / 300, Coverage.of(x, new int[] {7}, 1e-9));
    assertEquals(0.25, Coverage.displacements(Tokens.onCircle(1), Tokens.onCircle(1.25))[0], 1e-14);
  }

  @ParameterizedTest(name = "d = {0}, delta = {1}")
  @CsvSource({
    "2, 0.5, 0.15915494",
    "3, 0.5, 0.061208719",
    "3, 2, 0.70807342",
    "16, 1, 0.012575785"
  })
  void capMasses(int d, double delta, double expected) {
    double s = CentreCounts.capMass(d, delta);
    assertEquals(expected, s, 1e-8);
    // Against the definition: int_0^delta sin^{d-2} / int_0^pi sin^{d-2}.
    double part = 0;
    double all = 0;
    int m = 200000;
    for (int k = 0; k < m; k++) {
      double a = Math.PI * (k + 0.5) / m;
      double w = Math.pow(Math.sin(a), d - 2);
      all += w;
      part += a < delta ? w : 0;
    }
    assertEquals(part / all, s, 1e-5);
  }

  @Test
  void countsOfStrongCentresAndThePrintedConstant() {
    assertEquals(2 * Math.PI, CentreCounts.strong(1e9, CentreCounts.capMass(2, 0.5)), 1e-9);
    double three = CentreCounts.strong(1e9, CentreCounts.capMass(3, 0.5));
    assertEquals(16.34, three, 0.005);
    assertEquals(4.35, CentreCounts.strong(1e9, CentreCounts.capMass(3, 1)), 0.005);
    double s = CentreCounts.capMass(3, 0.5);
    Random random = new Random(11);
    int runs = 80;
    double sum = 0;
    double squares = 0;
    int late = 0;
    for (int r = 0; r < runs; r++) {
      int[] strong = RenyiCentres.of(uniform(random, 300, 3), 0.5).strong();
      sum += strong.length;
      squares += (double) strong.length * strong.length;
      late += Arrays.stream(strong).anyMatch(i -> i == 9) ? 1 : 0;
    }
    double mean = sum / runs;
    double error = Math.sqrt((squares / runs - mean * mean) / runs);
    assertEquals(CentreCounts.strong(300, s), mean, 4 * error);
    double p = CentreCounts.strongProbability(10, s);
    assertEquals(p, late / (double) runs, 4 * Math.sqrt(p * (1 - p) / runs));
    // The printed 1/(3 sin^2(delta/2)) is far outside.
    double printed = 1 / (3 * Math.sin(0.25) * Math.sin(0.25));
    assertEquals(5.45, printed, 0.005);
    assertTrue(Math.abs(printed - mean) > 20 * error);
  }

  @Test
  void ordinaryCentresParkOnTheCircle() {
    assertEquals(0.7475979202534, ParkingConstant.value(), 1e-12);
    // What a cut at 60 without its tail would give.
    double truncated = ParkingConstant.value() - Math.exp(-2 * 0.5772156649015329) / 60;
    assertEquals(0.74234, truncated, 1e-5);
    assertNotEquals(truncated, ParkingConstant.value(), 1e-3);
    assertEquals(9.395, CentreCounts.ordinaryOnCircle(0.5), 5e-4);
    assertFalse(CentreCounts.saturatedOnCircle(200, 0.25));
    assertTrue(CentreCounts.saturatedOnCircle(8000, 0.25));
    Random random = new Random(2);
    double sum = 0;
    for (int r = 0; r < 20; r++) {
      sum += RenyiCentres.of(uniform(random, 4000, 2), 0.5).ordinary().length;
    }
    // The count of one run scatters by 0.55.
    assertEquals(CentreCounts.ordinaryOnCircle(0.5), sum / 20, 0.5);
  }
}
