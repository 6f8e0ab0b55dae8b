package org.starling.cpu.reference;

import java.util.Arrays;
import org.starling.core.model.Interaction;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/**
 * The definition of one head's attention: the scores and weights of a query row, with the sum over
 * j != i kept apart from the self term.
 *
 * <p>Scores are taken relative to the self score, r_ij = &lt;y_i, x_j - x_i&gt; + bias(i, j) with
 * y_i = beta S^T x_i, and displacements x_j - x_i are what is summed: neither far-apart tokens at
 * large beta (self weight 1 - 1e-20) nor nearly coinciding tokens lose digits.
 */
final class HeadAttention {
  private final double[] x;
  private final int at;

  /**
   * Where the keys stand, {@code [n][d]} from {@code keysAt}: x itself unless keys are merged or
   * rounded.
   */
  private final double[] keys;

  private final int keysAt;
  private final int n;
  private final int d;
  private final Mask mask;
  private final Normalisation normalisation;
  private final double beta;
  private final Weight sTransposed;
  private final Interaction interaction;
  private final int m;
  private final double[] q;
  private final double[] k;
  private final double[] norm;
  private final Layer layer;
  private final double slope;

  /**
   * @param x positions, {@code [n][d]} from {@code at}
   */
  HeadAttention(double[] x, int at, int n, int d, Layer layer, Layer.LayerHead head) {
    this(x, x, at, n, d, layer, head);
  }

  /**
   * @param others where the other tokens stand as keys and values, {@code [n][d]} from {@code at}
   *     (not read by an interaction)
   */
  HeadAttention(
      double[] x, double[] others, int at, int n, int d, Layer layer, Layer.LayerHead head) {
    this.x = x;
    this.at = at;
    keys = layer.merged() == null ? others : layer.merged().positions(others, at, d);
    keysAt = layer.merged() == null ? at : 0;
    this.n = n;
    this.d = d;
    this.layer = layer;
    slope = head.alibi();
    mask = layer.mask();
    normalisation = layer.normalisation();
    beta = layer.beta();
    interaction = layer.interaction();
    norm = new double[n];
    for (int i = 0; i < n; i++) {
      norm[i] = Algebra.norm(x, at + i * d, d);
    }
    if (interaction == null) {
      sTransposed = head.s().transposed();
      m = 0;
      q = null;
      k = null;
    } else {
      sTransposed = null;
      m = head.q().rows();
      q = images(head.q());
      k = images(head.k());
    }
  }

  private double[] images(Weight w) {
    double[] out = new double[n * m];
    for (int i = 0; i < n; i++) {
      System.arraycopy(Algebra.apply(w, x, at + i * d), 0, out, i * m, m);
    }
    return out;
  }

  /**
   * The scores of row i over its interval of keys.
   *
   * @param first first key of the interval
   * @param s score of key first + k; -infinity for keys the interaction declares dead
   * @param base what all scores are relative to: the self score, or 0 with an interaction
   * @param live number of live keys
   * @param size magnitude of the terms the scores are sums of, the unit of their rounding error
   */
  record Scores(int first, double[] s, double base, int live, double size) {
    boolean dead(int j) {
      return s[j - first] == Double.NEGATIVE_INFINITY;
    }

    double of(int j) {
      return s[j - first];
    }

    int last() {
      return first + s.length - 1;
    }
  }

  Scores scores(int i) {
    int first = mask.firstKey(i);
    int last = mask.lastKey(i, n);
    return interaction == null ? matrixScores(i, first, last) : userScores(i, first, last);
  }

  private Scores matrixScores(int i, int first, int last) {
    double[] y = Algebra.apply(sTransposed, x, at + i * d);
    for (int a = 0; a < d; a++) {
      y[a] *= beta;
    }
    double base = Algebra.compensatedDot(y, 0, x, at + i * d, d);
    double length = Algebra.norm(y, 0, d);
    double[] s = new double[last - first + 1];
    double largest = 0;
    for (int j = first; j <= last; j++) {
      if (!mask.live(i, j)) {
        s[j - first] = Double.NEGATIVE_INFINITY;
        continue;
      }
      double r = 0;
      for (int a = 0; a < d; a++) {
        r += j == i ? 0 : y[a] * (keys[keysAt + j * d + a] - x[at + i * d + a]);
      }
      s[j - first] = r + bias(i, j);
      largest = Math.max(largest, length * norm[j] + Math.abs(bias(i, j)));
    }
    return new Scores(first, s, base, mask.liveKeys(i, n), largest);
  }

