package org.starling.opencl.attention;

import java.util.Arrays;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** One row of an attention matrix from its scores, in float64 on the host. */
final class RowWeights {
  private static final double LN_2 = Math.log(2);

  private RowWeights() {}

  /**
   * @param layer mask and normalisation
   * @param head the head
   * @param i the row
   * @param scores {@code [n]}: s_ij - s_ii in units of ln 2, no bias
   * @param self s_ii in the same units
   * @return {@code [n]} weights, dead keys 0
   */
  static double[] of(Layer layer, int head, int i, double[] scores, double self) {
    int n = scores.length;
    Mask mask = layer.mask();
    int first = mask.firstKey(i);
    int last = mask.lastKey(i, n);
    double[] w = new double[n];
    int best = first;
    for (int j = first; j <= last; j++) {
      if (!mask.live(i, j)) {
        w[j] = Double.NEGATIVE_INFINITY;
        continue;
      }
      w[j] = scores[j] * LN_2 + layer.bias(head, i, j) + Math.log(layer.weight(j));
      if (w[j] > w[best] || Double.isNaN(w[j])) {
        best = j;
      }
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      double top = w[best];
      Arrays.fill(w, first, last + 1, Double.isNaN(top) ? Double.NaN : 0);
      w[best] = Double.isNaN(top) ? Double.NaN : 1;
      return w;
    }
    boolean softmax = layer.normalisation() == Normalisation.SOFTMAX;
    double base = softmax ? w[best] : -self * LN_2;
    double sum = 0;
    for (int j = first; j <= last; j++) {
      w[j] = Math.exp(w[j] - base);
      sum += w[j];
    }
    double sink = layer.sink() == null ? 0 : Math.exp(layer.sink().score() - self * LN_2 - base);
    double total = softmax ? sum + sink : layer.liveMass(i, n);
    for (int j = first; j <= last; j++) {
      w[j] /= total;
    }
    return w;
  }
}
