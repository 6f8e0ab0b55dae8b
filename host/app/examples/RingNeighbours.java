/** Tokens sit on a ring by index and see only the neighbours on it, across its closing point too. */
public final class RingNeighbours {
  private static final int REACH = 20;

  private RingNeighbours() {}

  /**
   * The score of query i and key j, in place of beta q.k: here flattened for large products.
   *
   * @param q holds the query Q x_i, m numbers from qAt
   * @param k holds the key K x_j, m numbers from kAt
   */
  public static double score(
      double[] q, int qAt, double[] k, int kAt, int m, int i, int j, double beta) {
    double product = 0;
    for (int a = 0; a < m; a++) {
      product += q[qAt + a] * k[kAt + a];
    }
    return beta * Math.tanh(product);
  }

  /** Whether query i sees key j among n tokens; the mask of the model holds besides. */
  public static boolean live(int i, int j, int n) {
    int distance = Math.abs(i - j);
    return Math.min(distance, n - distance) <= REACH;
  }
}
