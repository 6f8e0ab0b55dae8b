package org.starling.core.paths;

/**
 * Inputs of a network, all of one length.
 *
 * @param count number P of examples
 * @param tokens number of tokens of each, with any token that marks the beginning
 * @param width coordinates of a token, N0
 * @param x {@code [count][tokens][width]}
 */
public record Sequences(int count, int tokens, int width, double[] x) {
  public Sequences {
    if (count < 0 || tokens < 1 || width < 1 || x.length != (long) count * tokens * width) {
      throw new IllegalArgumentException(
          "sequences of shape [" + count + "][" + tokens + "][" + width + "] from " + x.length);
    }
  }
}
