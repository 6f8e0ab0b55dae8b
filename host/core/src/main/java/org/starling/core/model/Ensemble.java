package org.starling.core.model;

/**
 * Random square matrices. Scalings keep the spectral radius of order 1 as d grows: Gaussian with
 * the default deviation has its eigenvalues in the unit disc (circular law), Wigner and GOE in [-2,
 * 2] (semicircle law).
 */
public enum Ensemble {
  /** Independent entries N(0, std^2); std = 1/sqrt(d) unless given. */
  GAUSSIAN,
  /** Symmetric; all entries on and above the diagonal independent N(0, 1/d). */
  WIGNER,
  /**
   * Symmetric, (G + G^T)/sqrt(2d) with G of independent N(0, 1) entries: variance 1/d off the
   * diagonal and 2/d on it, the orthogonally invariant choice.
   */
  GOE;

  /** Deviation of Gaussian entries unless given: 1/sqrt(d). */
  public static double defaultDeviation(int d) {
    return 1 / Math.sqrt(d);
  }

  /**
   * One draw, a function of its arguments only.
   *
   * @param d rows and columns
   * @param std deviation of the entries of {@link #GAUSSIAN}; the other two have their own
   * @param head head index, from 0
   * @param layer layer index, from 0
   */
  public Weight draw(int d, double std, long seed, Philox.Purpose purpose, int head, int layer) {
    Philox stream = Philox.stream(seed, purpose, head);
    double[] g = new double[Math.multiplyExact(d, d)];
    for (int i = 0; i < d; i++) {
      stream.gaussians(layer, i, g, i * d, d);
    }
    double unit = defaultDeviation(d);
    switch (this) {
      case GAUSSIAN -> {
        for (int i = 0; i < g.length; i++) {
          g[i] *= std;
        }
      }
      case WIGNER -> {
        for (int i = 0; i < d; i++) {
          for (int j = i; j < d; j++) {
            double entry = g[i * d + j] * unit;
            g[i * d + j] = entry;
            g[j * d + i] = entry;
          }
        }
      }
      case GOE -> {
        double scale = unit * Math.sqrt(0.5);
        for (int i = 0; i < d; i++) {
          for (int j = i; j < d; j++) {
            double entry = (g[i * d + j] + g[j * d + i]) * scale;
            g[i * d + j] = entry;
            g[j * d + i] = entry;
          }
        }
      }
    }
    return new Weight.Dense(d, d, g);
  }
}
