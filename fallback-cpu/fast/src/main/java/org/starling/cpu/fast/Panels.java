package org.starling.cpu.fast;

/**
 * Keys packed for the score loops: panels of {@link #WIDTH} tokens, {@code [panel][d][WIDTH]}, the
 * last one padded with zeros. Panels are anchored at token 0, so that a causal row is summed in the
 * same order whatever n is.
 */
final class Panels {
  /** Tokens in a panel. */
  static final int WIDTH = 64;

  private Panels() {}

  static int count(int n) {
    return (n + WIDTH - 1) / WIDTH;
  }

  static float[] pack(float[] x, int at, int n, int d) {
    float[] p = new float[Math.multiplyExact(count(n) * WIDTH, d)];
    for (int j = 0; j < n; j++) {
      int base = (j / WIDTH) * d * WIDTH + j % WIDTH;
      for (int c = 0; c < d; c++) {
        p[base + c * WIDTH] = x[at + j * d + c];
      }
    }
    return p;
  }

  static double[] pack(double[] x, int at, int n, int d) {
    double[] p = new double[Math.multiplyExact(count(n) * WIDTH, d)];
    for (int j = 0; j < n; j++) {
      int base = (j / WIDTH) * d * WIDTH + j % WIDTH;
      for (int c = 0; c < d; c++) {
        p[base + c * WIDTH] = x[at + j * d + c];
      }
    }
    return p;
  }

  /** s[j] = &lt;y, x_j&gt; for the tokens of one panel; y has d numbers from {@code yAt}. */
  static void scores(float[] y, int yAt, float[] panels, int panel, int d, float[] s) {
    java.util.Arrays.fill(s, 0f);
    int k = panel * d * WIDTH;
    int c = 0;
    // Four coordinates at a time: one load and store of s for four multiply-adds.
    for (; c + 4 <= d; c += 4, k += 4 * WIDTH) {
      float a = y[yAt + c];
      float b = y[yAt + c + 1];
      float e = y[yAt + c + 2];
      float f = y[yAt + c + 3];
      for (int j = 0; j < WIDTH; j++) {
        s[j] +=
            (a * panels[k + j] + b * panels[k + WIDTH + j])
                + (e * panels[k + 2 * WIDTH + j] + f * panels[k + 3 * WIDTH + j]);
      }
    }
    for (; c < d; c++, k += WIDTH) {
      float a = y[yAt + c];
      for (int j = 0; j < WIDTH; j++) {
        s[j] += a * panels[k + j];
      }
    }
  }

  /**
   * s[j] = &lt;y, x_j - x&gt; for the tokens of one panel: scores relative to the self score. Half
   * as much work again as {@link #scores}, but their rounding error scales with |x_j - x|.
   */
  static void relativeScores(
      float[] y, int yAt, float[] x, int xAt, float[] panels, int panel, int d, float[] s) {
    java.util.Arrays.fill(s, 0f);
    int k = panel * d * WIDTH;
    int c = 0;
    for (; c + 2 <= d; c += 2, k += 2 * WIDTH) {
      float a = y[yAt + c];
      float b = y[yAt + c + 1];
      float xa = x[xAt + c];
      float xb = x[xAt + c + 1];
      for (int j = 0; j < WIDTH; j++) {
        s[j] += a * (panels[k + j] - xa) + b * (panels[k + WIDTH + j] - xb);
      }
    }
    if (c < d) {
      float a = y[yAt + c];
      float xa = x[xAt + c];
      for (int j = 0; j < WIDTH; j++) {
        s[j] += a * (panels[k + j] - xa);
      }
    }
  }

  /** Double twin of {@link #scores(float[], int, float[], int, int, float[])}. */
  static void scores(double[] y, int yAt, double[] panels, int panel, int d, double[] s) {
    java.util.Arrays.fill(s, 0);
    int k = panel * d * WIDTH;
    int c = 0;
    for (; c + 4 <= d; c += 4, k += 4 * WIDTH) {
      double a = y[yAt + c];
      double b = y[yAt + c + 1];
      double e = y[yAt + c + 2];
      double f = y[yAt + c + 3];
      for (int j = 0; j < WIDTH; j++) {
        s[j] +=
            (a * panels[k + j] + b * panels[k + WIDTH + j])
                + (e * panels[k + 2 * WIDTH + j] + f * panels[k + 3 * WIDTH + j]);
      }
    }
    for (; c < d; c++, k += WIDTH) {
      double a = y[yAt + c];
      for (int j = 0; j < WIDTH; j++) {
        s[j] += a * panels[k + j];
      }
    }
  }
}
