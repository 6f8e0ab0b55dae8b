package org.starling.core.model;

import java.util.stream.IntStream;

/**
 * Dense float64 products and solutions, rows in parallel. Every entry is summed in one order, so
 * the bits do not depend on the number of threads.
 */
final class MatrixProduct {
  private static final int ROWS = 4;

  /** Multiplications below which threads cost more than they give. */
  private static final long SERIAL = 1 << 18;

  private MatrixProduct() {}

  /** a b for a {@code [m][k]} and b {@code [k][n]}, row-major. */
  static double[] of(double[] a, double[] b, int m, int k, int n) {
    double[] c = new double[m * n];
    IntStream blocks = rows(0, (m + ROWS - 1) / ROWS, (long) m * k * n);
    blocks.forEach(
        block -> {
          int i = block * ROWS;
          if (i + ROWS <= m) {
            fourRows(a, b, c, i, k, n);
          } else {
            for (; i < m; i++) {
              oneRow(a, b, c, i, k, n);
            }
          }
        });
    return c;
  }

  private static void fourRows(double[] a, double[] b, double[] c, int i, int k, int n) {
    int c0 = i * n;
    int c1 = c0 + n;
    int c2 = c1 + n;
    int c3 = c2 + n;
    for (int l = 0; l < k; l++) {
      double a0 = a[i * k + l];
      double a1 = a[(i + 1) * k + l];
      double a2 = a[(i + 2) * k + l];
      double a3 = a[(i + 3) * k + l];
      int row = l * n;
      for (int j = 0; j < n; j++) {
        double v = b[row + j];
        c[c0 + j] += a0 * v;
        c[c1 + j] += a1 * v;
        c[c2 + j] += a2 * v;
        c[c3 + j] += a3 * v;
      }
    }
  }

  private static void oneRow(double[] a, double[] b, double[] c, int i, int k, int n) {
    for (int l = 0; l < k; l++) {
      double ail = a[i * k + l];
      for (int j = 0; j < n; j++) {
        c[i * n + j] += ail * b[l * n + j];
      }
    }
  }

  /**
   * The solution X of A X = B by elimination with row pivoting; both are overwritten, and B is
   * returned as X.
   *
   * @param a {@code [d][d]} row-major
   * @param b {@code [d][d]} row-major
   * @throws ArithmeticException if A is singular or not finite
   */
  static double[] solve(double[] a, double[] b, int d) {
    for (int k = 0; k < d; k++) {
      int pivot = k;
      for (int i = k + 1; i < d; i++) {
        pivot = Math.abs(a[i * d + k]) > Math.abs(a[pivot * d + k]) ? i : pivot;
      }
      double diagonal = a[pivot * d + k];
      if (!(Math.abs(diagonal) > 0 && Math.abs(diagonal) < Double.POSITIVE_INFINITY)) {
        throw new ArithmeticException(
            "a " + d + " x " + d + " system is singular or not finite at pivot " + k);
      }
      if (pivot != k) {
        swapRows(a, k, pivot, d);
        swapRows(b, k, pivot, d);
      }
      int from = k;
      rows(k + 1, d, (long) (d - k) * 2 * d)
          .forEach(
              i -> {
                double factor = a[i * d + from] / diagonal;
                subtract(a, i * d, factor, from * d, from + 1, d);
                subtract(b, i * d, factor, from * d, 0, d);
              });
    }
    for (int k = d - 1; k >= 0; k--) {
      int row = k * d;
      for (int j = 0; j < d; j++) {
        b[row + j] /= a[row + k];
      }
      rows(0, k, (long) k * d).forEach(i -> subtract(b, i * d, a[i * d + row / d], row, 0, d));
    }
    return b;
  }

  private static IntStream rows(int from, int to, long work) {
    IntStream rows = IntStream.range(from, to);
    return work > SERIAL ? rows.parallel() : rows;
  }

  /** Row at {@code to} minus factor times row at {@code from}, columns first..last-1. */
  private static void subtract(double[] x, int to, double factor, int from, int first, int last) {
    for (int j = first; j < last; j++) {
      x[to + j] -= factor * x[from + j];
    }
  }

  private static void swapRows(double[] x, int i, int k, int d) {
    for (int j = 0; j < d; j++) {
      double v = x[i * d + j];
      x[i * d + j] = x[k * d + j];
      x[k * d + j] = v;
    }
  }
}
