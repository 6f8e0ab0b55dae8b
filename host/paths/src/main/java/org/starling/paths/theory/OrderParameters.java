package org.starling.paths.theory;

import java.util.ArrayList;
import java.util.List;

/**
 * Gram matrices of effective weights: U_1 (of all paths), .., U_L and U_a.
 *
 * @param u of every layer, the first one first, symmetric positive definite {@code [n_l][n_l]}
 * @param readout U_a
 */
public record OrderParameters(List<double[]> u, double readout) {
  public OrderParameters {
    u = List.copyOf(u);
  }

  /** Their values at infinite width. */
  public static OrderParameters limit(PathNetwork network) {
    List<double[]> u = new ArrayList<>();
    for (int l = 0; l < network.depth(); l++) {
      u.add(Small.identity(network.pathsFrom(l), network.limitVariance(l)));
    }
    return new OrderParameters(u, network.readoutVariance());
  }

  /** U_1, which the kernel is made of. */
  public double[] first() {
    return u.get(0);
  }

  /** U_a at the least action for a given U_L. */
  static double eliminated(PathNetwork network, double[] last) {
    int l = network.depth() - 1;
    int heads = network.heads().get(l);
    double width = network.widths().get(l);
    double readout = network.readoutWidth();
    double s = network.readoutVariance();
    double b = s * (heads * width / readout - 1);
    double g = s * width * Small.trace(last, heads) / (readout * network.variances().get(l));
    double root = Math.sqrt(b * b + 4 * g);
    // Without cancellation for either sign of b.
    return b > 0 ? 2 * g / (b + root) : (root - b) / 2;
  }
}
