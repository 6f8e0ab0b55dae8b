package org.starling.cpu.fast;

/**
 * Loops over the rows of a strip in float64, each small enough to become vectors whole; in JDK 17
 * larger ones do not.
 */
final class PlainLoopsDouble {
  private PlainLoopsDouble() {}

  /** out[r] += a in[r]. */
  static void add(double[] out, double a, double[] in, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] = Math.fma(a, in[r], out[r]);
    }
  }

  /** out[r] += (a - x[r]) in[r]. */
  static void addRelative(double[] out, double a, double[] x, double[] in, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] = Math.fma(a - x[r], in[r], out[r]);
    }
  }

  /**
   * out[m + i][r] += a_i0 in0[r] + a_i1 in1[r] for i &lt; 4, where a_ij is at {@code at + i down +
   * j across}.
   */
  static void add(
      double[][] out,
      int m,
      double[] a,
      int at,
      int down,
      int across,
      double[] in0,
      double[] in1,
      int from,
      int to) {
    add(
        out[m],
        out[m + 1],
        out[m + 2],
        out[m + 3],
        in0,
        in1,
        a[at],
        a[at + across],
        a[at + down],
        a[at + down + across],
        a[at + 2 * down],
        a[at + 2 * down + across],
        a[at + 3 * down],
        a[at + 3 * down + across],
        from,
        to);
  }

  private static void add(
      double[] out0,
      double[] out1,
      double[] out2,
      double[] out3,
      double[] in0,
      double[] in1,
      double a00,
      double a01,
      double a10,
      double a11,
      double a20,
      double a21,
      double a30,
      double a31,
      int from,
      int to) {
    for (int r = from; r < to; r++) {
      double u = in0[r];
      double v = in1[r];
      out0[r] = Math.fma(a01, v, Math.fma(a00, u, out0[r]));
      out1[r] = Math.fma(a11, v, Math.fma(a10, u, out1[r]));
      out2[r] = Math.fma(a21, v, Math.fma(a20, u, out2[r]));
      out3[r] = Math.fma(a31, v, Math.fma(a30, u, out3[r]));
    }
  }

  /** max[r] is raised to s[r]. */
  static void raise(double[] max, double[] s, int from, int to) {
    for (int r = from; r < to; r++) {
      max[r] = Math.max(max[r], s[r]);
    }
  }

  /** out[r] *= factor[r]. */
  static void multiply(double[] out, double[] factor, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] *= factor[r];
    }
  }
}
