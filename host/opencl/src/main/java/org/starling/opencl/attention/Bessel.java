package org.starling.opencl.attention;

/** Modified Bessel functions of integer order, and spherical ones. */
final class Bessel {
  private Bessel() {}

  /**
   * I_k(b) e^{-b} for k = 0 .. count - 1, each within about 2 k + 4 units of 2^-53. The ratios I_k
   * / I_{k-1} = 1 / (2k/b + I_{k+1} / I_k) are computed downwards, where errors die out, from a
   * frequency at which nothing is left, beginning with Amos's bound of the ratio (Amos 1974); I_0
   * follows from I_0 + 2 (I_1 + I_2 + ..) = e^b.
   *
   * @param b &gt;= 0
   */
  static double[] scaled(double b, int count) {
    double[] values = new double[count];
    int top = Math.max(count, (int) (10 * Math.sqrt(b)) + 50);
    double[] ratio = new double[top + 1];
    double next = b / (top + 0.5 + Math.sqrt(b * b + (top + 1.5) * (top + 1.5)));
    for (int k = top; k > 0; k--) {
      next = b / (2 * k + b * next);
      ratio[k] = next;
    }
    double sum = 0;
    for (int k = top; k > 0; k--) {
      sum = ratio[k] * (1 + sum);
    }
    values[0] = 1 / (1 + 2 * sum);
    for (int k = 1; k < count; k++) {
      values[k] = ratio[k] * values[k - 1];
    }
    return values;
  }

  /**
   * Spherical functions i_l(b) e^{-b} = sqrt(pi / 2b) I_{l+1/2}(b) e^{-b} for l = 0 .. count - 1,
   * each within about 2 l + 4 units of 2^-53: ratios i_l / i_{l-1} = b / (2l + 1 + b i_{l+1} / i_l)
   * downwards as above, and i_0 = sinh(b) / b.
   *
   * @param b &gt;= 0
   */
  static double[] sphericalScaled(double b, int count) {
    double[] values = new double[count];
    int top = Math.max(count, (int) (10 * Math.sqrt(b)) + 50);
    double[] ratio = new double[top + 1];
    double next = b / (top + 1 + Math.sqrt(b * b + (top + 2.0) * (top + 2.0)));
    for (int l = top; l > 0; l--) {
      next = b / (2 * l + 1 + b * next);
      ratio[l] = next;
    }
    values[0] = b == 0 ? 1 : -Math.expm1(-2 * b) / (2 * b);
    for (int l = 1; l < count; l++) {
      values[l] = ratio[l] * values[l - 1];
    }
    return values;
  }
}
