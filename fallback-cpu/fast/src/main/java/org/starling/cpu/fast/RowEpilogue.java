package org.starling.cpu.fast;

import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/**
 * From the sums of one row to its field, in float64: merges the self term in the log domain,
 * applies V, sums heads, projects. With D = sum_{j != i} w_ij (x_j - x_i) and W = sum_j w_ij:
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
  private final double[] image;
  private boolean moved;

  RowEpilogue(Layer layer, boolean raw, double smallest, double[][] transposedV) {
    this.layer = layer;
    this.raw = raw;
    this.d = layer.d();
    this.smallest = smallest;
    this.transposedV = transposedV;
    this.delta = new double[d];
    this.field = new double[d];
    this.image = new double[d];
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
      double top = Math.max(row.sink, Math.max(row.max, self));
      double others = row.off * Math.exp(row.max - top);
      double log = top + Math.log(others + Math.exp(self - top) + Math.exp(row.sink - top));
      // With no live j != i the maximum is -infinity, off and acc are 0, and so is the scale.
      scale = Math.exp(row.max - log);
      totalWeight = 1;
      if (layer.sink() != null) {
        totalWeight = row.off * scale + Math.exp(self - log);
        addSink(h, Math.exp(row.sink - log), x, at);
      }
    } else {
      double logCount = Math.log(row.mass > 0 ? row.mass : row.live);
      double shift = shift(row, h, x, at);
      scale = Math.exp(row.max + shift - logCount);
      totalWeight = row.off * scale + Math.exp(self + shift - logCount);
    }
    for (int c = 0; c < d; c++) {
      delta[c] = row.differences ? row.acc[c] : row.acc[c] - row.off * x[at + c];
    }
    accumulate(h, scale, totalWeight, x, at);
    return true;
  }

  /** Adds w V z of the sink at z. */
  private void addSink(int h, double weight, double[] x, int at) {
    boolean project = !raw && layer.geometry() == Geometry.SPHERE;
    add(layer.heads().get(h).v(), transposedV[h], layer.sink().place(), 0, weight, project, x, at);
    for (int c = 0; c < d; c++) {
      moved |= image[c] != 0;
    }
  }

  /**
   * What must be added to a score to make it absolute: difference kernels leave scores relative to
   * the self score, which softmax and hardmax do not notice.
   */
  private double shift(RowSums row, int h, double[] x, int at) {
    if (!row.relative) {
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
    if (Double.isNaN(row.off) || Double.isNaN(self)) {
      java.util.Arrays.fill(delta, Double.NaN);
    } else {
      int chosenAt = other ? at + (row.best - i) * d : at;
      for (int c = 0; c < d; c++) {
        delta[c] = x[chosenAt + c] - x[at + c];
      }
    }
    accumulate(h, 1, 1, x, at);
  }

  /** Adds scale V delta, and the self term total V x where the geometry has one. */
  private void accumulate(int h, double scale, double total, double[] x, int at) {
    Weight v = layer.heads().get(h).v();
    boolean project = !raw && layer.geometry() == Geometry.SPHERE;
    add(v, transposedV[h], delta, 0, scale, project, x, at);
    // Not yet scaled, so that a speed too small for float64 is still seen to be there.
    for (int c = 0; c < d; c++) {
      moved |= image[c] != 0;
    }
    boolean self = raw || layer.geometry() == Geometry.EUCLIDEAN || (project && !v.isScalar());
    if (self) {
      add(v, transposedV[h], x, at, total, project, x, at);
    }
  }

  /** field += factor V z, or factor P_x V z; leaves the unscaled vector in image. */
  private void add(
      Weight v,
      double[] vt,
      double[] z,
      int zAt,
      double factor,
      boolean project,
      double[] x,
      int at) {
    multiply(v, vt, z, zAt);
    if (project) {
      double dot = 0;
      double square = 0;
      for (int c = 0; c < d; c++) {
        dot += image[c] * x[at + c];
        square += x[at + c] * x[at + c];
      }
      double f = dot / square;
      for (int c = 0; c < d; c++) {
        image[c] -= f * x[at + c];
      }
    }
    for (int c = 0; c < d; c++) {
      field[c] += factor * image[c];
    }
  }

  /** image = V z. */
  private void multiply(Weight v, double[] vt, double[] z, int zAt) {
    if (v instanceof Weight.Scalar s) {
      for (int c = 0; c < d; c++) {
        image[c] = s.c() * z[zAt + c];
      }
    } else if (v instanceof Weight.Diagonal g) {
      double[] e = g.entries();
      for (int c = 0; c < d; c++) {
        image[c] = e[c] * z[zAt + c];
      }
    } else {
      java.util.Arrays.fill(image, 0);
      for (int b = 0; b < d; b++) {
        double zb = z[zAt + b];
        int row = b * d;
        for (int a = 0; a < d; a++) {
          image[a] += zb * vt[row + a];
        }
      }
    }
  }

  /** Hands the field out. Returns true when its speed is below the working range. */
  boolean finish(double[] out) {
    double square = 0;
    double largest = 0;
    for (int c = 0; c < d; c++) {
      out[c] = field[c];
      square += field[c] * field[c];
      largest = Math.max(largest, Math.abs(field[c]));
    }
    // A square underflows long before the number itself does.
    double speed = square > Double.MIN_NORMAL ? Math.sqrt(square) : largest;
    return moved && speed < smallest;
  }
}
