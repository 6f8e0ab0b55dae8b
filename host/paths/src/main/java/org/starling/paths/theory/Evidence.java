package org.starling.paths.theory;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.linsol.chol.LinearSolverChol_DDRM;

/**
 * Labels under a centred Gaussian of covariance Gamma = K + T I: E = ln det Gamma + Y^T Gamma^{-1}
 * Y.
 */
final class Evidence {
  private final LinearSolverChol_DDRM solver;
  private final double[] residual;
  private final double energy;

  private Evidence(LinearSolverChol_DDRM solver, double[] residual, double energy) {
    this.solver = solver;
    this.residual = residual;
    this.energy = energy;
  }

  /**
   * @param kernel {@code [P][P]}; left as it is
   * @return null if Gamma is not positive definite
   */
  static Evidence of(double[] kernel, double temperature, double[] labels) {
    int count = labels.length;
    if (count == 0) {
      return new Evidence(null, labels, 0);
    }
    DMatrixRMaj gamma = new DMatrixRMaj(count, count, true, kernel.clone());
    for (int a = 0; a < count; a++) {
      gamma.data[a * count + a] += temperature;
    }
    CholeskyDecompositionInner_DDRM decomposition = new CholeskyDecompositionInner_DDRM(true);
    LinearSolverChol_DDRM solver = new LinearSolverChol_DDRM(decomposition);
    if (!solver.setA(gamma)) {
      return null;
    }
    double logDet = 0;
    for (int a = 0; a < count; a++) {
      logDet += 2 * Math.log(decomposition.getT().get(a, a));
    }
    DMatrixRMaj r = new DMatrixRMaj(count, 1);
    solver.solve(new DMatrixRMaj(count, 1, true, labels.clone()), r);
    double quadratic = 0;
    for (int a = 0; a < count; a++) {
      quadratic += labels[a] * r.data[a];
    }
    double energy = logDet + quadratic;
    return Double.isFinite(energy) ? new Evidence(solver, r.data, energy) : null;
  }

  double energy() {
    return energy;
  }

  /** r = Gamma^{-1} Y. */
  double[] residual() {
    return residual;
  }

  /** Gamma^{-1}, {@code [P][P]}. */
  double[] inverse() {
    int count = residual.length;
    DMatrixRMaj inverse = new DMatrixRMaj(count, count);
    solver.invert(inverse);
    return inverse.data;
  }

  /** M = Gamma^{-1} - r r^T, the derivative of E by Gamma. */
  double[] derivative() {
    int count = residual.length;
    double[] m = count == 0 ? new double[0] : inverse();
    for (int a = 0; a < count; a++) {
      for (int b = 0; b < count; b++) {
        m[a * count + b] -= residual[a] * residual[b];
      }
    }
    return m;
  }

  /** Gamma^{-1} B for {@code B [P][columns]}. */
  double[] solve(double[] b, int columns) {
    int count = residual.length;
    DMatrixRMaj x = new DMatrixRMaj(count, columns);
    solver.solve(new DMatrixRMaj(count, columns, true, b), x);
    return x.data;
  }
}
