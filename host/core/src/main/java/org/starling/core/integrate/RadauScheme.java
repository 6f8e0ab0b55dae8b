package org.starling.core.integrate;

/**
 * The Radau IIA method of three stages, order 5, stiffly accurate and L-stable (Hairer and Wanner,
 * Solving Ordinary Differential Equations II, sections IV.5 and IV.8). Everything is computed here
 * from the nodes: A from the collocation conditions, and the real basis in which A^{-1} is the
 * number gamma and the block of the pair alpha + i beta, so that Newton's systems fall apart.
 */
final class RadauScheme {
  static final int STAGES = 3;

  private static final double ROOT = Math.sqrt(6);

  /** Nodes. */
  static final double[] C = {(4 - ROOT) / 10, (4 + ROOT) / 10, 1};

  /** Weights of the stage differences in the estimate of the error, over h. */
  static final double[] ERROR = {(-13 - 7 * ROOT) / 3, (-13 + 7 * ROOT) / 3, -1.0 / 3};

  private static final double THIRD = Math.cbrt(3);

  /** The real eigenvalue of A^{-1}. */
  static final double GAMMA = 3 + THIRD * THIRD - THIRD;

  /** Real part of the others. */
  static final double ALPHA = 3 + (THIRD - THIRD * THIRD) / 2;

  /** Imaginary part of one of them. */
  static final double BETA = (Math.pow(3, 5.0 / 6) + Math.pow(3, 7.0 / 6)) / 2;

  /**
   * Columns t_0, t_1, t_2 with A^{-1} t_0 = gamma t_0, A^{-1} t_1 = alpha t_1 + beta t_2, A^{-1}
   * t_2 = alpha t_2 - beta t_1.
   */
  static final double[][] T;

  /** The inverse of T. */
  static final double[][] T_INVERSE;

  static {
    double[][] inverse = inverse(weights());
    double[][] real = {null, null, null};
    double[] t0 = cross(inverse, GAMMA, 0)[0];
    double[][] v = cross(inverse, ALPHA, BETA);
    for (int i = 0; i < STAGES; i++) {
      real[i] = new double[] {t0[i] / t0[2], v[0][i], -v[1][i]};
    }
    T = real;
    T_INVERSE = inverse(real);
  }

  private RadauScheme() {}

  /** A: row i integrates the polynomials through the nodes from 0 to C[i]. */
  private static double[][] weights() {
    double[][] a = new double[STAGES][STAGES];
    double[][] powers = new double[STAGES][STAGES];
    for (int i = 0; i < STAGES; i++) {
      for (int k = 0; k < STAGES; k++) {
        powers[i][k] = Math.pow(C[i], k);
      }
    }
    double[][] lagrange = inverse(powers);
    for (int i = 0; i < STAGES; i++) {
      for (int j = 0; j < STAGES; j++) {
        for (int k = 0; k < STAGES; k++) {
          a[i][j] += Math.pow(C[i], k + 1) / (k + 1) * lagrange[k][j];
        }
      }
    }
    return a;
  }

  /** A vector in the kernel of m - (re + i im): real part, imaginary part. */
  private static double[][] cross(double[][] m, double re, double im) {
    double[][] kernel = new double[2][STAGES];
    for (int c = 0; c < STAGES; c++) {
      int p = (c + 1) % STAGES;
      int q = (c + 2) % STAGES;
      double ap = m[0][p] - (p == 0 ? re : 0);
      double aq = m[0][q] - (q == 0 ? re : 0);
      double bp = m[1][p] - (p == 1 ? re : 0);
      double bq = m[1][q] - (q == 1 ? re : 0);
      double apIm = p == 0 ? -im : 0;
      double aqIm = q == 0 ? -im : 0;
      double bpIm = p == 1 ? -im : 0;
      double bqIm = q == 1 ? -im : 0;
      kernel[0][c] = ap * bq - apIm * bqIm - (aq * bp - aqIm * bpIm);
      kernel[1][c] = ap * bqIm + apIm * bq - (aq * bpIm + aqIm * bp);
    }
    return kernel;
  }

  private static double[][] inverse(double[][] m) {
    double[][] inverse = new double[STAGES][STAGES];
    double determinant = 0;
    for (int c = 0; c < STAGES; c++) {
      determinant += m[0][c] * cofactor(m, 0, c);
    }
    for (int i = 0; i < STAGES; i++) {
      for (int j = 0; j < STAGES; j++) {
        inverse[j][i] = cofactor(m, i, j) / determinant;
      }
    }
    return inverse;
  }

  private static double cofactor(double[][] m, int i, int j) {
    int r = (i + 1) % STAGES;
    int s = (i + 2) % STAGES;
    int p = (j + 1) % STAGES;
    int q = (j + 2) % STAGES;
    return m[r][p] * m[s][q] - m[r][q] * m[s][p];
  }

  /**
   * Weights of the stage differences in the collocation polynomial at theta steps from the start; 0
   * at theta = 0, and the last difference alone at theta = 1.
   */
  static double[] dense(double theta) {
    double[] w = new double[STAGES];
    for (int i = 0; i < STAGES; i++) {
      w[i] = theta / C[i];
      for (int j = 0; j < STAGES; j++) {
        w[i] *= i == j ? 1 : (theta - C[j]) / (C[i] - C[j]);
      }
    }
    return w;
  }
}
