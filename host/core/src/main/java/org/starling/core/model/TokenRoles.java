package org.starling.core.model;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What sets the tokens of a replica apart from one another. Frozen ones stand still, and are seen
 * by others as ever (causal paper, Theorem 5.2). A token of weight a_j counts as a_j tokens where
 * it is a key: w_ij = a_j e^{s_ij} / sum_k a_k e^{s_ik}, its own row's self term included;
 * unnormalised weights are divided by the sum of the live a_k.
 */
public final class TokenRoles {
  private final boolean[] frozen;
  private final double[] weight;

  /**
   * @param frozen {@code [n]}
   * @param weight {@code [n]}, finite and &gt; 0; null where all are 1
   */
  public TokenRoles(boolean[] frozen, double[] weight) {
    this.frozen = frozen.clone();
    this.weight = weight == null ? null : weight.clone();
    if (weight != null && weight.length != frozen.length) {
      throw new IllegalArgumentException(
          weight.length + " weights were given for " + frozen.length + " tokens");
    }
    for (int i = 0; weight != null && i < weight.length; i++) {
      if (!(weight[i] > 0 && weight[i] < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "weights must be finite and > 0, but that of token " + i + " is " + weight[i]);
      }
    }
  }

  /** Number of tokens n. */
  public int tokens() {
    return frozen.length;
  }

  /** Whether token i stands still: its velocity and its attention output are 0. */
  public boolean frozen(int i) {
    return frozen[i];
  }

  /** The frozen tokens, ascending. */
  public int[] frozen() {
    return IntStream.range(0, frozen.length).filter(i -> frozen[i]).toArray();
  }

  /** Whether some weight is given. */
  public boolean weighted() {
    return weight != null;
  }

  /** a_i. */
  public double weight(int i) {
    return weight == null ? 1 : weight[i];
  }

  /** Sum of all weights. */
  public double mass() {
    return weight == null ? frozen.length : Arrays.stream(weight).sum();
  }
}
