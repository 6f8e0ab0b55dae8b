package org.starling.core.engine;

import java.util.List;
import org.starling.core.model.Layer;

/**
 * The definition, as the verifier and the in-run check consult it: velocities of chosen rows in
 * float64, and the yardstick they are owed. Implemented by the reference engine.
 */
public interface Judge {
  /**
   * Float64 velocities by definition.
   *
   * @param x positions {@code [n][d]}
   * @param rows tokens asked for
   */
  default Rows velocity(double[] x, int n, int d, Layer layer, int[] rows) {
    return velocity(x, x, n, d, layer, rows);
  }

  /**
   * The same with the keys and values of the other tokens elsewhere: s_ij = beta &lt;x_i, S y_j&gt;
   * and sums of w_ij (y_j - x_i) over j != i; a row's own token stays where it is.
   *
   * @param keys y, {@code [n][d]}; tokens merged as keys stand where their leader's y is
   */
  Rows velocity(double[] x, double[] keys, int n, int d, Layer layer, int[] rows);

  /**
   * The same rows by straightforward split-sum float32 code (softmax over j != i, sum, self term
   * apart, project), on positions rounded to float32; in several orders of summation, each {@code
   * [rows][d]}, since any one may be lucky.
   */
  default List<double[][]> yardstick(double[] x, int n, int d, Layer layer, int[] rows) {
    return yardstick(x, x, n, d, layer, rows);
  }

  /**
   * The same with keys and values elsewhere, as in {@link #velocity(double[], double[], int, int,
   * Layer, int[])}.
   */
  List<double[][]> yardstick(double[] x, double[] keys, int n, int d, Layer layer, int[] rows);

  /**
   * @param v velocities {@code [rows][d]}
   * @param logSpeed ln |v| computed beside v, exact where v itself underflows; -infinity for a
   *     speed that is exactly 0
   * @param offWeight sum over heads of 1 - w_ii (of sum_{j != i} w_ij when unnormalised)
   * @param selfWeight sum of W_i = sum_j w_ij over the heads whose self term P(V x_i) is projected:
   *     on the sphere those with V other than c I, else 0
   * @param weightNorm largest |V| over heads (max absolute row-sum norm), for the cap 4 * 2^-24 (1
   *     - w_ii + W_i) |V|
   * @param scoreMargin hardmax only: smallest gap over heads between the best and the second score,
   *     divided by the magnitude of the terms the scores are sums of (infinite otherwise); rows
   *     within rounding of a tie are not comparable
   */
  record Rows(
      double[][] v,
      double[] logSpeed,
      double[] offWeight,
      double[] selfWeight,
      double weightNorm,
      double[] scoreMargin) {}
}
