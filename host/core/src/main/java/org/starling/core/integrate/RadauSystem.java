package org.starling.core.integrate;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/** Newton's two linear systems of a step of one replica, factorised. */
final class RadauSystem {
  private final int size;
  private final LinearSolverDense<DMatrixRMaj> real;
  private final LinearSolverDense<DMatrixRMaj> pair;
  private final DMatrixRMaj in;
  private final DMatrixRMaj out;
  private final DMatrixRMaj pairIn;
  private final DMatrixRMaj pairOut;

  /**
   * @param jacobian J, {@code [size][size]} row-major
   * @param h step
   */
  RadauSystem(double[] jacobian, int size, double h) {
    this.size = size;
    in = new DMatrixRMaj(size, 1);
    out = new DMatrixRMaj(size, 1);
    pairIn = new DMatrixRMaj(2 * size, 1);
    pairOut = new DMatrixRMaj(2 * size, 1);
    DMatrixRMaj a = new DMatrixRMaj(size, size);
    DMatrixRMaj b = new DMatrixRMaj(2 * size, 2 * size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double one = -jacobian[i * size + j];
        double diagonal = i == j ? 1 : 0;
        a.set(i, j, one + diagonal * RadauScheme.GAMMA / h);
        b.set(i, j, one + diagonal * RadauScheme.ALPHA / h);
        b.set(size + i, size + j, one + diagonal * RadauScheme.ALPHA / h);
      }
      b.set(i, size + i, -RadauScheme.BETA / h);
      b.set(size + i, i, RadauScheme.BETA / h);
    }
    real = LinearSolverFactory_DDRM.lu(size);
    pair = LinearSolverFactory_DDRM.lu(2 * size);
    // A matrix that is singular, or not finite, gives solutions that are not: the step is refused.
    real.setA(a);
    pair.setA(b);
  }

  /** Solves (gamma / h - J) y = r in place. */
  void solve(double[] r) {
    System.arraycopy(r, 0, in.data, 0, size);
    real.solve(in, out);
    System.arraycopy(out.data, 0, r, 0, size);
  }

  /** Solves ((alpha + i beta) / h - J) (u + i v) = r + i s in place. */
  void solve(double[] r, double[] s) {
    System.arraycopy(r, 0, pairIn.data, 0, size);
    System.arraycopy(s, 0, pairIn.data, size, size);
    pair.solve(pairIn, pairOut);
    System.arraycopy(pairOut.data, 0, r, 0, size);
    System.arraycopy(pairOut.data, size, s, 0, size);
  }
}
