package org.starling.contract;

import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/**
 * Attention as a newcomer writes it down in float64: weights over all live keys, one sum. Right
 * wherever nothing cancels; independent of the reference engine.
 */
final class Naive {
  private final double[] x;
  private final int n;
  private final int d;
  private final Layer layer;
  private final double[][] q;
  private final double[][] k;

  Naive(double[] x, int n, int d, Layer layer) {
    this.x = x;
    this.n = n;
    this.d = d;
    this.layer = layer;
    int heads = layer.heads().size();
    q = new double[heads][];
    k = new double[heads][];
    for (int h = 0; h < heads; h++) {
      q[h] = images(layer.heads().get(h).q());
      k[h] = images(layer.heads().get(h).k());
    }
  }

  private double[] images(Weight w) {
    double[] out = new double[n * w.rows()];
    for (int i = 0; i < n; i++) {
      System.arraycopy(times(w, x, i * d), 0, out, i * w.rows(), w.rows());
    }
    return out;
  }

  static double[] times(Weight w, double[] x, int at) {
    double[] dense = w.dense();
    double[] out = new double[w.rows()];
    for (int a = 0; a < w.rows(); a++) {
      for (int b = 0; b < w.columns(); b++) {
        out[a] += dense[a * w.columns() + b] * x[at + b];
      }
    }
    return out;
  }

  static double dot(double[] a, int aAt, double[] b, int bAt, int d) {
    double sum = 0;
    for (int k = 0; k < d; k++) {
      sum += a[aAt + k] * b[bAt + k];
    }
    return sum;
  }

  static double norm(double[] a, int at, int d) {
    return Math.sqrt(dot(a, at, a, at, d));
  }

  /** beta &lt;Q x_i, K x_j&gt;, without bias. */
  double score(int head, int i, int j) {
    int m = q[head].length / n;
    return layer.beta() * dot(q[head], i * m, k[head], j * m, m);
  }

  /** Weights of row i over all n keys; dead keys 0. */
  double[] weights(int head, int i) {
    int first = layer.mask().firstKey(i);
    int last = layer.mask().lastKey(i, n);
    double[] s = new double[n];
    double max = Double.NEGATIVE_INFINITY;
    int best = first;
    for (int j = first; j <= last; j++) {
      s[j] = score(head, i, j) + layer.mask().bias(i, j);
      if (s[j] > max) {
        max = s[j];
        best = j;
      }
    }
    double[] w = new double[n];
    if (layer.normalisation() == Normalisation.HARDMAX) {
      w[best] = 1;
      return w;
    }
    boolean softmax = layer.normalisation() == Normalisation.SOFTMAX;
    double z = 0;
    for (int j = first; j <= last; j++) {
      w[j] = Math.exp(softmax ? s[j] - max : s[j]);
      z += w[j];
    }
    for (int j = first; j <= last; j++) {
      w[j] /= softmax ? z : last - first + 1;
    }
    return w;
  }

  /** u_i = sum_h sum_j w_ij V x_j. */
  double[] attention(int i) {
    double[] u = new double[d];
    for (int h = 0; h < layer.heads().size(); h++) {
      double[] w = weights(h, i);
      double[] mean = new double[d];
      for (int j = 0; j < n; j++) {
        for (int a = 0; a < d; a++) {
          mean[a] += w[j] * x[j * d + a];
        }
      }
      double[] vMean = times(layer.heads().get(h).v(), mean, 0);
      for (int a = 0; a < d; a++) {
        u[a] += vMean[a];
      }
    }
    return u;
  }

  /** sum_h sum_j w_ij |V x_j|, the unit of the rounding error of {@link #attention}. */
  double attentionSize(int i) {
    double size = 0;
    for (int h = 0; h < layer.heads().size(); h++) {
      double[] w = weights(h, i);
      double[] dense = layer.heads().get(h).v().dense();
      double norm =
          norm(dense, 0, dense.length) / (layer.heads().get(h).v().isScalar() ? Math.sqrt(d) : 1);
      for (int j = 0; j < n; j++) {
        size += w[j] * norm * norm(x, j * d, d);
      }
    }
    return size;
  }
}
