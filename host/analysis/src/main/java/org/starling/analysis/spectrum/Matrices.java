package org.starling.analysis.spectrum;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.NormOps_DDRM;
import org.ejml.dense.row.SingularOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;
import org.starling.core.model.Weight;

/** The few dense operations that spectra need, over EJML. */
final class Matrices {
  private Matrices() {}

  static DMatrixRMaj of(Weight w) {
    return new DMatrixRMaj(w.rows(), w.columns(), true, w.dense());
  }

  static DMatrixRMaj product(DMatrixRMaj a, DMatrixRMaj b) {
    return CommonOps_DDRM.mult(a, b, null);
  }

  static double norm(DMatrixRMaj a) {
    return NormOps_DDRM.normF(a);
  }

  /** a - c I. */
  static DMatrixRMaj shifted(DMatrixRMaj a, double c) {
    DMatrixRMaj b = a.copy();
    for (int i = 0; i < a.numRows; i++) {
      b.add(i, i, -c);
    }
    return b;
  }

  /** A - lambda, or (A - re)^2 + im^2 for a pair: a real matrix with the same kernel. */
  static DMatrixRMaj annihilator(DMatrixRMaj a, double re, double im) {
    DMatrixRMaj m = shifted(a, re);
    return im == 0 ? m : shifted(product(m, m), -im * im);
  }

  /** The columns, each an array of its own. */
  static double[][] columns(DMatrixRMaj a) {
    double[][] columns = new double[a.numCols][a.numRows];
    for (int k = 0; k < a.numCols; k++) {
      for (int c = 0; c < a.numRows; c++) {
        columns[k][c] = a.get(c, k);
      }
    }
    return columns;
  }

  /** Power with exponent at least 0. */
  static DMatrixRMaj power(DMatrixRMaj a, int exponent) {
    DMatrixRMaj r = CommonOps_DDRM.identity(a.numRows);
    for (int k = 0; k < exponent; k++) {
      r = product(r, a);
    }
    return r;
  }

  /** Number of singular values at most {@code tolerance}. */
  static int nullity(DMatrixRMaj a, double tolerance) {
    int count = 0;
    for (double sigma : svd(a, false).getSingularValues()) {
      count += sigma <= tolerance ? 1 : 0;
    }
    return count;
  }

  /** Orthonormal columns that span the kernel: right singular vectors of the smallest values. */
  static DMatrixRMaj kernel(DMatrixRMaj a, int dimension) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd = svd(a, true);
    DMatrixRMaj w = svd.getW(null);
    DMatrixRMaj v = svd.getV(null, false);
    SingularOps_DDRM.descendingOrder(null, false, w, v, false);
    return CommonOps_DDRM.extract(v, 0, v.numRows, v.numCols - dimension, v.numCols);
  }

  /** Orthonormal columns that span the range: left singular vectors of the largest values. */
  static DMatrixRMaj range(DMatrixRMaj a, int dimension) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd = svd(a, true);
    DMatrixRMaj w = svd.getW(null);
    DMatrixRMaj u = svd.getU(null, false);
    SingularOps_DDRM.descendingOrder(u, false, w, null, false);
    return CommonOps_DDRM.extract(u, 0, u.numRows, 0, dimension);
  }

  private static SingularValueDecomposition_F64<DMatrixRMaj> svd(DMatrixRMaj a, boolean vectors) {
    SingularValueDecomposition_F64<DMatrixRMaj> svd =
        DecompositionFactory_DDRM.svd(a.numRows, a.numCols, vectors, vectors, false);
    if (!svd.decompose(a.copy())) {
      throw new ArithmeticException(
          "the singular values of a " + a.numRows + " x " + a.numCols + " matrix did not converge");
    }
    return svd;
  }

  /** Smallest eigenvalue of a symmetric matrix. */
  static double smallestEigenvalue(DMatrixRMaj a) {
    EigenDecomposition_F64<DMatrixRMaj> eig = DecompositionFactory_DDRM.eig(a.numRows, false, true);
    if (!eig.decompose(a.copy())) {
      throw new ArithmeticException("the eigenvalues of a symmetric matrix did not converge");
    }
    double smallest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < a.numRows; i++) {
      smallest = Math.min(smallest, eig.getEigenvalue(i).real);
    }
    return smallest;
  }
}
