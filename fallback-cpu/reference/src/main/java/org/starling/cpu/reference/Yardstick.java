package org.starling.cpu.reference;

import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/**
 * What a careful person's plain float32 code achieves: dot products in a loop, softmax over j != i
 * with its own maximum, the self term apart. Engines in float32 owe an error within twice of this.
 * Sums over tokens and over coordinates run forwards or backwards: two equally straightforward
 * codes.
 */
final class Yardstick {
  private final float[] x;

  /** Where the keys stand: x itself unless keys are merged or rounded. */
  private final float[] keys;

  private final int n;
  private final int d;
  private final Layer layer;
  private final boolean reversed;
  private final Weight[] sTransposed;
  private final double[][] q;
  private final double[][] k;

  Yardstick(double[] positions, double[] others, int n, int d, Layer layer, boolean reversed) {
    this.n = n;
    this.d = d;
    this.layer = layer;
    this.reversed = reversed;
    x = rounded(positions);
    keys =
        layer.merged() == null ? rounded(others) : rounded(layer.merged().positions(others, 0, d));
    int heads = layer.heads().size();
    sTransposed = new Weight[heads];
    q = new double[heads][];
    k = new double[heads][];
    for (int h = 0; h < heads; h++) {
      sTransposed[h] = layer.heads().get(h).s().transposed();
      if (layer.interaction() != null) {
        q[h] = images(layer.heads().get(h).q());
        k[h] = images(layer.heads().get(h).k());
      }
    }
  }

  private static float[] rounded(double[] a) {
    float[] out = new float[a.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (float) a[i];
    }
    return out;
  }

  /** The velocity of token i, {@code [d]}, widened to double. */
  double[] velocity(int i) {
    float[] sum = new float[d];
    for (int h = 0; h < layer.heads().size() && !layer.frozen(i); h++) {
      addHead(i, h, sum);
    }
    double[] out = new double[d];
    for (int a = 0; a < d; a++) {
      out[a] = sum[a];
    }
    return out;
  }

  private void addHead(int i, int h, float[] sum) {
    int first = layer.mask().firstKey(i);
    int last = layer.mask().lastKey(i, n);
    float[] s = scores(i, h, first, last);
    float self = s[i - first];
    if (layer.normalisation() == Normalisation.HARDMAX) {
      addHardmax(i, h, first, s, sum);
      return;
    }
    float max = Float.NEGATIVE_INFINITY;
    int live = 0;
    float mass = 0;
    for (int j = first; j <= last; j++) {
      if (!dead(i, j)) {
        live++;
        mass += (float) layer.weight(j);
        max = j == i ? max : Math.max(max, s[j - first]);
      }
    }
    if (live == 0) {
      return;
    }
    float off = 0;
    float[] acc = new float[d];
    for (int step = 0; step < s.length; step++) {
      int j = first + order(step, s.length);
      if (j == i || dead(i, j)) {
        continue;
      }
      float e = (float) layer.weight(j) * (float) Math.exp(s[j - first] - max);
      off += e;
      for (int a = 0; a < d; a++) {
        acc[a] += e * keys[j * d + a];
      }
    }
    float logOff = off == 0 ? Float.NEGATIVE_INFINITY : max + (float) Math.log(off);
    float offWeight;
    float total;
    float own = self + (float) Math.log(layer.weight(i));
    float sink = layer.sink() == null ? Float.NEGATIVE_INFINITY : (float) layer.sink().score();
    if (layer.normalisation() == Normalisation.UNNORMALISED) {
      offWeight = (float) Math.exp(logOff) / mass;
      total = offWeight + (float) Math.exp(own) / mass;
    } else {
      float high = Math.max(sink, Math.max(logOff, own));
      float logZ =
          high
              + (float)
                  Math.log(Math.exp(logOff - high) + Math.exp(own - high) + Math.exp(sink - high));
      offWeight = (float) Math.exp(logOff - logZ);
      sink = (float) Math.exp(sink - logZ);
      total = layer.sink() == null ? 1 : offWeight + (float) Math.exp(own - logZ);
    }
    float[] delta = new float[d];
    for (int a = 0; a < d; a++) {
      delta[a] = off == 0 ? 0 : offWeight * (acc[a] / off - x[i * d + a]);
    }
    for (int a = 0; layer.sink() != null && a < d; a++) {
      delta[a] += sink * (float) layer.sink().place()[a];
    }
    addGeometry(i, h, delta, total, sum);
  }

