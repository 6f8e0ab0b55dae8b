package org.starling.analysis.spectrum;

import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.starling.core.model.Weight;

/**
 * The hypotheses on (Q, K, V) of the theorems of the emergence paper about tokens in R^d
 * (science/emergence.md T2 to T4), measured.
 *
 * @param top eigenvalue of V of largest modulus
 * @param gap (|lambda_1| - |lambda_2|)/|lambda_1|; 1 where there is no other eigenvalue
 * @param form &lt;Q phi_1, K phi_1&gt; for the unit right eigenvector; NaN where it is not single
 * @param smallestForm smallest eigenvalue of the symmetric part of B = Q^T K
 * @param symmetric whether B is symmetric up to 1e-12 of its norm
 */
public record GoodTriple(
    Eigenvalue top, double gap, double form, double smallestForm, boolean symmetric) {
  private static final double SMALLEST_GAP = 1e-6;
  private static final double SYMMETRY = 1e-12;

  /**
   * @param b merged score matrix B = Q^T K, {@code [d][d]}
   */
  public static GoodTriple of(ValueSpectrum v, Weight b) {
    List<Eigenvalue> order = v.byModulus();
    Eigenvalue top = order.get(0);
    double gap = order.size() == 1 ? 1 : (top.modulus() - order.get(1).modulus()) / top.modulus();
    double form = Double.NaN;
    DMatrixRMaj m = Matrices.of(b);
    if (top.simpleReal()) {
      double[] phi = v.rightEigenvector(top);
      form = 0;
      for (int r = 0; r < phi.length; r++) {
        for (int c = 0; c < phi.length; c++) {
          form += phi[r] * m.get(r, c) * phi[c];
        }
      }
    }
    DMatrixRMaj t = CommonOps_DDRM.transpose(m, null);
    DMatrixRMaj odd = m.copy();
    CommonOps_DDRM.subtractEquals(odd, t);
    boolean symmetric = Matrices.norm(odd) <= SYMMETRY * Matrices.norm(m);
    CommonOps_DDRM.addEquals(t, m);
    CommonOps_DDRM.scale(0.5, t);
    return new GoodTriple(top, gap, form, Matrices.smallestEigenvalue(t), symmetric);
  }

  /** The eigenvalue of largest modulus is real, positive and simple, and strictly the largest. */
  public boolean simpleTop() {
    return top.simpleReal() && top.re() > 0 && gap > SMALLEST_GAP;
  }

  /** A good triple: {@link #simpleTop} and &lt;Q phi_1, K phi_1&gt; &gt; 0. */
  public boolean good() {
    return simpleTop() && form > 0;
  }

  /**
   * V is paranormal: lambda I on an invariant F, and of smaller modulus on an invariant complement
   * G (lambda &gt; 0); F may be all.
   */
  public boolean paranormal() {
    return top.real() && top.re() > 0 && top.semisimple() && gap > SMALLEST_GAP;
  }

  /** B is symmetric positive definite. */
  public boolean positiveDefinite() {
    return symmetric && smallestForm > 0;
  }
}
