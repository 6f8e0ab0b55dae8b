package org.starling.analysis.attention;

import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;

/**
 * Global numbers of an attention matrix P {@code [n][n]}.
 *
 * @param p rows of P
 */
public record AttentionMatrix(double[][] p) {
  private static final int LARGEST = 2048;

  /**
   * Singular values in descending order, {@code [n]}; O(n^3).
   *
   * @throws IllegalArgumentException above n = 2048, where this would take minutes
   */
  public double[] singularValues() {
    int n = p.length;
    if (n > LARGEST) {
      throw new IllegalArgumentException(
          "the singular values of a "
              + n
              + " x "
              + n
              + " matrix take too long; at most "
              + LARGEST);
    }
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(n, n, false, false, true);
    if (!svd.decompose(new DMatrixRMaj(p))) {
      throw new ArithmeticException("the singular values of P did not converge");
    }
    double[] sigma = Arrays.copyOf(svd.getSingularValues(), n);
    Arrays.sort(sigma);
    for (int i = 0; i < n / 2; i++) {
      double swap = sigma[i];
      sigma[i] = sigma[n - 1 - i];
      sigma[n - 1 - i] = swap;
    }
    return sigma;
  }

  /**
   * Number of singular values above each tolerance, absolute. A rank means nothing without one: the
   * usual n eps sigma_1 counts rounding of size 1e-14 (emergence.md 4.10 takes 1e-8).
   *
   * @param tolerances &gt; 0
   */
  public int[] ranks(double... tolerances) {
    double[] sigma = singularValues();
    return Arrays.stream(tolerances)
        .mapToInt(tol -> (int) Arrays.stream(sigma).filter(v -> v > tol).count())
        .toArray();
  }

  /** Distance to the nearest matrix of zeros and ones: max_ij min(|P_ij|, |1 - P_ij|). */
  public double booleanDistance() {
    double worst = 0;
    for (double[] row : p) {
      for (double w : row) {
        worst = Math.max(worst, Math.min(Math.abs(w), Math.abs(1 - w)));
      }
    }
    return worst;
  }
}