  private void addHardmax(int i, int h, int first, float[] s, float[] sum) {
    int best = -1;
    for (int k = 0; k < s.length; k++) {
      if (!dead(i, first + k) && (best < 0 || s[k] > s[best - first])) {
        best = first + k;
      }
    }
    if (best < 0) {
      return;
    }
    float[] delta = new float[d];
    for (int a = 0; a < d; a++) {
      delta[a] = x[best * d + a] - x[i * d + a];
    }
    addGeometry(i, h, delta, 1, sum);
  }

  private void addGeometry(int i, int h, float[] delta, float total, float[] sum) {
    boolean sphere = layer.geometry() == Geometry.SPHERE;
    Weight value = layer.heads().get(h).v();
    float[] others = apply(value, delta, 0);
    float[] self = apply(value, x, i * d);
    if (sphere) {
      project(others, i);
      project(self, i);
    }
    boolean withSelf = layer.geometry() == Geometry.EUCLIDEAN || sphere && !value.isScalar();
    for (int a = 0; a < d; a++) {
      sum[a] += others[a] + (withSelf ? total * self[a] : 0);
    }
  }

  /** Which of {@code count} terms is added at a step. */
  private int order(int step, int count) {
    return reversed ? count - 1 - step : step;
  }

  private boolean dead(int i, int j) {
    return !layer.mask().live(i, j)
        || layer.interaction() != null && !layer.interaction().live(i, j, n);
  }

  private float[] scores(int i, int h, int first, int last) {
    float beta = (float) layer.beta();
    float[] s = new float[last - first + 1];
    float[] y = layer.interaction() == null ? apply(sTransposed[h], x, i * d) : null;
    for (int j = first; j <= last; j++) {
      float bias = (float) layer.bias(h, i, j);
      if (dead(i, j)) {
        s[j - first] = Float.NEGATIVE_INFINITY;
      } else if (y == null) {
        s[j - first] = userScore(i, j, h) + bias;
      } else if (j == i) {
        s[j - first] = beta * selfProduct(y, i);
      } else {
        float dot = 0;
        for (int step = 0; step < d; step++) {
          int a = order(step, d);
          dot += y[a] * keys[j * d + a];
        }
        s[j - first] = beta * dot + bias;
      }
    }
    return s;
  }

  /** &lt;y, x_i&gt; rounded once: products of floats and their sum in double. */
  private float selfProduct(float[] y, int i) {
    double dot = 0;
    for (int a = 0; a < d; a++) {
      dot += (double) y[a] * x[i * d + a];
    }
    return (float) dot;
  }

  private float userScore(int i, int j, int h) {
    int m = q[h].length / n;
    return (float) layer.interaction().score(q[h], i * m, k[h], j * m, m, i, j, layer.beta());
  }

  /** The products W x_i in float32, for an interaction that reads doubles. */
  private double[] images(Weight w) {
    int m = w.rows();
    double[] out = new double[n * m];
    for (int i = 0; i < n; i++) {
      float[] image = apply(w, x, i * d);
      for (int a = 0; a < m; a++) {
        out[i * m + a] = image[a];
      }
    }
    return out;
  }

  /** W x, the entries of W rounded to float32. */
  private float[] apply(Weight w, float[] vector, int at) {
    float[] out = new float[w.rows()];
    for (int a = 0; a < out.length; a++) {
      if (w instanceof Weight.Scalar c) {
        out[a] = (float) c.c() * vector[at + a];
      } else if (w instanceof Weight.Diagonal g) {
        out[a] = (float) g.entries()[a] * vector[at + a];
      } else {
        out[a] = row(((Weight.Dense) w).entries(), a, vector, at);
      }
    }
    return out;
  }

  private float row(double[] entries, int a, float[] vector, int at) {
    float sum = 0;
    for (int step = 0; step < d; step++) {
      int b = order(step, d);
      sum += (float) entries[a * d + b] * vector[at + b];
    }
    return sum;
  }

  private void project(float[] y, int i) {
    float yx = 0;
    float xx = 0;
    for (int a = 0; a < d; a++) {
      yx += y[a] * x[i * d + a];
      xx += x[i * d + a] * x[i * d + a];
    }
    float c = yx / xx;
    for (int a = 0; a < d; a++) {
      y[a] -= c * x[i * d + a];
    }
  }
}
