package org.starling.paths.theory;

import java.util.List;
import org.starling.core.paths.PathAttention;

/**
 * A network with attention of fixed scores and Gaussian weights, and its posterior's temperature.
 *
 * @param heads heads H_1 .. H_L of the layers
 * @param widths N_1 .. N_L: of the input of every layer of attention
 * @param readoutWidth N_a
 * @param inputVariance prior variance s_0^2 of the input projection
 * @param variances s_1^2 .. s_L^2
 * @param readoutVariance s_a^2
 * @param temperature T, the variance of the likelihood, 0 or more
 */
public record PathNetwork(
    List<Integer> heads,
    List<Integer> widths,
    int readoutWidth,
    double inputVariance,
    List<Double> variances,
    double readoutVariance,
    double temperature) {
  public PathNetwork {
    heads = List.copyOf(heads);
    widths = List.copyOf(widths);
    variances = List.copyOf(variances);
    if (heads.isEmpty() || widths.size() != heads.size() || variances.size() != heads.size()) {
      throw new IllegalArgumentException(
          heads.size()
              + " layers with "
              + widths.size()
              + " widths and "
              + variances.size()
              + " variances");
    }
    for (int l = 0; l < heads.size(); l++) {
      if (heads.get(l) < 1 || widths.get(l) < 1 || !(variances.get(l) > 0)) {
        throw new IllegalArgumentException("layer " + (l + 1) + " of " + heads + ", " + widths);
      }
    }
    if (readoutWidth < 1
        || !(inputVariance > 0)
        || !(readoutVariance > 0)
        || !(temperature >= 0 && temperature < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "readout width "
              + readoutWidth
              + ", variances "
              + inputVariance
              + " and "
              + readoutVariance
              + ", temperature "
              + temperature);
    }
  }

  /** Equal widths and unit variances. */
  public static PathNetwork plain(List<Integer> heads, int width, double temperature) {
    int depth = heads.size();
    return new PathNetwork(
        heads,
        java.util.Collections.nCopies(depth, width),
        width,
        1,
        java.util.Collections.nCopies(depth, 1.0),
        1,
        temperature);
  }

  public PathNetwork withWidth(int width) {
    return new PathNetwork(
        heads,
        java.util.Collections.nCopies(depth(), width),
        width,
        inputVariance,
        variances,
        readoutVariance,
        temperature);
  }

  public PathNetwork withTemperature(double t) {
    return new PathNetwork(
        heads, widths, readoutWidth, inputVariance, variances, readoutVariance, t);
  }

  public int depth() {
    return heads.size();
  }

  /** n_l = H_l ... H_L for layer {@code l} from 0; 1 past the last one. */
  public int pathsFrom(int l) {
    int n = 1;
    for (int k = l; k < depth(); k++) {
      n *= heads.get(k);
    }
    return n;
  }

  public int paths() {
    return pathsFrom(0);
  }

  public int largestWidth() {
    int largest = readoutWidth;
    for (int w : widths) {
      largest = Math.max(largest, w);
    }
    return largest;
  }

  /** Value of U_l on its diagonal in the limit of infinite widths: s_a^2 s_L^2 ... s_l^2. */
  public double limitVariance(int l) {
    double v = readoutVariance;
    for (int k = depth() - 1; k >= l; k--) {
      v *= variances.get(k);
    }
    return v;
  }

  /** What attentioned inputs are multiplied with: s_0 / sqrt(N0 n). */
  public double featureScale(PathAttention attention) {
    return Math.sqrt(inputVariance / ((double) attention.width() * paths()));
  }
}
