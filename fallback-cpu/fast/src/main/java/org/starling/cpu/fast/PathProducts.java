package org.starling.cpu.fast;

/** Dense float64 products on parts of row-major arrays, blocked for registers and caches. */
final class PathProducts {
  /** Columns that stay in the first cache together. */
  private static final int STRIP = 512;

  private PathProducts() {}

  /**
   * {@code out[a][b] = <x[a], y[b]>} for vectors of one length.
   *
   * @param xs stride between the vectors of x, {@code ys} of y, {@code os} between rows of out
   */
  static void rowsByRows(
      double[] x,
      int x0,
      int xs,
      int rows,
      double[] y,
      int y0,
      int ys,
      int columns,
      int length,
      double[] out,
      int o0,
      int os) {
    for (int begin = 0; begin < length; begin += STRIP) {
      int size = Math.min(STRIP, length - begin);
      for (int b = 0; b < columns; b++) {
        for (int a = 0; a < rows; a++) {
          double v = dot(x, x0 + a * xs + begin, y, y0 + b * ys + begin, size);
          int at = o0 + a * os + b;
          out[at] = begin == 0 ? v : out[at] + v;
        }
      }
    }
  }

  /** A scalar product with eight running sums. */
  static double dot(double[] x, int x0, double[] y, int y0, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      s0 += x[x0 + i] * y[y0 + i];
      s1 += x[x0 + i + 1] * y[y0 + i + 1];
      s2 += x[x0 + i + 2] * y[y0 + i + 2];
      s3 += x[x0 + i + 3] * y[y0 + i + 3];
      s4 += x[x0 + i + 4] * y[y0 + i + 4];
      s5 += x[x0 + i + 5] * y[y0 + i + 5];
      s6 += x[x0 + i + 6] * y[y0 + i + 6];
      s7 += x[x0 + i + 7] * y[y0 + i + 7];
    }
    for (; i < length; i++) {
      s0 += x[x0 + i] * y[y0 + i];
    }
    return ((s0 + s4) + (s1 + s5)) + ((s2 + s6) + (s3 + s7));
  }

  /** {@code out[a] += sum_k m[a][k] x[k]} for vectors x of one length, four of them at a time. */
  static void rowsByMatrix(
      double[] m,
      int m0,
      int rows,
      int inner,
      double[] x,
      int x0,
      int length,
      double[] out,
      int o0,
      int os) {
    for (int begin = 0; begin < length; begin += STRIP) {
      int size = Math.min(STRIP, length - begin);
      int k = 0;
      for (; k + 4 <= inner; k += 4) {
        int v = x0 + k * length + begin;
        for (int a = 0; a < rows; a++) {
          int w = m0 + a * inner + k;
          four(x, v, length, m[w], m[w + 1], m[w + 2], m[w + 3], out, o0 + a * os + begin, size);
        }
      }
      for (; k < inner; k++) {
        int v = x0 + k * length + begin;
        for (int a = 0; a < rows; a++) {
          one(x, v, m[m0 + a * inner + k], out, o0 + a * os + begin, size);
        }
      }
    }
  }

  private static void four(
      double[] x,
      int v,
      int stride,
      double m0,
      double m1,
      double m2,
      double m3,
      double[] out,
      int o,
      int size) {
    int v1 = v + stride;
    int v2 = v1 + stride;
    int v3 = v2 + stride;
    for (int i = 0; i < size; i++) {
      out[o + i] += (m0 * x[v + i] + m1 * x[v1 + i]) + (m2 * x[v2 + i] + m3 * x[v3 + i]);
    }
  }

  private static void one(double[] x, int v, double m, double[] out, int o, int size) {
    for (int i = 0; i < size; i++) {
      out[o + i] += m * x[v + i];
    }
  }

  /** Adds {@code <x[p], y[q]>} to {@code out[p][q]}. */
  static void addGram(double[] x, int x0, double[] y, int y0, int n, int width, double[] out) {
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < n; q++) {
        out[p * n + q] += dot(x, x0 + p * width, y, y0 + q * width, width);
      }
    }
  }
}
