package org.starling.core.engine;

import org.starling.core.model.Layer;

/**
 * Observables computed where the state lives, in O(n d) memory. Index r of each result is the
 * replica. Pair statistics run over ordered pairs i != j of the full set, whatever the mask.
 */
public interface Observations {
  /**
   * Interaction energy (1/n^2) sum_ij exp(beta (&lt;Q x_i, K x_j&gt; - 1)), i = j included,
   * averaged over heads; emergence paper (c), written with a bar in science/emergence.md 1.7. May
   * be infinite where the exponent leaves the range.
   */
  double[] energy(State x, Layer[] layers);

  /** Pairwise cosines &lt;x_i,x_j&gt;/(|x_i||x_j|) (inner products on the sphere). */
  PairStatistics[] innerProducts(State x, int bins);

  /**
   * @param min smallest cosine, NaN if n = 1
   * @param mean mean cosine
   * @param max largest cosine
   * @param histogram counts over equal bins of [-1, 1], last bin closed; values outside by rounding
   *     go to the end bins
   */
  record PairStatistics(double min, double mean, double max, long[] histogram) {}

  /**
   * Single-linkage clusters: connected components of {pairs with cosine &gt; threshold}, or of
   * {pairs at Euclidean distance &lt; threshold}.
   */
  Clusters[] clusters(State x, Linkage linkage, double threshold);

  /** What links two tokens. */
  enum Linkage {
    COSINE,
    DISTANCE
  }

  /**
   * @param count number of clusters
   * @param labels {@code [n]}: the lowest token index of each token's cluster
   */
  record Clusters(int count, int[] labels) {}

  /** Distance |x_i - x_1| to the first token, over all i, the first itself (at 0) included. */
  Spread[] distanceToFirst(State x);

  /** Norms |x_i|. */
  Spread[] norms(State x);

  /** Smallest, mean and largest value. */
  record Spread(double min, double mean, double max) {}

  /** Order parameter |(1/n) sum_i x_i|. */
  double[] orderParameter(State x);

  /**
   * Mean over rows and heads of the attention entropy -sum_j w_ij ln w_ij of the normalised row.
   */
  double[] attentionEntropy(State x, Layer[] layers);

  /** Second-moment matrix (1/n) sum_i x_i x_i^T, {@code [R][d * d]} row-major. */
  double[][] secondMoment(State x);

  /** Number of non-finite coordinates and the first token that has one (-1 if none). */
  NonFinite[] nonFinite(State x);

  /** Count of non-finite coordinates and the first token with one. */
  record NonFinite(long count, int firstToken) {}

  /** Chosen rows of one head's attention matrix, {@code [rows.length][n]}, dead keys 0. */
  double[][] attentionRows(State x, Layer layer, int head, int replica, int[] rows);
}
