package org.starling.paths.theory;

/** The departure from infinite width to first order in 1/N. */
public final class LargeWidth {
  private LargeWidth() {}

  /**
   * U_1 minus its limit, to first order, for unit prior variances in units of the limit: {@code
   * -sum_l (1/N_l) I (x) Tr_{h_1..h_{l-1}} G - (1/N_a) I tr G} with G the derivative of E at the
   * limit (science/paths.md 1.8); other variances enter by their product alone.
   *
   * @return {@code [n][n]}
   */
  public static double[] correction(Action action) {
    PathNetwork network = action.network();
    OrderParameters limit = OrderParameters.limit(network);
    int n = network.paths();
    double unit = network.limitVariance(0);
    double[] g = action.at(limit.u()).gradient().get(0);
    // At the limit the entropy's derivative is 0. In units of the limit G gains the unit.
    double[] traced = new double[n * n];
    for (int k = 0; k < n * n; k++) {
      traced[k] = unit * g[k];
    }
    double[] out = new double[n * n];
    int size = n;
    for (int l = 0; l < network.depth(); l++) {
      addBlocks(out, n, traced, size, -unit / network.widths().get(l));
      int heads = network.heads().get(l);
      traced = Small.partialTrace(traced, heads, size / heads);
      size /= heads;
    }
    addBlocks(out, n, traced, size, -unit / network.readoutWidth());
    return out;
  }

  /** Adds factor I (x) block. */
  private static void addBlocks(double[] out, int n, double[] block, int size, double factor) {
    for (int begin = 0; begin < n; begin += size) {
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          out[(begin + i) * n + begin + j] += factor * block[i * size + j];
        }
      }
    }
  }
}
