package org.starling.analysis.hull;

import java.util.Arrays;

/**
 * The point of a convex hull nearest to a given one, by Wolfe's algorithm (Finding the nearest
 * point in a polytope, Math. Programming 11, 1976). Works in any dimension and brings its own
 * certificate: the hull lies on the far side of a plane at distance {@code lower}.
 *
 * @param point the nearest point found, {@code [d]}
 * @param distance from the given point to it: an upper bound on the distance to the hull
 * @param lower a lower bound on the distance to the hull, &gt;= 0
 */
public record NearestPoint(double[] point, double distance, double lower) {
  /** The gap of the optimality condition that counts as none, relative to the squared size. */
  private static final double GAP = 1e-15;

  private static final double ZERO_WEIGHT = 1e-14;

  /**
   * @param corners points {@code [m][d]} that span the hull, m &gt;= 1
   * @param y the given point, {@code [d]}
   */
  public static NearestPoint of(double[][] corners, double[] y) {
    double[][] p = new double[corners.length][y.length];
    double size = 0;
    int nearest = 0;
    for (int i = 0; i < p.length; i++) {
      for (int c = 0; c < y.length; c++) {
        p[i][c] = corners[i][c] - y[c];
      }
      size = Math.max(size, dot(p[i], p[i]));
      nearest = dot(p[i], p[i]) < dot(p[nearest], p[nearest]) ? i : nearest;
    }
    if (size == 0) {
      return new NearestPoint(y.clone(), 0, 0);
    }
    Corral corral = new Corral(p, Math.sqrt(size), nearest);
    double[] x = corral.point();
    int limit = 100 * (p.length + y.length + 10);
    for (int k = 0; k < limit; k++) {
      int j = lowest(p, x);
      boolean optimal = dot(x, x) - dot(x, p[j]) <= GAP * size;
      if (optimal || corral.has(j) || !corral.add(j)) {
        break;
      }
      double[] next = corral.point();
      if (dot(next, next) >= dot(x, x)) {
        break;
      }
      x = next;
    }
    double length = Math.sqrt(dot(x, x));
    double lower = length == 0 ? 0 : Math.max(0, dot(x, p[lowest(p, x)]) / length);
    double[] point = new double[y.length];
    for (int c = 0; c < y.length; c++) {
      point[c] = x[c] + y[c];
    }
    return new NearestPoint(point, length, Math.min(lower, length));
  }

  private static int lowest(double[][] p, double[] x) {
    int best = 0;
    double value = Double.POSITIVE_INFINITY;
    for (int i = 0; i < p.length; i++) {
      double v = dot(p[i], x);
      if (v < value) {
        value = v;
        best = i;
      }
    }
    return best;
  }

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int c = 0; c < a.length; c++) {
      sum += a[c] * b[c];
    }
    return sum;
  }

  /** Affinely independent corners with positive weights whose mean is the current point. */
  private static final class Corral {
    private final double[][] p;
    private final double scale;
    private int[] corner;
    private double[] weight;

    Corral(double[][] p, double scale, int first) {
      this.p = p;
      this.scale = scale;
      corner = new int[] {first};
      weight = new double[] {1};
    }

    boolean has(int j) {
      return Arrays.stream(corner).anyMatch(c -> c == j);
    }

    double[] point() {
      double[] x = new double[p[0].length];
      for (int k = 0; k < corner.length; k++) {
        for (int c = 0; c < x.length; c++) {
          x[c] += weight[k] * p[corner[k]][c];
        }
      }
      return x;
    }

    /** Adds a corner and moves to the nearest point of the new corral; false if it is singular. */
    boolean add(int j) {
      corner = Arrays.copyOf(corner, corner.length + 1);
      corner[corner.length - 1] = j;
      weight = Arrays.copyOf(weight, corner.length);
      while (true) {
        double[] mu = affine();
        if (mu == null) {
          return false;
        }
        double step = 1;
        for (int k = 0; k < mu.length; k++) {
          if (mu[k] <= ZERO_WEIGHT) {
            double fall = weight[k] - mu[k];
            step = Math.min(step, fall > 0 ? weight[k] / fall : 0);
          }
        }
        boolean inside = Arrays.stream(mu).allMatch(m -> m > ZERO_WEIGHT);
        if (inside) {
          weight = mu;
          return true;
        }
        for (int k = 0; k < mu.length; k++) {
          weight[k] += step * (mu[k] - weight[k]);
        }
        drop();
      }
    }

    /** Drops the corners without weight, at least one. */
    private void drop() {
      int least = 0;
      for (int k = 1; k < weight.length; k++) {
        least = weight[k] < weight[least] ? k : least;
      }
      double bound = Math.max(weight[least], ZERO_WEIGHT);
      int kept = 0;
      for (int k = 0; k < weight.length; k++) {
        if (weight[k] > bound) {
          corner[kept] = corner[k];
          weight[kept++] = weight[k];
        }
      }
      corner = Arrays.copyOf(corner, kept);
      weight = Arrays.copyOf(weight, kept);
    }

    /**
     * Weights of the point nearest to 0 in the affine hull: (G + 1 1^T) mu ~ 1; null if singular.
     */
    private double[] affine() {
      int m = corner.length;
      double[][] a = new double[m][m + 1];
      for (int r = 0; r < m; r++) {
        for (int c = 0; c < m; c++) {
          a[r][c] = 1 + dot(p[corner[r]], p[corner[c]]) / (scale * scale);
        }
        a[r][m] = 1;
      }
      for (int k = 0; k < m; k++) {
        int pivot = k;
        for (int r = k + 1; r < m; r++) {
          pivot = Math.abs(a[r][k]) > Math.abs(a[pivot][k]) ? r : pivot;
        }
        if (!(Math.abs(a[pivot][k]) > 0)) {
          return null;
        }
        double[] swap = a[k];
        a[k] = a[pivot];
        a[pivot] = swap;
        for (int r = k + 1; r < m; r++) {
          double f = a[r][k] / a[k][k];
          for (int c = k; c <= m; c++) {
            a[r][c] -= f * a[k][c];
          }
        }
      }
      double[] mu = new double[m];
      double sum = 0;
      for (int k = m - 1; k >= 0; k--) {
        double v = a[k][m];
        for (int c = k + 1; c < m; c++) {
          v -= a[k][c] * mu[c];
        }
        mu[k] = v / a[k][k];
        sum += mu[k];
      }
      if (!(Math.abs(sum) > 0) || !Double.isFinite(sum)) {
        return null;
      }
      for (int k = 0; k < m; k++) {
        mu[k] /= sum;
      }
      return mu;
    }
  }
}
