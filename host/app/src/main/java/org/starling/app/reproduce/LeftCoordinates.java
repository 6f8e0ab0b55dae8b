package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.SingularOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;
import org.starling.analysis.spectrum.Eigenvalue;
import org.starling.analysis.spectrum.ValueSpectrum;
import org.starling.core.model.Weight;

/**
 * Coordinates in which z' = V z comes apart: for a real eigenvalue the left eigenvectors phi, for a
 * complex pair a +- ib two rows p, q with V^T p = a p + b q and V^T q = a q - b p, so that (p.z,
 * q.z) is turned by -b and stretched by a.
 */
record LeftCoordinates(Eigenvalue eigenvalue, double[][] rows) {

  /** One for each eigenvalue or pair, by falling real part. */
  static List<LeftCoordinates> of(Weight v) {
    List<LeftCoordinates> all = new ArrayList<>();
    DMatrixRMaj t =
        CommonOps_DDRM.transpose(new DMatrixRMaj(v.rows(), v.rows(), true, v.dense()), null);
    for (Eigenvalue e : ValueSpectrum.of(v).values()) {
      all.add(new LeftCoordinates(e, e.real() ? real(t, e) : pair(t, e)));
    }
    return all;
  }

  private static double[][] real(DMatrixRMaj t, Eigenvalue e) {
    DMatrixRMaj m = shifted(t, e.re());
    DMatrixRMaj power = m;
    for (int k = 1; k < e.largestBlock(); k++) {
      power = CommonOps_DDRM.mult(power, m, null);
    }
    return kernel(power, e.multiplicity());
  }

  private static double[][] pair(DMatrixRMaj t, Eigenvalue e) {
    if (e.multiplicity() > 1) {
      throw new IllegalArgumentException("the complex pair " + e + " is not simple");
    }
    DMatrixRMaj m = shifted(t, e.re());
    DMatrixRMaj square = shifted(CommonOps_DDRM.mult(m, m, null), -e.im() * e.im());
    double[] p = kernel(square, 2)[0];
    double[] q = new double[p.length];
    for (int i = 0; i < q.length; i++) {
      for (int j = 0; j < q.length; j++) {
        q[i] += m.get(i, j) * p[j] / e.im();
      }
    }
    return new double[][] {p, q};
  }

  private static DMatrixRMaj shifted(DMatrixRMaj a, double c) {
    DMatrixRMaj b = a.copy();
    for (int i = 0; i < a.numRows; i++) {
      b.add(i, i, -c);
    }
    return b;
  }

  /** Orthonormal rows that span the kernel. */
  static double[][] kernel(DMatrixRMaj a, int dimension) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(a.numRows, a.numCols, false, true, false);
    if (!svd.decompose(a.copy())) {
      throw new ArithmeticException("the kernel of a matrix did not converge");
    }
    DMatrixRMaj w = svd.getW(null);
    DMatrixRMaj v = svd.getV(null, false);
    SingularOps_DDRM.descendingOrder(null, false, w, v, false);
    double[][] rows = new double[dimension][a.numCols];
    for (int k = 0; k < dimension; k++) {
      for (int c = 0; c < a.numCols; c++) {
        rows[k][c] = v.get(c, v.numCols - dimension + k);
      }
    }
    return rows;
  }

  /** The coordinates of a token, one or two. */
  double[] of(double[] x, int token) {
    double[] u = new double[rows.length];
    for (int a = 0; a < u.length; a++) {
      for (int c = 0; c < rows[a].length; c++) {
        u[a] += rows[a][c] * x[token * rows[a].length + c];
      }
    }
    return u;
  }
}
