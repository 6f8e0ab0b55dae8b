package org.starling.analysis.spectrum;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.starling.core.model.Weight;

/**
 * How L, the leading eigenspace of V, lies in the space: the hypotheses of the second conjecture of
 * the causal paper (science/causal.md 1.4).
 *
 * @param leak |P_L V (I - P_L)|_F / |V|_F: 0 where V maps the complement of L into itself
 * @param complement largest &lt;Vz, z&gt; of unit z orthogonal to L; negative infinity where L is
 *     all
 */
public record LeadingSpace(double leak, double complement) {

  /**
   * @param basis orthonormal rows that span L, {@code [k][d]}
   */
  public static LeadingSpace of(Weight w, double[][] basis) {
    DMatrixRMaj v = Matrices.of(w);
    int d = v.numRows;
    DMatrixRMaj p = new DMatrixRMaj(d, d);
    for (double[] row : basis) {
      for (int r = 0; r < d; r++) {
        for (int c = 0; c < d; c++) {
          p.add(r, c, row[r] * row[c]);
        }
      }
    }
    double norm = Matrices.norm(v);
    DMatrixRMaj q = CommonOps_DDRM.identity(d);
    CommonOps_DDRM.subtractEquals(q, p);
    double leak = Matrices.norm(Matrices.product(Matrices.product(p, v), q)) / norm;
    if (basis.length == d) {
      return new LeadingSpace(0, Double.NEGATIVE_INFINITY);
    }
    // -sym(V) on the complement, and far above everything on L.
    DMatrixRMaj s = CommonOps_DDRM.transpose(v, null);
    CommonOps_DDRM.addEquals(s, v);
    CommonOps_DDRM.scale(-0.5, s);
    DMatrixRMaj on = Matrices.product(Matrices.product(q, s), q);
    CommonOps_DDRM.addEquals(on, 4 * norm, p);
    return new LeadingSpace(leak, -Matrices.smallestEigenvalue(on));
  }
}
