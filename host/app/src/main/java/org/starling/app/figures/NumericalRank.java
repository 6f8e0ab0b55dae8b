package org.starling.app.figures;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;

/**
 * Counts the singular values of a matrix above a part of the largest. Attention between tokens that
 * gather has few of them, so rows are first written in an orthonormal basis that grows by the row
 * that it describes worst, until what is left of every row is negligible: O(n^2 rank), where the
 * singular values of all of the matrix take O(n^3).
 */
final class NumericalRank {
  /** What may be left of the matrix, as part of the tolerance. */
  private static final double NEGLIGIBLE = 1e-3;

  /** A basis larger than this part of the rows no longer saves anything. */
  private static final int SMALL = 3;

  private NumericalRank() {}

  /**
   * @param a {@code [n][n]}, finite
   * @param tolerance singular values above this part of the largest count
   * @return their number; -1 if they did not converge
   */
  static int of(double[][] a, double tolerance) {
    int n = a.length;
    double[][] left = new double[n][];
    Arrays.setAll(left, i -> a[i].clone());
    double[][] coefficients = new double[n][n / SMALL];
    double[] square = new double[n];
    double total = 0;
    for (int i = 0; i < n; i++) {
      square[i] = dot(left[i], left[i]);
      total += square[i];
    }
    // The largest singular value is at least |A| / sqrt(n), and a change of A moves each by less
    // than its own norm: within these rows only values next to the tolerance could be counted
    // otherwise.
    double enough = Math.pow(NEGLIGIBLE * tolerance, 2) * total / n;
    double[][] basis = new double[n / SMALL][];
    int rank = 0;
    while (Arrays.stream(square).sum() > enough) {
      if (rank == basis.length) {
        return count(new DMatrixRMaj(a), tolerance);
      }
      double[] next = next(left, square, basis, rank);
      basis[rank] = next;
      int k = rank++;
      IntStream.range(0, n)
          .parallel()
          .forEach(
              i -> {
                double c = dot(left[i], next);
                coefficients[i][k] = c;
                for (int j = 0; j < n; j++) {
                  left[i][j] -= c * next[j];
                }
                square[i] = dot(left[i], left[i]);
              });
    }
    if (rank == 0) {
      return 0;
    }
    DMatrixRMaj small = new DMatrixRMaj(n, rank);
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < rank; k++) {
        small.set(i, k, coefficients[i][k]);
      }
    }
    return count(small, tolerance);
  }

  /** What is left of the worst row, made orthogonal to the basis once more, of norm 1. */
  private static double[] next(double[][] left, double[] square, double[][] basis, int rank) {
    int worst = 0;
    for (int i = 1; i < square.length; i++) {
      worst = square[i] > square[worst] ? i : worst;
    }
    double[] q = left[worst].clone();
    for (int k = 0; k < rank; k++) {
      double c = dot(q, basis[k]);
      for (int j = 0; j < q.length; j++) {
        q[j] -= c * basis[k][j];
      }
    }
    double norm = Math.sqrt(dot(q, q));
    for (int j = 0; j < q.length; j++) {
      q[j] /= norm;
    }
    return q;
  }

  private static double dot(double[] a, double[] b) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int j = 0;
    for (; j + 3 < a.length; j += 4) {
      s0 += a[j] * b[j];
      s1 += a[j + 1] * b[j + 1];
      s2 += a[j + 2] * b[j + 2];
      s3 += a[j + 3] * b[j + 3];
    }
    for (; j < a.length; j++) {
      s0 += a[j] * b[j];
    }
    return s0 + s1 + s2 + s3;
  }

  private static int count(DMatrixRMaj a, double tolerance) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(a.numRows, a.numCols, false, false, true);
    if (!svd.decompose(a)) {
      return -1;
    }
    double[] values = svd.getSingularValues();
    int known = Math.min(a.numRows, a.numCols);
    double largest = 0;
    for (int k = 0; k < known; k++) {
      largest = Math.max(largest, values[k]);
    }
    int rank = 0;
    for (int k = 0; k < known; k++) {
      rank += values[k] > tolerance * largest ? 1 : 0;
    }
    return rank;
  }
}
