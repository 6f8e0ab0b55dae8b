package org.starling.cpu.fast;

import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/**
 * From the sums of one row to its field, in float64: merges the self term in the log domain, applies
 * V, sums heads, projects. With D = sum_{j != i} w_ij (x_j - x_i) and W = sum_j w_ij:
 *
 * <pre>
 *   sphere    v = P_x (sum_h V D) + P_x (sum_h W V x)   second term only where V is not c I
 *   euclidean v = sum_h V (D + W x)        rescaled  v = sum_h V D        raw  u = sum_h V (D + W x)
 * </pre>
 */
final class RowEpilogue {
  private final Layer layer;
  private final boolean raw;
  private final int d;
  private final double smallest;

  /** V^T row-major per head, or null where V is scalar or diagonal. */
  private final double[][] transposedV;

  private final double[] delta;
  private final double[] field;
  private boolean moved;

  RowEpilogue(Layer layer, boolean raw, double smallest, double[][] transposedV) {
    this.layer = layer;
    this.raw = raw;
    this.d = layer.d();
    this.smallest = smallest;
    this.transposedV = transposedV;
    this.delta = new double[d];
    this.field = new double[d];
  }

  static double[][] transposedValues(Layer layer) {
    double[][] t = new double[layer.heads().size()][];
    for (int h = 0; h < t.length; h++) {
      Weight v = layer.heads().get(h).v();
      t[h] = v instanceof Weight.Dense ? v.transposed().dense() : null;
    }
    return t;
  }

  void begin() {
    java.util.Arrays.fill(field, 0);
    moved = false;
  }

  /** Adds head h of token i at {@code x[at ..]}. Returns false when the row has no live key. */
  boolean addHead(int h, RowSums row, int i, double[] x, int at) {
    if (row.live == 0) {
      return false;
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      addBest(h, row, i, x, at);
      return true;
    }
    double totalWeight;
    double scale;
    double self = row.selfLive ? row.self : Double.NEGATIVE_INFINITY;
    if (layer.normalisation() == Normalisation.SOFTMAX) {
      double top = Math.max(row.max, self);
      double log =
          top + Math.log(row.off * Math.exp(row.max - top) + Math.exp(self - top));
      // With no live j != i the maximum is -infinity, off and acc are 0, and so is the scale.
      scale = Math.exp(row.max - log);
      totalWeight = 1;
    } else {
      double logCount = Math.log(row.live);
      double shift = shift(row, h, x, at);
      scale = Math.exp(row.max + shift - logCount);
      totalWeight = row.off * scale + Math.exp(self + shift - logCount);
    }
    boolean any = false;
    for (int c = 0; c < d; c++) {
      double sum = row.differences ? row.acc[c] : row.acc[c] - row.off * x[at + c];
      any |= sum != 0;
      delta[c] = sum * scale;
    }
    moved |= any;
    accumulate(h, totalWeight, x, at);
    return true;
  }

  /**
   * What must be added to a score to make it absolute: difference kernels leave scores relative to
   * the self score, which softmax and hardmax do not notice.
   */
  private double shift(RowSums row, int h, double[] x, int at) {
    if (!row.differences || layer.interaction() != null) {
      return 0;
    }
    return layer.beta() * form(layer.heads().get(h).s(), x, at);
  }

  /** x^T S x. */
  private double form(Weight s, double[] x, int at) {
    double sum = 0;
    if (s instanceof Weight.Dense m) {
      for (int a = 0; a < d; a++) {
        double row = 0;
        for (int b = 0; b < d; b++) {
          row += m.entries()[a * d + b] * x[at + b];
        }
        sum += x[at + a] * row;
      }
    } else {
      for (int a = 0; a < d; a++) {
        double e = s instanceof Weight.Scalar c ? c.c() : ((Weight.Diagonal) s).entries()[a];
        sum += e * x[at + a] * x[at + a];
      }
    }
    return sum;
  }

  /** The whole weight on the best key; exact ties go to the lowest index. */
  private void addBest(int h, RowSums row, int i, double[] x, int at) {
    double self = row.selfLive ? row.self : Double.NEGATIVE_INFINITY;
    boolean other = row.best >= 0 && (row.max > self || (row.max == self && row.best < i));
    if (Double.isNaN(row.max) || Double.isNaN(self)) {
      java.util.Arrays.fill(delta, Double.NaN);
    } else {
      int chosenAt = other ? at + (row.best - i) * d : at;
      for (int c = 0; c < d; c++) {
        delta[c] = x[chosenAt + c] - x[at + c];
      }
    }
    accumulate(h, 1, x, at);
  }

  private void accumulate(int h, double total, double[] x, int at) {
    Weight v = layer.heads().get(h).v();
    addTimes(v, transposedV[h], delta, 0, 1);
    boolean self =
        raw
            || layer.geometry() == Geometry.EUCLIDEAN
            || (layer.geometry() == Geometry.SPHERE && !v.isScalar());
    if (self) {
      addTimes(v, transposedV[h], x, at, total);
    }
  }

  /** field += factor V z. */
  private void addTimes(Weight v, double[] vt, double[] z, int zAt, double factor) {
    if (v instanceof Weight.Scalar s) {
      for (int c = 0; c < d; c++) {
        field[c] += factor * s.c() * z[zAt + c];
      }
    } else if (v instanceof Weight.Diagonal g) {
      double[] e = g.entries();
      for (int c = 0; c < d; c++) {
        field[c] += factor * e[c] * z[zAt + c];
      }
    } else {
      for (int b = 0; b < d; b++) {
        double zb = factor * z[zAt + b];
        int row = b * d;
        for (int a = 0; a < d; a++) {
          field[a] += zb * vt[row + a];
        }
      }
    }
  }

  /** |field|, scaled by its largest coordinate so that no square underflows. */
  private double speed(double largest) {
    if (largest == 0) {
      return 0;
    }
    double square = 0;
    for (int c = 0; c < d; c++) {
      square += (field[c] / largest) * (field[c] / largest);
    }
    return largest * Math.sqrt(square);
  }

  /** Projects and hands the field out. Returns true when its speed is below the working range. */
  boolean finish(double[] x, int at, double[] out, int outAt) {
    if (!raw && layer.geometry() == Geometry.SPHERE) {
      double dot = 0;
      double square = 0;
      for (int c = 0; c < d; c++) {
        dot += field[c] * x[at + c];
        square += x[at + c] * x[at + c];
      }
      double f = dot / square;
      for (int c = 0; c < d; c++) {
        field[c] -= f * x[at + c];
      }
    }
    double largest = 0;
    for (int c = 0; c < d; c++) {
      out[outAt + c] = field[c];
      largest = Math.max(largest, Math.abs(field[c]));
    }
    return moved && speed(largest) < smallest;
  }
}
