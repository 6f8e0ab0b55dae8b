package org.starling.core.model;

/**
 * Random square matrices with a leading eigenspace as stated: V = R diag(lambda I_m, W) R^T with R
 * a rotation of uniform law and W = G - c I, where G has independent N(0, 1/(d - m)) entries and c
 * makes the largest &lt;Wz, z&gt;/|z|^2 a given number. So V v = lambda v on L, the image of the
 * first m coordinates, and V maps the orthogonal complement of L into itself.
 */
public final class PrincipalMatrix {
  private PrincipalMatrix() {}

  /**
   * One draw, a function of its arguments only.
   *
   * @param d rows and columns
   * @param m dimension of L, in [1, d]
   * @param lambda eigenvalue on L
   * @param rest largest &lt;Vz, z&gt;/|z|^2 on the complement of L
   * @param head head index, from 0
   * @param layer layer index, from 0
   */
  public static Weight draw(
      int d,
      int m,
      double lambda,
      double rest,
      long seed,
      Philox.Purpose purpose,
      int head,
      int layer) {
    Philox stream = Philox.stream(seed, purpose, head);
    double[][] r = rotation(stream, layer, d);
    double[][] block = new double[d][d];
    for (int i = 0; i < m; i++) {
      block[i][i] = lambda;
    }
    int k = d - m;
    if (k > 0) {
      double[] w = inner(stream, layer, d, k, rest);
      for (int i = 0; i < k; i++) {
        System.arraycopy(w, i * k, block[m + i], m, k);
      }
    }
    double[] v = new double[Math.multiplyExact(d, d)];
    for (int a = 0; a < d; a++) {
      double[] along = new double[d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          along[j] += r[i][a] * block[i][j];
        }
      }
      for (int j = 0; j < d; j++) {
        for (int b = 0; b < d; b++) {
          v[a * d + b] += along[j] * r[j][b];
        }
      }
    }
    return new Weight.Dense(d, d, v);
  }

  /** Orthonormal rows of uniform law: Gram-Schmidt, each row twice, of Gaussian ones. */
  private static double[][] rotation(Philox stream, int layer, int d) {
    double[][] rows = new double[d][d];
    for (int i = 0; i < d; i++) {
      stream.gaussians(layer, i, rows[i], 0, d);
      for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < i; j++) {
          double along = dot(rows[i], rows[j]);
          for (int c = 0; c < d; c++) {
            rows[i][c] -= along * rows[j][c];
          }
        }
      }
      double norm = Math.sqrt(dot(rows[i], rows[i]));
      for (int c = 0; c < d; c++) {
        rows[i][c] /= norm;
      }
    }
    return rows;
  }

  private static double[] inner(Philox stream, int layer, int d, int k, double rest) {
    double[] g = new double[k * k];
    double unit = Ensemble.defaultDeviation(k);
    for (int i = 0; i < k; i++) {
      stream.gaussians(layer, d + i, g, i * k, k);
    }
    double[] symmetric = new double[k * k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        symmetric[i * k + j] = (g[i * k + j] + g[j * k + i]) * unit / 2;
      }
    }
    double largest = Spectrum.of(new Weight.Dense(k, k, symmetric)).largestRealPart();
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        g[i * k + j] = g[i * k + j] * unit - (i == j ? largest - rest : 0);
      }
    }
    return g;
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int c = 0; c < x.length; c++) {
      sum += x[c] * y[c];
    }
    return sum;
  }
}
