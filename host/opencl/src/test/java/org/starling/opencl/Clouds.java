package org.starling.opencl;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Numbers that tests begin with. */
final class Clouds {
  private Clouds() {}

  /** Independent Gaussian numbers of mean 0. */
  static double[] gaussian(int count, double deviation, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] g = new double[count];
    for (int k = 0; k < count; k++) {
      double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
      g[k] = deviation * radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
    return g;
  }

  /** Tokens {@code [count][d]} of Gaussian directions on the unit sphere. */
  static double[] onSphere(int count, int d, long seed) {
    double[] x = gaussian(count * d, 1, seed);
    for (int i = 0; i < count; i++) {
      normalise(x, i * d, d);
    }
    return x;
  }

  /** Puts the token that begins at a place on the unit sphere. */
  static void normalise(double[] x, int at, int d) {
    double square = 0;
    for (int c = 0; c < d; c++) {
      square += x[at + c] * x[at + c];
    }
    for (int c = 0; c < d; c++) {
      x[at + c] /= Math.sqrt(square);
    }
  }

  /** Part r of an array cut into parts of a length. */
  static double[] slice(double[] a, int r, int length) {
    return Arrays.copyOfRange(a, r * length, (r + 1) * length);
  }
}
