package org.starling.cpu.fast;

import java.util.List;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.Sequences;

/**
 * Attentioned inputs of one example after another: from the last layer to the first every token's
 * weights are multiplied by one more attention matrix, which paths with the same end share.
 */
final class PathExample {
  private final PathAttention attention;
  private final double[][][] transposed;
  private final Sequences inputs;
  private final double scale;
  private final double[] projected;
  private final double[] matrix;

  PathExample(PathAttention attention, double[][][] transposed, Sequences inputs, double scale) {
    this.attention = attention;
    this.transposed = transposed;
    this.inputs = inputs;
    this.scale = scale;
    projected = new double[inputs.tokens() * inputs.width()];
    matrix = new double[inputs.tokens() * inputs.tokens()];
  }

  /** W^T of every head; null for one that is 0, whose attention is uniform. */
  static double[][][] transposed(PathAttention attention) {
    int width = attention.width();
    double[][][] all = new double[attention.depth()][][];
    for (int l = 0; l < all.length; l++) {
      List<double[]> heads = attention.layers().get(l);
      all[l] = new double[heads.size()][];
      for (int h = 0; h < heads.size(); h++) {
        double[] w = heads.get(h);
        if (java.util.Arrays.stream(w).anyMatch(e -> e != 0)) {
          double[] t = new double[w.length];
          for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
              t[j * width + i] = w[i * width + j];
            }
          }
          all[l][h] = t;
        }
      }
    }
    return all;
  }

  /** Writes those of example {@code a} into {@code [count][paths][width]}. */
  void write(int a, double[] out) {
    int tokens = inputs.tokens();
    int width = inputs.width();
    int last = attention.depth() - 1;
    int first = a * tokens * width;
    double[] v = new double[attention.heads(last) * tokens];
    for (int h = 0; h < attention.heads(last); h++) {
      int query = attention.readout().query(tokens);
      attend(first, last, h, query < 0 ? 0 : query, query < 0 ? tokens : query + 1);
      int from = query < 0 ? 0 : query;
      int to = query < 0 ? tokens : query + 1;
      for (int t = from; t < to; t++) {
        for (int s = 0; s < tokens; s++) {
          v[h * tokens + s] += matrix[t * tokens + s] / (to - from);
        }
      }
    }
    for (int l = last - 1; l >= 0; l--) {
      int ends = attention.pathsFrom(l + 1);
      double[] longer = new double[attention.pathsFrom(l) * tokens];
      for (int h = 0; h < attention.heads(l); h++) {
        attend(first, l, h, 0, tokens);
        // A v for all ends: sums over the queries, whose rows the keys lie in.
        PathProducts.rowsByMatrix(
            v, 0, ends, tokens, matrix, 0, tokens, longer, h * ends * tokens, tokens);
      }
      v = longer;
    }
    for (int k = 0; k < v.length; k++) {
      v[k] *= scale;
    }
    int n = attention.paths();
    PathProducts.rowsByMatrix(v, 0, n, tokens, inputs.x(), first, width, out, a * n * width, width);
  }

  /** Attention of the queries {@code from .. to - 1}, the keys of a query in its row. */
  private void attend(int first, int layer, int head, int from, int to) {
    int tokens = inputs.tokens();
    int width = inputs.width();
    double[] w = transposed[layer][head];
    java.util.Arrays.fill(matrix, from * tokens, to * tokens, 0);
    if (w != null) {
      java.util.Arrays.fill(projected, from * width, to * width, 0);
      PathProducts.rowsByMatrix(
          inputs.x(),
          first + from * width,
          to - from,
          width,
          w,
          0,
          width,
          projected,
          from * width,
          width);
      PathProducts.rowsByRows(
          projected,
          from * width,
          width,
          to - from,
          inputs.x(),
          first,
          width,
          tokens,
          width,
          matrix,
          from * tokens,
          tokens);
    }
    for (int t = from; t < to; t++) {
      normalise(t * tokens, tokens);
    }
  }

  private void normalise(int row, int tokens) {
    int largest = 0;
    for (int s = 1; s < tokens; s++) {
      largest = matrix[row + s] > matrix[row + largest] ? s : largest;
    }
    double top = matrix[row + largest];
    double sum = 0;
    for (int s = 0; s < tokens; s++) {
      double e = attention.hardmax() ? (s == largest ? 1 : 0) : Math.exp(matrix[row + s] - top);
      matrix[row + s] = e;
      sum += e;
    }
    for (int s = 0; s < tokens; s++) {
      matrix[row + s] /= sum;
    }
  }
}
