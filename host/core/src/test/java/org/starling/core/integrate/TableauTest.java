package org.starling.core.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Dormand-Prince tableau satisfies its order conditions")
class TableauTest {
  private static final double EPS = 2e-15;

  private static double[] solution() {
    double[] b = new double[7];
    System.arraycopy(Tableau.A[6], 0, b, 0, 6);
    return b;
  }

  private static double[] spread(double[] used) {
    double[] b = new double[7];
    for (int m = 0; m < used.length; m++) {
      b[Tableau.USED[m]] = used[m];
    }
    return b;
  }

  @Test
  void rowsSumToTimes() {
    for (int s = 1; s < 7; s++) {
      double sum = 0;
      for (double a : Tableau.A[s]) {
        sum += a;
      }
      assertEquals(Tableau.C[s], sum, EPS, "row " + s);
    }
  }

  @Test
  @DisplayName("all trees up to order 5 for the solution, up to order 4 without the error")
  void orders() {
    check(solution(), 5, 1);
    double[] embedded = solution();
    double[] error = spread(Tableau.ERROR);
    for (int s = 0; s < 7; s++) {
      embedded[s] -= error[s];
    }
    check(embedded, 4, 1);
  }

  @Test
  @DisplayName("dense output is of order 4 at every theta, and joins both ends")
  void dense() {
    double[] solution = solution();
    for (double theta : new double[] {0, 0.1, 0.37, 0.5, 0.9, 1}) {
      double[] b = spread(Tableau.dense(theta));
      for (int s = 0; s < 7; s++) {
        b[s] += solution[s];
      }
      check(b, 4, theta);
    }
    assertArrayEquals(new double[6], Tableau.dense(1), 0);
    double[] back = spread(Tableau.dense(0));
    for (int s = 0; s < 7; s++) {
      assertEquals(-solution[s], back[s], EPS);
    }
  }

  /** b . Phi(tree) = theta^order / gamma(tree) for all trees up to the order. */
  private static void check(double[] b, int order, double theta) {
    double[] one = {1, 1, 1, 1, 1, 1, 1};
    double[] c = Tableau.C;
    double[] c2 = times(c, c);
    double[] c3 = times(c2, c);
    double[] ac = a(c);
    double[] ac2 = a(c2);
    double[] aac = a(ac);
    double[][] trees = {
      one,
      c,
      c2,
      ac,
      c3,
      times(c, ac),
      ac2,
      aac,
      times(c2, c2),
      times(c2, ac),
      times(ac, ac),
      times(c, ac2),
      a(c3),
      times(c, aac),
      a(times(c, ac)),
      a(ac2),
      a(aac)
    };
    double[] gamma = {1, 2, 3, 6, 4, 8, 12, 24, 5, 10, 20, 15, 20, 30, 40, 60, 120};
    int[] orders = {1, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    for (int m = 0; m < trees.length; m++) {
      if (orders[m] <= order) {
        double sum = 0;
        for (int s = 0; s < 7; s++) {
          sum += b[s] * trees[m][s];
        }
        assertEquals(Math.pow(theta, orders[m]) / gamma[m], sum, 1e-14, "tree " + m);
      }
    }
  }

  private static double[] times(double[] u, double[] v) {
    double[] w = new double[7];
    for (int s = 0; s < 7; s++) {
      w[s] = u[s] * v[s];
    }
    return w;
  }

  private static double[] a(double[] u) {
    double[] w = new double[7];
    for (int s = 0; s < 7; s++) {
      for (int m = 0; m < Tableau.A[s].length; m++) {
        w[s] += Tableau.A[s][m] * u[m];
      }
    }
    return w;
  }
}
