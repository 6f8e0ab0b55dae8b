package org.starling.analysis.hull;

import java.util.Random;
import org.starling.analysis.Tokens;

/**
 * The support function h(u) = max_i &lt;x_i, u&gt; in fixed directions. A hull shrinks exactly
 * where h falls in every direction (Theorem 3.1 of the emergence paper).
 */
public final class SupportFunction {
  private SupportFunction() {}

  /**
   * Unit directions, the same in every run: evenly spaced on the circle, the two ends of the line,
   * else drawn uniformly with a fixed seed.
   *
   * @param count at least 1
   * @return {@code [count][d]}
   */
  public static double[][] directions(int count, int d) {
    double[][] u = new double[count][d];
    Random random = new Random(d);
    for (int k = 0; k < count; k++) {
      if (d == 2) {
        u[k][0] = Math.cos(2 * Math.PI * k / count);
        u[k][1] = Math.sin(2 * Math.PI * k / count);
        continue;
      }
      double square = 0;
      for (int c = 0; c < d; c++) {
        u[k][c] = d == 1 ? 1 - 2 * (k % 2) : random.nextGaussian();
        square += u[k][c] * u[k][c];
      }
      for (int c = 0; c < d; c++) {
        u[k][c] /= Math.sqrt(square);
      }
    }
    return u;
  }

  /** h in each direction, {@code [directions.length]}. */
  public static double[] of(Tokens x, double[][] directions) {
    double[] h = new double[directions.length];
    for (int k = 0; k < h.length; k++) {
      h[k] = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < x.n(); i++) {
        h[k] = Math.max(h[k], x.dot(i, directions[k]));
      }
    }
    return h;
  }

  /** Largest growth of h in any direction from one frame to another; &lt;= 0 if the hull shrank. */
  public static double growth(double[] before, double[] after) {
    double worst = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < before.length; k++) {
      worst = Math.max(worst, after[k] - before[k]);
    }
    return worst;
  }
}