  private double bias(int i, int j) {
    return slope == 0 ? mask.bias(i, j) : mask.bias(i, j) - slope * (i - j);
  }

  private Scores userScores(int i, int first, int last) {
    double[] s = new double[last - first + 1];
    int live = 0;
    double largest = 0;
    for (int j = first; j <= last; j++) {
      if (interaction.live(i, j, n)) {
        s[j - first] = userScore(i, j) + mask.bias(i, j);
        largest = Math.max(largest, Math.abs(s[j - first]));
        live++;
      } else {
        s[j - first] = Double.NEGATIVE_INFINITY;
      }
    }
    return new Scores(first, s, 0, live, largest);
  }

  private double userScore(int i, int j) {
    return interaction.score(q, i * m, k, j * m, m, i, j, beta);
  }

  /** The scores s_ij of row i with all n keys, whatever the mask and without its bias. */
  double[] allScores(int i) {
    double[] s = new double[n];
    double[] y = interaction == null ? Algebra.apply(sTransposed, x, at + i * d) : null;
    for (int j = 0; j < n; j++) {
      s[j] = interaction == null ? beta * Algebra.dot(y, 0, x, at + j * d, d) : userScore(i, j);
    }
    return s;
  }

  /**
   * Row i of the attention, scales kept apart.
   *
   * @param live number of live keys; 0 makes everything else 0
   * @param log L such that e^L {@code delta} is sum_{j != i} w_ij (x_j - x_i)
   * @param delta {@code [d]}
   * @param off e^L {@code off} is sum_{j != i} w_ij
   * @param logTotal e^{logTotal} {@code total} is W_i = sum_j w_ij, self included
   * @param total see {@code logTotal}
   * @param margin hardmax: gap between the best and the second score over the size of the scores;
   *     infinite otherwise
   */
  record Row(
      int live,
      double log,
      double[] delta,
      double off,
      double logTotal,
      double total,
      double margin) {}

  Row row(int i) {
    Scores s = scores(i);
    if (s.live() == 0) {
      return new Row(0, 0, new double[d], 0, 0, 0, Double.POSITIVE_INFINITY);
    }
    return normalisation == Normalisation.HARDMAX ? hardmaxRow(i, s) : exponentialRow(i, s);
  }

  private Row exponentialRow(int i, Scores s) {
    double max = Double.NEGATIVE_INFINITY;
    for (int j = s.first(); j <= s.last(); j++) {
      if (j != i) {
        max = Math.max(max, s.of(j));
      }
    }
    double off = 0;
    double[] delta = new double[d];
    for (int j = s.first(); j <= s.last(); j++) {
      if (j == i || s.dead(j)) {
        continue;
      }
      double e = layer.weight(j) * Math.exp(s.of(j) - max);
      off += e;
      for (int a = 0; a < d; a++) {
        delta[a] += e * (keys[keysAt + j * d + a] - x[at + i * d + a]);
      }
    }
    // The self score joins only here: Z = e^shift z, with z between 1 and the number of keys.
    double self = s.of(i) + Math.log(layer.weight(i));
    double shift = Math.max(max, self);
    double z = Math.exp(self - shift) + (off == 0 ? 0 : Math.exp(max - shift) * off);
    if (layer.sink() != null) {
      return sunkRow(s, max, self, delta, off);
    }
    if (normalisation == Normalisation.UNNORMALISED) {
      double keys = interaction == null ? layer.liveMass(i, n) : s.live();
      return new Row(
          s.live(),
          max + s.base(),
          divided(delta, keys),
          off / keys,
          shift + s.base(),
          z / keys,
          Double.POSITIVE_INFINITY);
    }
    return new Row(
        s.live(), max - shift, divided(delta, z), off / z, 0, 1, Double.POSITIVE_INFINITY);
  }

