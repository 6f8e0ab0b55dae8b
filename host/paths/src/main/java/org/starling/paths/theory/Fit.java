package org.starling.paths.theory;

import java.util.List;

/**
 * Order parameters at the least action.
 *
 * @param network what was fitted
 * @param parameters U_1 .. U_L and U_a
 * @param energy E
 * @param entropy S
 * @param iterations of the start that was taken
 * @param evaluations of all starts together
 * @param gradient largest derivative of F / (largest width) by a coordinate
 * @param converged whether that is small on the scale that the widths ask for
 * @param curvature smallest curvature of F / (largest width) that was found in coordinates
 * @param others what the other starts ended at
 */
public record Fit(
    PathNetwork network,
    OrderParameters parameters,
    double energy,
    double entropy,
    int iterations,
    int evaluations,
    double gradient,
    boolean converged,
    double curvature,
    List<Ending> others) {
  public Fit {
    others = List.copyOf(others);
  }

  /**
   * Where another start ended.
   *
   * @param excess its action over the least one, divided by the largest width
   * @param distance largest difference of an entry of U_1
   */
  public record Ending(double excess, double distance) {}

  public double action() {
    return energy + entropy;
  }
}
