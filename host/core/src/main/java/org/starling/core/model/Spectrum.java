package org.starling.core.model;

import org.ejml.data.Complex_F64;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Eigenvalues of a square matrix, in no particular order.
 *
 * @param re real parts
 * @param im imaginary parts
 */
public record Spectrum(double[] re, double[] im) {

  /**
   * The spectrum of {@code a} in float64.
   *
   * @throws ArithmeticException if the eigenvalue iteration does not converge
   */
  public static Spectrum of(Weight a) {
    int d = a.rows();
    if (a instanceof Weight.Scalar s) {
      double[] re = new double[d];
      java.util.Arrays.fill(re, s.c());
      return new Spectrum(re, new double[d]);
    }
    if (a instanceof Weight.Diagonal g) {
      return new Spectrum(g.entries().clone(), new double[d]);
    }
    DMatrixRMaj m = new DMatrixRMaj(d, d, true, a.dense());
    EigenDecomposition_F64<DMatrixRMaj> eig =
        DecompositionFactory_DDRM.eig(d, false, MatrixFeatures_DDRM.isSymmetric(m, 0));
    if (!eig.decompose(m)) {
      throw new ArithmeticException(
          "the eigenvalues of a " + d + " x " + d + " matrix did not converge");
    }
    double[] re = new double[d];
    double[] im = new double[d];
    for (int i = 0; i < d; i++) {
      Complex_F64 lambda = eig.getEigenvalue(i);
      re[i] = lambda.real;
      im[i] = lambda.imaginary;
    }
    return new Spectrum(re, im);
  }

  /** Largest real part: the growth rate of e^{tA}. */
  public double largestRealPart() {
    double best = Double.NEGATIVE_INFINITY;
    for (double v : re) {
      best = Math.max(best, v);
    }
    return best;
  }

  /** Smallest real part: minus the growth rate of e^{-tA}. */
  public double smallestRealPart() {
    double best = Double.POSITIVE_INFINITY;
    for (double v : re) {
      best = Math.min(best, v);
    }
    return best;
  }
}