  /**
   * The row of a softmax with a sink of score b at z: with Z = e^b + sum_j a_j e^{s_ij}, W_i = 1 -
   * e^b / Z, and e^b z / Z joins the sum over j != i.
   */
  private Row sunkRow(Scores s, double max, double self, double[] delta, double off) {
    double b = layer.sink().score() - s.base();
    double shift = Math.max(b, Math.max(max, self));
    double own = Math.exp(self - shift);
    double others = off == 0 ? 0 : Math.exp(max - shift) * off;
    double sink = Math.exp(b - shift);
    double z = own + others + sink;
    // Relative to the larger of the others and the sink, so that neither is lost.
    double top = Math.max(max, b);
    double[] place = layer.sink().place();
    for (int a = 0; a < d; a++) {
      delta[a] = (off == 0 ? 0 : delta[a] * Math.exp(max - top)) + place[a] * Math.exp(b - top);
    }
    return new Row(
        s.live(),
        top - shift,
        divided(delta, z),
        ((off == 0 ? 0 : off * Math.exp(max - top)) + Math.exp(b - top)) / z,
        0,
        (own + others) / z,
        Double.POSITIVE_INFINITY);
  }

  private static double[] divided(double[] v, double c) {
    for (int a = 0; a < v.length; a++) {
      v[a] /= c;
    }
    return v;
  }

  private Row hardmaxRow(int i, Scores s) {
    int best = winner(s);
    double second = Double.NEGATIVE_INFINITY;
    double[] delta = new double[d];
    double total = 1;
    if (best < 0) {
      Arrays.fill(delta, Double.NaN);
      total = Double.NaN;
      best = i;
    }
    for (int j = s.first(); j <= s.last(); j++) {
      if (j != best) {
        second = Math.max(second, s.of(j));
      }
    }
    if (best != i) {
      for (int a = 0; a < d; a++) {
        delta[a] = x[at + best * d + a] - x[at + i * d + a];
      }
    }
    double gap = s.of(best) - second;
    double margin = gap == 0 || s.size() == 0 ? 0 : gap / s.size();
    return new Row(s.live(), 0, delta, best == i ? 0 : 1, 0, total, margin);
  }

  /** The lowest live key with the largest score; -1 if a score is NaN. */
  private static int winner(Scores s) {
    int best = -1;
    for (int j = s.first(); j <= s.last(); j++) {
      if (Double.isNaN(s.of(j))) {
        return -1;
      }
      if (!s.dead(j) && (best < 0 || s.of(j) > s.of(best))) {
        best = j;
      }
    }
    return best;
  }

  /** Weights w_ij of row i over all n keys; dead keys 0. */
  double[] weights(int i) {
    Scores s = scores(i);
    double[] w = new double[n];
    if (s.live() == 0) {
      return w;
    }
    if (normalisation == Normalisation.HARDMAX) {
      int best = winner(s);
      if (best < 0) {
        Arrays.fill(w, s.first(), s.last() + 1, Double.NaN);
      } else {
        w[best] = 1;
      }
      return w;
    }
    if (normalisation == Normalisation.UNNORMALISED) {
      double keys = interaction == null ? layer.liveMass(i, n) : s.live();
      for (int j = s.first(); j <= s.last(); j++) {
        w[j] = layer.weight(j) * Math.exp(s.of(j) + s.base()) / keys;
      }
      return w;
    }
    double max = Arrays.stream(s.s()).max().getAsDouble();
    double z = layer.sink() == null ? 0 : Math.exp(layer.sink().score() - s.base() - max);
    for (int j = s.first(); j <= s.last(); j++) {
      w[j] = s.dead(j) ? 0 : layer.weight(j) * Math.exp(s.of(j) - max);
      z += w[j];
    }
    for (int j = s.first(); j <= s.last(); j++) {
      w[j] /= z;
    }
    return w;
  }

  /** -sum_j w_ij ln w_ij of the row normalised to sum 1; NaN for a row without a live key. */
  double entropy(int i) {
    Scores s = scores(i);
    if (s.live() == 0) {
      return Double.NaN;
    }
    if (normalisation == Normalisation.HARDMAX) {
      return winner(s) < 0 ? Double.NaN : 0;
    }
    double max = Arrays.stream(s.s()).max().getAsDouble();
    double z = 0;
    double mean = 0;
    for (int j = s.first(); j <= s.last(); j++) {
      if (!s.dead(j)) {
        double e = layer.weight(j) * Math.exp(s.of(j) - max);
        z += e;
        mean += e * (s.of(j) + Math.log(layer.weight(j)) - max);
      }
    }
    return Math.log(z) - mean / z;
  }
}
