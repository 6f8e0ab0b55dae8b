package org.starling.contract;

import java.util.Random;

/** Token positions {@code [n][d]} for tests, from a seed. */
final class Tokens {
  /** Number of clusters in clustered states. */
  private static final int CENTRES = 4;

  private Tokens() {}

  /** Uniform on the unit sphere. */
  static double[] sphere(int n, int d, long seed) {
    return normalised(gaussian(n, d, seed), n, d);
  }

  /** Standard normal coordinates. */
  static double[] gaussian(int n, int d, long seed) {
    Random random = new Random(seed);
    double[] x = new double[n * d];
    for (int a = 0; a < x.length; a++) {
      x[a] = random.nextGaussian();
    }
    return x;
  }

  /** On the sphere, around four random centres, at distances of about {@code spread} from them. */
  static double[] clustered(int n, int d, double spread, long seed) {
    double[] centres = sphere(CENTRES, d, seed);
    double[] x = gaussian(n, d, seed + 1);
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) {
        x[i * d + a] = centres[i % CENTRES * d + a] + spread / Math.sqrt(d) * x[i * d + a];
      }
    }
    return normalised(x, n, d);
  }

  private static double[] normalised(double[] x, int n, int d) {
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int a = 0; a < d; a++) {
        sum += x[i * d + a] * x[i * d + a];
      }
      for (int a = 0; a < d; a++) {
        x[i * d + a] /= Math.sqrt(sum);
      }
    }
    return x;
  }

  /** A random rotation (or reflection) of R^d, {@code [d][d]}, by Gram-Schmidt done twice. */
  static double[] orthogonal(int d, long seed) {
    double[] q = gaussian(d, d, seed);
    for (int i = 0; i < d; i++) {
      for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < i; k++) {
          double dot = 0;
          for (int a = 0; a < d; a++) {
            dot += q[i * d + a] * q[k * d + a];
          }
          for (int a = 0; a < d; a++) {
            q[i * d + a] -= dot * q[k * d + a];
          }
        }
      }
      double sum = 0;
      for (int a = 0; a < d; a++) {
        sum += q[i * d + a] * q[i * d + a];
      }
      for (int a = 0; a < d; a++) {
        q[i * d + a] /= Math.sqrt(sum);
      }
    }
    return q;
  }
}
