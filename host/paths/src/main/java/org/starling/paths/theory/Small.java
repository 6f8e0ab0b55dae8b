package org.starling.paths.theory;

/** Row-major matrices of a few paths. */
final class Small {
  private Small() {}

  static double[] identity(int n, double value) {
    double[] u = new double[n * n];
    for (int k = 0; k < n; k++) {
      u[k * n + k] = value;
    }
    return u;
  }

  /** R R^T of a lower triangular R. */
  static double[] gram(double[] r, int n) {
    double[] u = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k <= j; k++) {
          sum += r[i * n + k] * r[j * n + k];
        }
        u[i * n + j] = sum;
        u[j * n + i] = sum;
      }
    }
    return u;
  }

  /**
   * Lower triangular R with R R^T = U.
   *
   * @return null if U is not positive definite
   */
  static double[] cholesky(double[] u, int n) {
    double[] r = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = u[i * n + j];
        for (int k = 0; k < j; k++) {
          sum -= r[i * n + k] * r[j * n + k];
        }
        if (i == j) {
          if (!(sum > 0) || Double.isInfinite(sum)) {
            return null;
          }
          r[i * n + i] = Math.sqrt(sum);
        } else {
          r[i * n + j] = sum / r[j * n + j];
        }
      }
    }
    return r;
  }

  /** U^{-1} from its lower triangular root. */
  static double[] inverse(double[] r, int n) {
    double[] s = new double[n * n];
    for (int c = 0; c < n; c++) {
      for (int i = c; i < n; i++) {
        double sum = i == c ? 1 : 0;
        for (int k = c; k < i; k++) {
          sum -= r[i * n + k] * s[k * n + c];
        }
        s[i * n + c] = sum / r[i * n + i];
      }
    }
    double[] inverse = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = i; k < n; k++) {
          sum += s[k * n + i] * s[k * n + j];
        }
        inverse[i * n + j] = sum;
        inverse[j * n + i] = sum;
      }
    }
    return inverse;
  }

  static double[] product(double[] a, double[] b, int n) {
    double[] c = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        double e = a[i * n + k];
        for (int j = 0; j < n; j++) {
          c[i * n + j] += e * b[k * n + j];
        }
      }
    }
    return c;
  }

  static double trace(double[] u, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += u[k * n + k];
    }
    return sum;
  }

  /** {@code sum_ij a_ij b_ij}. */
  static double inner(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }

  /** Sum of the diagonal blocks of size m of a matrix of size heads * m. */
  static double[] partialTrace(double[] u, int heads, int m) {
    int n = heads * m;
    double[] sum = new double[m * m];
    for (int h = 0; h < heads; h++) {
      for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
          sum[i * m + j] += u[(h * m + i) * n + h * m + j];
        }
      }
    }
    return sum;
  }
}
