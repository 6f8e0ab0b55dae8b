package org.starling.core.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearTokensTest {
  /** Comparing every token with every earlier leader. */
  private static int[] plainly(double[] x, int n, int d, double distance) {
    int[] leader = new int[n];
    for (int i = 0; i < n; i++) {
      leader[i] = i;
      for (int l = i - 1; l >= 0; l--) {
        if (leader[l] == l && NearTokens.distance(x, i * d, l * d, d) < distance) {
          leader[i] = l;
        }
      }
    }
    return leader;
  }

  @ParameterizedTest(name = "n={0} d={1} distance={2} seed 7")
  @CsvSource({"200,1,0.01", "300,2,0.1", "300,2,1", "200,3,0.3", "150,64,0.2", "150,64,1.5"})
  void findsWhatComparingAllTokensFinds(int n, int d, double distance) {
    SplittableRandom random = new SplittableRandom(7);
    double[] centres = random.doubles((long) 12 * d, -1, 1).toArray();
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < d; c++) {
        x[i * d + c] = centres[i % 12 * d + c] + 0.2 / Math.sqrt(d) * random.nextDouble(-1, 1);
      }
    }
    assertArrayEquals(plainly(x, n, d, distance), NearTokens.leaders(x, 0, n, d, distance));
  }

  @Test
  void aTokenThatIsNotANumberStaysAlone() {
    double[] x = {Double.NaN, 0.5, 0.5, Double.NaN};
    int[] leader = NearTokens.leaders(x, 0, 4, 1, 0.1);
    assertEquals(0, leader[0]);
    assertEquals(1, leader[1]);
    assertEquals(1, leader[2]);
    assertEquals(3, leader[3]);
  }
}
