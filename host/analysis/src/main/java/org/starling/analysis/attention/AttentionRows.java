package org.starling.analysis.attention;

import java.util.Arrays;
import org.starling.analysis.Tokens;
import org.starling.core.model.Interaction;
import org.starling.core.model.Layer;
import org.starling.core.model.Layer.LayerHead;
import org.starling.core.model.Normalisation;

/**
 * Rows of one head's attention matrix P in float64, computed one at a time from the definition:
 * s_ij = beta &lt;x_i, S x_j&gt; + bias(i, j) over the live keys of the mask, then the layer's
 * normalisation (softmax; e^s over the number of live keys; or 1 for the largest score, exact ties
 * to the lowest index). Dead keys have weight 0. O(n d + d^2) a row.
 */
public final class AttentionRows {
  private final Layer layer;
  private final LayerHead head;
  private final int number;
  private final Tokens x;

  /** Queries and keys Q x, K x {@code [n][m]}; only where the layer has an interaction. */
  private final double[] q;

  private final double[] k;
  private final double[] s;

  /**
   * @param head number of the head, from 0
   */
  public AttentionRows(Layer layer, int head, Tokens x) {
    if (layer.d() != x.d()) {
      throw new IllegalArgumentException(
          "the layer is for d = " + layer.d() + ", the tokens have d = " + x.d());
    }
    if (layer.merged() != null) {
      throw new IllegalArgumentException(
          "tokens of this layer stand together as keys; take the layer without merging");
    }
    this.layer = layer;
    this.head = layer.heads().get(head);
    number = head;
    this.x = x;
    boolean own = layer.interaction() != null;
    q = own ? images(this.head.q().dense(), this.head.q().rows()) : null;
    k = own ? images(this.head.k().dense(), this.head.k().rows()) : null;
    s = own ? null : this.head.s().dense();
  }

  /** Number of tokens. */
  public int n() {
    return x.n();
  }

  /** Score of the sink; -infinity without one. */
  double sinkScore() {
    return layer.sink() == null ? Double.NEGATIVE_INFINITY : layer.sink().score();
  }

  /** How scores become weights. */
  public Normalisation normalisation() {
    return layer.normalisation();
  }

  /** W x_i for all tokens, {@code [n][m]}. */
  private double[] images(double[] w, int m) {
    int d = x.d();
    double[] y = new double[x.n() * m];
    for (int i = 0; i < x.n(); i++) {
      for (int a = 0; a < m; a++) {
        double sum = 0;
        for (int c = 0; c < d; c++) {
          sum += w[a * d + c] * x.at(i, c);
        }
        y[i * m + a] = sum;
      }
    }
    return y;
  }

  /**
   * Scores of row i, {@code [n]}, bias and the log of the key's weight included; negative infinity
   * for dead keys.
   */
  public double[] scores(int i) {
    int n = x.n();
    double[] scores = new double[n];
    Arrays.fill(scores, Double.NEGATIVE_INFINITY);
    Interaction own = layer.interaction();
    double[] y = own == null ? query(i) : null;
    int m = head.q().rows();
    for (int j = layer.mask().firstKey(i); j <= layer.mask().lastKey(i, n); j++) {
      if (!layer.mask().live(i, j)) {
        continue;
      }
      if (own == null) {
        scores[j] = x.dot(j, y) + layer.bias(number, i, j) + Math.log(layer.weight(j));
      } else if (own.live(i, j, n)) {
        scores[j] = own.score(q, i * m, k, j * m, m, i, j, layer.beta()) + layer.bias(number, i, j);
      }
    }
    return scores;
  }

  /** beta S^T x_i. */
  private double[] query(int i) {
    int d = x.d();
    double[] y = new double[d];
    for (int a = 0; a < d; a++) {
      double xa = layer.beta() * x.at(i, a);
      for (int c = 0; c < d; c++) {
        y[c] += xa * s[a * d + c];
      }
    }
    return y;
  }

  /** Weights of row i, {@code [n]}; all 0 for a row without a live key. */
  public double[] weights(int i) {
    double[] w = scores(i);
    int top = largest(w);
    if (top < 0) {
      return new double[w.length];
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      Arrays.fill(w, 0);
      w[top] = 1;
      return w;
    }
    boolean softmax = layer.normalisation() == Normalisation.SOFTMAX;
    double shift = softmax ? w[top] : 0;
    double sum = 0;
    int live = 0;
    for (int j = 0; j < w.length; j++) {
      live += w[j] > Double.NEGATIVE_INFINITY ? 1 : 0;
      w[j] = Math.exp(w[j] - shift);
      sum += w[j];
    }
    double sink = layer.sink() == null ? 0 : Math.exp(layer.sink().score() - shift);
    double keys = own() ? live : layer.liveMass(i, w.length);
    for (int j = 0; j < w.length; j++) {
      w[j] /= softmax ? sum + sink : keys;
    }
    return w;
  }

  private boolean own() {
    return layer.interaction() != null;
  }

  /** The whole matrix {@code [n][n]}: n^2 numbers. */
  public double[][] matrix() {
    double[][] p = new double[x.n()][];
    for (int i = 0; i < p.length; i++) {
      p[i] = weights(i);
    }
    return p;
  }

  /**
   * Index of the largest number, the lowest one where several are; -1 where all are negative
   * infinity.
   *
   * @throws ArithmeticException if one is NaN
   */
  static int largest(double[] scores) {
    int top = -1;
    for (int j = 0; j < scores.length; j++) {
      if (Double.isNaN(scores[j])) {
        throw new ArithmeticException("the score of key " + j + " is not a number");
      }
      if (scores[j] > (top < 0 ? Double.NEGATIVE_INFINITY : scores[top])) {
        top = j;
      }
    }
    return top;
  }
}
