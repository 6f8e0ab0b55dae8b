package org.starling.cpu.fast;

/**
 * Positions {@code [n][d]} in float32 as strips read them. A dead key is summed with weight 0, and
 * 0 times NaN is NaN: so a token with a coordinate that is not finite has value 0, and NaN for a
 * key, which reaches every row that sees it through its score.
 *
 * @param x the positions
 * @param keys the positions, NaN in every coordinate of a token that is not finite
 * @param values the positions, 0 in every coordinate of a token that is not finite
 */
record TokensSingle(float[] x, float[] keys, float[] values, int n, int d) {
  /** Tokens at {@code positions}, rounded to float32. */
  static TokensSingle of(double[] positions, int n, int d) {
    float[] x = new float[positions.length];
    for (int k = 0; k < x.length; k++) {
      x[k] = (float) positions[k];
    }
    boolean[] bad = TokensDouble.notFinite(positions, n, d);
    return bad == null
        ? new TokensSingle(x, x, x, n, d)
        : new TokensSingle(x, with(Float.NaN, x, bad, d), with(0, x, bad, d), n, d);
  }

  private static float[] with(float value, float[] x, boolean[] bad, int d) {
    float[] copy = x.clone();
    for (int k = 0; k < copy.length; k++) {
      copy[k] = bad[k / d] ? value : copy[k];
    }
    return copy;
  }

  /** &lt;y_i, x_i&gt; in float64: the products are exact, the sum up to its rounding. */
  double selfScore(float[] y, int i) {
    double sum = 0;
    for (int c = i * d; c < (i + 1) * d; c++) {
      sum += (double) y[c] * x[c];
    }
    return sum;
  }
}
