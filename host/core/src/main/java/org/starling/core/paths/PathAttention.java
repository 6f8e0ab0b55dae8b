package org.starling.core.paths;

import java.util.List;

/**
 * The attention of a network whose scores come from the bare input in every layer. The logit of key
 * s for query t is {@code x_s^T W x_t}; queries and keys of their own are merged, W = K^T Q /
 * sqrt(G).
 *
 * @param width coordinates of a token, N0
 * @param layers for every layer, the first one first, W of every head, {@code [width][width]}
 * @param hardmax one key, that of the largest logit (the first of equal ones), instead of softmax
 * @param readout queries of the last layer that are read
 */
public record PathAttention(
    int width, List<List<double[]>> layers, boolean hardmax, Readout readout) {
  public PathAttention {
    layers = layers.stream().map(List::copyOf).toList();
    if (layers.isEmpty()) {
      throw new IllegalArgumentException("a network has at least one layer of attention");
    }
    long paths = 1;
    for (List<double[]> heads : layers) {
      paths = Math.multiplyExact(paths, (long) heads.size());
      for (double[] w : heads) {
        if (w.length != (long) width * width) {
          throw new IllegalArgumentException(
              "a head's matrix has " + w.length + " entries, not " + width + " x " + width);
        }
      }
    }
    if (paths < 1 || paths > 1 << 16) {
      throw new IllegalArgumentException("the number of paths must be 1 to 65536, not " + paths);
    }
  }

  public int depth() {
    return layers.size();
  }

  /** Heads of layer {@code l}, from 0. */
  public int heads(int l) {
    return layers.get(l).size();
  }

  /** Number of paths that begin in layer {@code l} (from 0): H_l ... H_L, 1 past the last layer. */
  public int pathsFrom(int l) {
    int n = 1;
    for (int k = l; k < depth(); k++) {
      n *= heads(k);
    }
    return n;
  }

  /** Number n of paths; their index is lexicographic with the first layer's head slowest. */
  public int paths() {
    return pathsFrom(0);
  }
}
