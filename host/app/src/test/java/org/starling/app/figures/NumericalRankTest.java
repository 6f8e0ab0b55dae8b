package org.starling.app.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumericalRankTest {
  private static final int N = 60;

  /** Few singular values by a basis, many by all of them; those below the tolerance never count. */
  @ParameterizedTest(name = "{0} singular values from 1 to 4e-6, {1} of 2e-7, seed 5")
  @CsvSource({"1, 0", "1, 59", "7, 0", "7, 30", "19, 1", "20, 40", "40, 20", "60, 0"})
  void singularValuesAboveTheToleranceAreCounted(int above, int below) {
    double[][] a = new double[N][N];
    for (int k = 0; k < above; k++) {
      a[k][k] = Math.pow(4e-6, above == 1 ? 0 : k / (above - 1.0));
    }
    for (int k = above; k < above + below; k++) {
      a[k][k] = 2e-7;
    }
    Random random = new Random(5);
    reflect(a, random, true);
    reflect(a, random, false);
    assertEquals(above, NumericalRank.of(a, 1e-6));
  }

  /** Rows or columns seen in a random mirror. */
  private static void reflect(double[][] a, Random random, boolean rows) {
    double[] u = random.doubles(N, -1, 1).toArray();
    double square = 0;
    for (double e : u) {
      square += e * e;
    }
    for (int i = 0; i < N; i++) {
      double c = 0;
      for (int j = 0; j < N; j++) {
        c += u[j] * (rows ? a[i][j] : a[j][i]);
      }
      for (int j = 0; j < N; j++) {
        double change = 2 * c / square * u[j];
        if (rows) {
          a[i][j] -= change;
        } else {
          a[j][i] -= change;
        }
      }
    }
  }
}
