package org.starling.cpu.fast;

/** Positions {@code [n][d]} in float64 as strips read them; the twin of {@link TokensSingle}. */
record TokensDouble(double[] x, double[] keys, double[] values, int n, int d) {
  static TokensDouble of(double[] x, int n, int d) {
    boolean[] bad = notFinite(x, n, d);
    return bad == null
        ? new TokensDouble(x, x, x, n, d)
        : new TokensDouble(x, with(Double.NaN, x, bad, d), with(0, x, bad, d), n, d);
  }

  /** Which tokens have a coordinate that is not finite in float32 or float64; null for none. */
  static boolean[] notFinite(double[] x, int n, int d) {
    boolean[] bad = null;
    for (int k = 0; k < x.length; k++) {
      if (!(Math.abs(x[k]) < Double.POSITIVE_INFINITY)) {
        bad = bad == null ? new boolean[n] : bad;
        bad[k / d] = true;
      }
    }
    return bad;
  }

  private static double[] with(double value, double[] x, boolean[] bad, int d) {
    double[] copy = x.clone();
    for (int k = 0; k < copy.length; k++) {
      copy[k] = bad[k / d] ? value : copy[k];
    }
    return copy;
  }

  /** &lt;y_i, x_i&gt; as if in twice the precision. */
  double selfScore(double[] y, int i) {
    double sum = 0;
    double low = 0;
    for (int c = i * d; c < (i + 1) * d; c++) {
      double product = y[c] * x[c];
      double t = sum + product;
      // Knuth's exact sum and an exact product.
      double z = t - sum;
      low += (sum - (t - z)) + (product - z) + Math.fma(y[c], x[c], -product);
      sum = t;
    }
    return sum + low;
  }
}
