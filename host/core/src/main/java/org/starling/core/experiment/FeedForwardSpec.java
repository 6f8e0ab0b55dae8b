package org.starling.core.experiment;

import java.util.List;
import org.starling.core.model.FeedForward.Activation;
import org.starling.core.model.FeedForward.Source;

/**
 * The block {@code model.feed_forward}.
 *
 * @param of what the term is a function of
 * @param w1 the matrix within the activation, one for all layers
 * @param w2 the matrix outside of it, one for all layers
 * @param bias {@code [d]}; empty for none
 */
public record FeedForwardSpec(
    Source of, Activation activation, WeightSpec w1, WeightSpec w2, List<Double> bias) {
  public FeedForwardSpec {
    bias = List.copyOf(bias);
  }
}
