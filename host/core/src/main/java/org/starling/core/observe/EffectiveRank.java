package org.starling.core.observe;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Effective rank of a cloud: exp of the entropy of the normalised eigenvalues of its second-moment
 * matrix (Roy and Vetterli's definition on the spectrum of (1/n) X^T X). Between 1 (all tokens on a
 * line through the origin) and d.
 */
final class EffectiveRank {
  private EffectiveRank() {}

  /**
   * @param moments second-moment matrices {@code [R][d * d]}, symmetric
   * @return one per replica; NaN where the matrix has a non-finite entry or is 0
   */
  static double[] of(double[][] moments, int d) {
    double[] ranks = new double[moments.length];
    for (int r = 0; r < ranks.length; r++) {
      ranks[r] = of(moments[r], d);
    }
    return ranks;
  }

  private static double of(double[] moment, int d) {
    double trace = 0;
    for (int k = 0; k < moment.length; k++) {
      if (!Double.isFinite(moment[k])) {
        return Double.NaN;
      }
      trace += k % (d + 1) == 0 ? moment[k] : 0;
    }
    if (!(trace > 0)) {
      return Double.NaN;
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, false, true);
    if (!eigen.decompose(DMatrixRMaj.wrap(d, d, moment.clone()))) {
      throw new IllegalStateException(
          "the eigenvalues of a " + d + " x " + d + " second-moment matrix did not converge");
    }
    double entropy = 0;
    for (int k = 0; k < d; k++) {
      // Rounding can make a zero eigenvalue slightly negative; both add nothing.
      double p = eigen.getEigenvalue(k).getReal() / trace;
      entropy -= p > 0 ? p * Math.log(p) : 0;
    }
    return Math.exp(entropy);
  }
}
