package org.starling.core.experiment;

import org.starling.core.experiment.TokensSpec.Init;
import org.starling.core.model.Philox;
import org.starling.core.model.Philox.Purpose;

/**
 * Draws initial positions. A random token depends on the seed, its replica and its index only, so
 * that more tokens leave the first ones where they are.
 */
final class InitialTokens {
  private InitialTokens() {}

  /** Positions of one replica, {@code [n][d]} from {@code at} on. */
  static void draw(Init init, long seed, int replica, int n, int d, double[] x, int at) {
    Philox stream = Philox.stream(seed, Purpose.TOKENS, replica);
    for (int i = 0; i < n; i++) {
      int row = at + i * d;
      if (init instanceof Init.UniformSphere) {
        stream.gaussians(0, i, x, row, d);
        normalise(x, row, d);
      } else if (init instanceof Init.Gaussian g) {
        stream.gaussians(0, i, x, row, d);
        for (int c = 0; c < d; c++) {
          x[row + c] *= g.std();
        }
      } else if (init instanceof Init.UniformCube cube) {
        for (int c = 0; c < d; c++) {
          x[row + c] = cube.a() * (2 * stream.uniform(0, i, c) - 1);
        }
      } else if (init instanceof Init.Orthonormal) {
        x[row + i] = 1;
      } else if (init instanceof Init.Equiangular e) {
        equiangular(e.rho(), i, x, row);
        normalise(x, row, d);
      } else if (init instanceof Init.Points p) {
        for (int c = 0; c < d; c++) {
          x[row + c] = p.rows().get(i).get(c);
        }
      } else if (init instanceof Init.Angles a) {
        x[row] = Math.cos(a.angles().get(i));
        x[row + 1] = Math.sin(a.angles().get(i));
      } else {
        throw new IllegalArgumentException("not drawn: " + init);
      }
    }
  }

  /**
   * Row i of the Cholesky factor L of (1 - rho) I + rho J. With s_c = c rho^2 / (1 + (c-1) rho),
   * the sum of squares of the first c entries shared by all later rows: L_cc^2 = 1 - s_c = (1 -
   * rho)(1 + c rho)/(1 + (c-1) rho) and L_ic = (rho - s_c)/L_cc = rho (1 - rho)/((1 + (c-1) rho)
   * L_cc).
   */
  private static void equiangular(double rho, int i, double[] x, int row) {
    for (int c = 0; c <= i; c++) {
      double before = 1 + (c - 1) * rho;
      // 1 + c rho is 0 at rho = -1/c up to rounding, the last corner of a simplex.
      double pivot = c == 0 ? 1 : Math.sqrt((1 - rho) * Math.max(0, 1 + c * rho) / before);
      x[row + c] = c == i ? pivot : c == 0 ? rho : rho * (1 - rho) / (before * pivot);
    }
  }

  /** Divides by the Euclidean norm, which must not be 0. */
  static void normalise(double[] x, int row, int d) {
    double norm = norm(x, row, d);
    for (int c = 0; c < d; c++) {
      x[row + c] /= norm;
    }
  }

  static double norm(double[] x, int row, int d) {
    double square = 0;
    for (int c = 0; c < d; c++) {
      square += x[row + c] * x[row + c];
    }
    return Math.sqrt(square);
  }
}
