package org.starling.app.reproduce;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * t times an eigenvalue of C = (1/n) sum x_i x_i^T. For V = -I near the origin C' = -2 C^2, so that
 * t C tends to I/2.
 */
final class MomentLaw implements Probe {
  private final ReplicaFacts facts;
  private final boolean largest;

  private MomentLaw(ReplicaFacts facts, boolean largest) {
    this.facts = facts;
    this.largest = largest;
  }

  static MomentLaw of(ReplicaFacts facts, String which) {
    if (!which.equals("largest") && !which.equals("smallest")) {
      throw new IllegalArgumentException("which: must be largest or smallest, not " + which);
    }
    return new MomentLaw(facts, which.equals("largest"));
  }

  @Override
  public double at(double t, double[] x) {
    int d = facts.d();
    DMatrixRMaj c = new DMatrixRMaj(d, d);
    for (int i = 0; i < facts.n(); i++) {
      for (int a = 0; a < d; a++) {
        for (int b = 0; b < d; b++) {
          c.add(a, b, x[i * d + a] * x[i * d + b] / facts.n());
        }
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, false, true);
    if (!eigen.decompose(c)) {
      return Double.NaN;
    }
    double extreme = eigen.getEigenvalue(0).real;
    for (int k = 1; k < d; k++) {
      double one = eigen.getEigenvalue(k).real;
      extreme = largest ? Math.max(extreme, one) : Math.min(extreme, one);
    }
    return t * extreme;
  }
}
