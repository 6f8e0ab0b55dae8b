package org.starling.analysis.spectrum;

import java.util.ArrayList;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.starling.core.model.Weight;

/**
 * Coordinates in which z' = V z comes apart: for a real eigenvalue the left eigenvectors phi, for a
 * complex pair a +- ib two rows p, q with V^T p = a p + b q and V^T q = a q - b p, so that (p.z,
 * q.z) is turned by -b and stretched by a.
 *
 * @param rows one row {@code [d]} a coordinate
 */
public record LeftCoordinates(Eigenvalue eigenvalue, double[][] rows) {

  /**
   * One for each eigenvalue or pair, by falling real part.
   *
   * @throws IllegalArgumentException if a complex pair is not simple
   */
  public static List<LeftCoordinates> of(Weight v) {
    List<LeftCoordinates> all = new ArrayList<>();
    DMatrixRMaj t = CommonOps_DDRM.transpose(Matrices.of(v), null);
    for (Eigenvalue e : ValueSpectrum.of(v).values()) {
      all.add(new LeftCoordinates(e, e.real() ? real(t, e) : pair(t, e)));
    }
    return all;
  }

  private static double[][] real(DMatrixRMaj t, Eigenvalue e) {
    DMatrixRMaj m = Matrices.shifted(t, e.re());
    return Matrices.columns(Matrices.kernel(Matrices.power(m, e.largestBlock()), e.multiplicity()));
  }

  private static double[][] pair(DMatrixRMaj t, Eigenvalue e) {
    if (e.multiplicity() > 1) {
      throw new IllegalArgumentException("the complex pair " + e + " is not simple");
    }
    DMatrixRMaj m = Matrices.shifted(t, e.re());
    double[] p = Matrices.columns(Matrices.kernel(Matrices.annihilator(t, e.re(), e.im()), 2))[0];
    double[] q = new double[p.length];
    for (int i = 0; i < q.length; i++) {
      for (int j = 0; j < q.length; j++) {
        q[i] += m.get(i, j) * p[j] / e.im();
      }
    }
    return new double[][] {p, q};
  }

  /**
   * The coordinates of a token, a number a row.
   *
   * @param x positions {@code [n][d]} row-major
   */
  public double[] of(double[] x, int token) {
    double[] u = new double[rows.length];
    for (int a = 0; a < u.length; a++) {
      for (int c = 0; c < rows[a].length; c++) {
        u[a] += rows[a][c] * x[token * rows[a].length + c];
      }
    }
    return u;
  }
}
