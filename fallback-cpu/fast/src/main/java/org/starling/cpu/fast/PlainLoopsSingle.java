package org.starling.cpu.fast;

/**
 * Loops over the rows of a strip in float32, each small enough to become vectors whole; in JDK 17
 * larger ones do not.
 */
final class PlainLoopsSingle {
  private PlainLoopsSingle() {}

  /** out[r] += a in[r]. */
  static void add(float[] out, float a, float[] in, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] = Math.fma(a, in[r], out[r]);
    }
  }

  /** out[r] += (a - x[r]) in[r]. */
  static void addRelative(float[] out, float a, float[] x, float[] in, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] = Math.fma(a - x[r], in[r], out[r]);
    }
  }

  /**
   * out[m + i][r] += a_i0 in0[r] + a_i1 in1[r] for i &lt; 4, where a_ij is at {@code at + i down +
   * j across}.
   */
  static void add(
      float[][] out,
      int m,
      float[] a,
      int at,
      int down,
      int across,
      float[] in0,
      float[] in1,
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
      float[] out0,
      float[] out1,
      float[] out2,
      float[] out3,
      float[] in0,
      float[] in1,
      float a00,
      float a01,
      float a10,
      float a11,
      float a20,
      float a21,
      float a30,
      float a31,
      int from,
      int to) {
    for (int r = from; r < to; r++) {
      float u = in0[r];
      float v = in1[r];
      out0[r] = Math.fma(a01, v, Math.fma(a00, u, out0[r]));
      out1[r] = Math.fma(a11, v, Math.fma(a10, u, out1[r]));
      out2[r] = Math.fma(a21, v, Math.fma(a20, u, out2[r]));
      out3[r] = Math.fma(a31, v, Math.fma(a30, u, out3[r]));
    }
  }

  /** max[r] is raised to s[r]. */
  static void raise(float[] max, float[] s, int from, int to) {
    for (int r = from; r < to; r++) {
      max[r] = Math.max(max[r], s[r]);
    }
  }

  /** out[r] *= factor[r]. */
  static void multiply(float[] out, float[] factor, int from, int to) {
    for (int r = from; r < to; r++) {
      out[r] *= factor[r];
    }
  }
}
