package org.starling.core.engine;

/**
 * How an engine keeps the copy of the positions that serves as keys and values. States, queries,
 * arithmetic and results have the working precision whatever it is.
 */
public enum Storage {
  /** In the working precision. */
  FULL,
  /**
   * Rounded to numbers of 16 bits ({@link Half}), at half the memory. A row's own token is not
   * rounded: what is computed are the dynamics with y_j, x_j rounded, in place of the keys and
   * values x_j of the others, j != i, and their sums are those of w_ij (y_j - x_i).
   */
  HALF;

  /**
   * Keys and values as they are kept.
   *
   * @param x positions, any layout; not changed
   * @return {@code x} itself where nothing is rounded
   */
  public double[] kept(double[] x) {
    if (this == FULL) {
      return x;
    }
    double[] y = new double[x.length];
    for (int k = 0; k < y.length; k++) {
      y[k] = Half.round(x[k]);
    }
    return y;
  }
}
