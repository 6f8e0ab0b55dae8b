package org.starling.paths.experiment;

import org.starling.core.experiment.InputFile;

/** Where a head's scores come from. */
public sealed interface HeadSpec {
  /** The hidden-Markov task's head that compares a token with the one before it. */
  record Good() implements HeadSpec {}

  /** All keys alike. */
  record Uniform() implements HeadSpec {}

  /** Gaussian entries on the hidden-Markov task's inputs. */
  record Random(long seed, double strength) implements HeadSpec {}

  /** W {@code [width][width]}, key coordinate first. */
  record Matrix(InputFile w) implements HeadSpec {}

  /** Q and K {@code [G][width]}: W = K^T Q / sqrt(G). */
  record QueryKey(InputFile query, InputFile key) implements HeadSpec {}
}
