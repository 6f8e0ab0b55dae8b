package org.starling.paths.theory;

import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * The smallest curvature of a function at a stationary point: Lanczos' method with products of the
 * Hessian from differences of gradients, complete for few coordinates.
 *
 * @param value the smallest Ritz value; above the smallest eigenvalue, equal where complete
 */
record Curvature(double value, int evaluations) {
  private static final int MOST = 40;
  private static final double STEP = 1e-5;

  static Curvature smallest(Lbfgs.Objective f, double[] x) {
    int n = x.length;
    int steps = Math.min(n, MOST);
    double[][] basis = new double[steps][];
    double[] diagonal = new double[steps];
    double[] beside = new double[steps];
    Random random = new Random(n);
    double[] v = new double[n];
    for (int i = 0; i < n; i++) {
      v[i] = random.nextGaussian();
    }
    int made = 0;
    for (; made < steps; made++) {
      double length = orthogonal(v, basis, made);
      if (length < 1e-9) {
        break;
      }
      for (int i = 0; i < n; i++) {
        v[i] /= length;
      }
      basis[made] = v.clone();
      double[] w = product(f, x, v);
      diagonal[made] = Lbfgs.dot(v, w);
      for (int i = 0; i < n; i++) {
        w[i] -= diagonal[made] * v[i];
        if (made > 0) {
          w[i] -= beside[made - 1] * basis[made - 1][i];
        }
      }
      v = w;
      beside[made] = orthogonal(v, basis, made + 1);
      if (beside[made] < 1e-7 * Math.abs(diagonal[made])) {
        // The subspace is complete; a new direction begins the next one.
        beside[made] = 0;
        for (int i = 0; i < n; i++) {
          v[i] = random.nextGaussian();
        }
      }
    }
    DMatrixRMaj t = new DMatrixRMaj(made, made);
    for (int k = 0; k < made; k++) {
      t.set(k, k, diagonal[k]);
      if (k + 1 < made) {
        t.set(k, k + 1, beside[k]);
        t.set(k + 1, k, beside[k]);
      }
    }
    EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(made, false, true);
    if (!eigen.decompose(t)) {
      throw new ArithmeticException("the eigenvalues of the curvature were not found");
    }
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < made; k++) {
      least = Math.min(least, eigen.getEigenvalue(k).real);
    }
    return new Curvature(least, 2 * made);
  }

  /** Takes what lies in the basis out, twice, and gives the length of the rest. */
  private static double orthogonal(double[] v, double[][] basis, int size) {
    for (int round = 0; round < 2; round++) {
      for (int k = 0; k < size; k++) {
        double along = Lbfgs.dot(v, basis[k]);
        for (int i = 0; i < v.length; i++) {
          v[i] -= along * basis[k][i];
        }
      }
    }
    return Math.sqrt(Lbfgs.dot(v, v));
  }

  private static double[] product(Lbfgs.Objective f, double[] x, double[] v) {
    double[] there = x.clone();
    double[] back = x.clone();
    for (int i = 0; i < x.length; i++) {
      there[i] += STEP * v[i];
      back[i] -= STEP * v[i];
    }
    double[] ahead = new double[x.length];
    double[] behind = new double[x.length];
    f.at(there, ahead);
    f.at(back, behind);
    for (int i = 0; i < x.length; i++) {
      ahead[i] = (ahead[i] - behind[i]) / (2 * STEP);
    }
    return ahead;
  }
}
