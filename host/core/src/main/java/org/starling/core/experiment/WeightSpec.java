package org.starling.core.experiment;

import java.util.List;

/**
 * How Q, K or V is given for all heads and layers.
 *
 * @param layers matrices of each layer; one entry for weights that every layer shares. Each entry
 *     holds one matrix for every head, or one a head.
 * @param perLayer true for random matrices drawn afresh in each layer ({@code layers} has one
 *     entry)
 */
public record WeightSpec(List<List<MatrixSpec>> layers, boolean perLayer) {
  public WeightSpec {
    layers = layers.stream().map(List::copyOf).toList();
  }

  /** The same matrix for every head and layer. */
  public static WeightSpec of(MatrixSpec matrix) {
    return new WeightSpec(List.of(List.of(matrix)), false);
  }

  /** True when layers differ. */
  public boolean varies() {
    return perLayer || layers.size() > 1;
  }

  /** True when the experiment's seed decides a matrix. */
  boolean drawnFromSeed() {
    return layers.stream()
        .flatMap(List::stream)
        .anyMatch(m -> m instanceof MatrixSpec.Random r && r.seed() == null);
  }

  /** The matrix of a head in a layer. */
  MatrixSpec matrix(int layer, int head) {
    List<MatrixSpec> heads = layers.get(layers.size() == 1 ? 0 : layer);
    return heads.get(heads.size() == 1 ? 0 : head);
  }
}
