package org.starling.core.model;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * e^{tA} in float64 by scaling and squaring with the [13/13] Pade approximant (Higham 2005, The
 * scaling and squaring method for the matrix exponential revisited, Table 2.3 and Algorithm 2.3).
 */
final class MatrixExponential {
  /** Largest 1-norm for which the [13/13] approximant is accurate to unit roundoff. */
  private static final double THETA_13 = 5.371920351148152;

  private static final double[] B = {
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0,
    1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0
  };

  private MatrixExponential() {}

  /** e^{tA}; scalar and diagonal matrices stay so. */
  static Weight of(Weight a, double t) {
    if (t == 0) {
      return Weight.identity(a.rows());
    }
    if (a instanceof Weight.Scalar s) {
      return Weight.scalar(s.d(), Math.exp(t * s.c()));
    }
    if (a instanceof Weight.Diagonal g) {
      double[] e = g.entries().clone();
      for (int i = 0; i < e.length; i++) {
        e[i] = Math.exp(t * e[i]);
      }
      return Weight.diagonal(e);
    }
    int d = a.rows();
    DMatrixRMaj m = new DMatrixRMaj(d, d, true, a.scaled(t).dense());
    return Weight.dense(d, d, exp(m).data);
  }

  private static DMatrixRMaj exp(DMatrixRMaj a) {
    int d = a.numRows;
    double norm = oneNorm(a);
    int squarings = 0;
    if (norm > THETA_13) {
      squarings = Math.max(0, (int) Math.ceil(Math.log(norm / THETA_13) / Math.log(2)));
      CommonOps_DDRM.scale(Math.scalb(1.0, -squarings), a);
    }
    DMatrixRMaj a2 = mult(a, a);
    DMatrixRMaj a4 = mult(a2, a2);
    DMatrixRMaj a6 = mult(a2, a4);
    DMatrixRMaj inner = combination(a6, B[13], a4, B[11], a2, B[9]);
    DMatrixRMaj odd = mult(a6, inner);
    addTo(odd, a6, B[7], a4, B[5], a2, B[3]);
    addIdentity(odd, B[1]);
    DMatrixRMaj u = mult(a, odd);
    DMatrixRMaj even = mult(a6, combination(a6, B[12], a4, B[10], a2, B[8]));
    addTo(even, a6, B[6], a4, B[4], a2, B[2]);
    addIdentity(even, B[0]);
    DMatrixRMaj numerator = new DMatrixRMaj(d, d);
    DMatrixRMaj denominator = new DMatrixRMaj(d, d);
    CommonOps_DDRM.add(even, u, numerator);
    CommonOps_DDRM.subtract(even, u, denominator);
    DMatrixRMaj r = new DMatrixRMaj(d, d);
    if (!CommonOps_DDRM.solve(denominator, numerator, r)) {
      throw new ArithmeticException("matrix exponential: the Pade denominator is singular");
    }
    for (int s = 0; s < squarings; s++) {
      r = mult(r, r);
    }
    return r;
  }

  private static double oneNorm(DMatrixRMaj a) {
    double best = 0;
    for (int j = 0; j < a.numCols; j++) {
      double sum = 0;
      for (int i = 0; i < a.numRows; i++) {
        sum += Math.abs(a.get(i, j));
      }
      best = Math.max(best, sum);
    }
    return best;
  }

  private static DMatrixRMaj mult(DMatrixRMaj a, DMatrixRMaj b) {
    DMatrixRMaj c = new DMatrixRMaj(a.numRows, b.numCols);
    CommonOps_DDRM.mult(a, b, c);
    return c;
  }

  private static DMatrixRMaj combination(
      DMatrixRMaj x, double a, DMatrixRMaj y, double b, DMatrixRMaj z, double c) {
    DMatrixRMaj out = new DMatrixRMaj(x.numRows, x.numCols);
    addTo(out, x, a, y, b, z, c);
    return out;
  }

  private static void addTo(
      DMatrixRMaj out, DMatrixRMaj x, double a, DMatrixRMaj y, double b, DMatrixRMaj z, double c) {
    CommonOps_DDRM.addEquals(out, a, x);
    CommonOps_DDRM.addEquals(out, b, y);
    CommonOps_DDRM.addEquals(out, c, z);
  }

  private static void addIdentity(DMatrixRMaj out, double c) {
    for (int i = 0; i < out.numRows; i++) {
      out.add(i, i, c);
    }
  }
}
