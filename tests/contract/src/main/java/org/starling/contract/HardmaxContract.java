package org.starling.contract;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/** Hardmax takes the best live key, exact ties going to the lowest index. */
abstract class HardmaxContract extends ContractTheme {
  private static Layer hardmax(Geometry geometry, Mask mask, Weight q, Weight v) {
    int d = v.rows();
    return new Layer(
        geometry,
        mask,
        Normalisation.HARDMAX,
        1,
        List.of(Layers.head(q, Weight.identity(d), v)),
        null);
  }

  /**
   * n tokens; token k is longest along +e1 and so the best key of every row; copies tie exactly.
   */
  private double[] withTies(int n, int d, int... best) {
    double[] x = Tokens.gaussian(n, d, 231);
    for (int i = 0; i < n; i++) {
      x[i * d] = 1 + 0.5 * Math.tanh(x[i * d]);
    }
    for (int k : best) {
      Arrays.fill(x, k * d, (k + 1) * d, 0.25);
      x[k * d] = 8;
    }
    return subject().representable(x);
  }

  /** Q that maps a token to its first coordinate along e1: the score is x_i1 x_j1. */
  private static Weight firstCoordinate(int d) {
    double[] entries = new double[d];
    entries[0] = 1;
    return Weight.diagonal(entries);
  }

  @Test
  void tiesGoToTheLowestIndex() {
    int n = 129;
    for (int d : new int[] {1, 3, 17}) {
      for (int[] best : new int[][] {{5, 90}, {63, 64, 65}, {100, 128}, {0, 127}}) {
        double[] x = withTies(n, d, best);
        // A tag in the last coordinate, unseen by the scores, tells the copies apart.
        if (d > 1) {
          for (int k : best) {
            x[k * d + d - 1] = k;
          }
        }
        Layer layer =
            hardmax(Geometry.EUCLIDEAN, Mask.FULL, firstCoordinate(d), Weight.identity(d));
        double[] v = velocity(n, d, x, layer);
        double[] u = attend(n, d, x, layer);
        for (int i = 0; i < n; i++) {
          for (int a = 0; a < d; a++) {
            String what = "d=" + d + " best=" + Arrays.toString(best) + " row " + i;
            double tolerance = 4 * subject().epsilon() * 128;
            Close.to(x[best[0] * d + a], u[i * d + a], tolerance, what);
            Close.to(x[best[0] * d + a], v[i * d + a], tolerance, what);
          }
        }
      }
    }
  }

  @Test
  void aTieWithSelfGoesToTheLowerIndex() {
    int d = 3;
    double[] x = subject().representable(new double[] {2, 0, 1, 1, 0, 0, 2, 0, 5, 1, 1, 1});
    Layer layer = hardmax(Geometry.RESCALED, Mask.FULL, firstCoordinate(d), Weight.scalar(d, 2));
    double[] v = velocity(4, d, x, layer);
    // Row 0 wins its own tie with token 2; row 2 follows token 0.
    Close.to(new double[] {0, 0, 0}, Arrays.copyOfRange(v, 0, 3), 0, "row 0 stays");
    Close.to(new double[] {0, 0, -8}, Arrays.copyOfRange(v, 6, 9), 0, "row 2 follows token 0");
    Close.to(new double[] {2, 0, 2}, Arrays.copyOfRange(v, 3, 6), 0, "row 1 follows token 0");
  }

  @Test
  void onlyLiveKeysCompete() {
    int n = 60;
    int d = 9;
    double[] x = withTies(n, d, 50);
    Layer layer = hardmax(Geometry.EUCLIDEAN, Mask.CAUSAL, firstCoordinate(d), Weight.identity(d));
    double[] u = attend(n, d, x, layer);
    int best = 0;
    for (int i = 0; i < n; i++) {
      if (x[i * d] > x[best * d]) {
        best = i;
      }
      for (int a = 0; a < d; a++) {
        Close.to(x[best * d + a], u[i * d + a], 16 * subject().epsilon(), "row " + i);
      }
    }
  }

  @Test
  void aNanScoreIsNotHidden() {
    int n = 49;
    double[] x = withTies(n, 3, 7);
    x[30 * 3] = Double.NaN;
    Layer layer = hardmax(Geometry.EUCLIDEAN, Mask.FULL, firstCoordinate(3), Weight.identity(3));
    double[] v = velocity(n, 3, x, layer);
    for (int i = 0; i < n; i++) {
      double sum = v[3 * i] + v[3 * i + 1] + v[3 * i + 2];
      Close.to(Double.NaN, sum, 0, "a coordinate of row " + i);
    }
  }

  @Test
  void softmaxTendsToHardmaxAwayFromTies() {
    int n = 20;
    int d = 3;
    double[] x = new double[n * d];
    double[] noise = Tokens.gaussian(n, d, 241);
    for (int i = 0; i < n; i++) {
      x[i * d] = 1 + 0.5 * i;
      x[i * d + 1] = noise[i * d + 1];
      x[i * d + 2] = noise[i * d + 2];
    }
    x = subject().representable(x);
    Weight q = firstCoordinate(d);
    Layer hard = hardmax(Geometry.EUCLIDEAN, Mask.FULL, q, Weight.identity(d));
    Layer soft =
        new Layer(Geometry.EUCLIDEAN, Mask.FULL, Normalisation.SOFTMAX, 100, hard.heads(), null);
    Close.to(attend(n, d, x, hard), attend(n, d, x, soft), 64 * subject().epsilon(), "attention");
  }
}
