package org.starling.core.model;

/**
 * One more key that every query sees, whatever the mask, with the same score for all: w_i,sink =
 * e^score / (sum_j a_j e^{s_ij} + e^score). It stands at {@code place} as a token would, so that
 * its value is V {@code place}; at 0 it only takes weight away.
 *
 * @param place {@code [d]}
 */
public record Sink(double score, double[] place) {
  public Sink {
    place = place.clone();
    if (!Double.isFinite(score)) {
      throw new IllegalArgumentException("the score of a sink must be finite, got " + score);
    }
  }

  @Override
  public double[] place() {
    return place.clone();
  }
}
