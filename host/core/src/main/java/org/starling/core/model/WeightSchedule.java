package org.starling.core.model;

import java.util.List;

/** The heads of each layer: constant, listed, or drawn afresh per layer. */
public interface WeightSchedule {
  /** Heads in force during layer {@code layer} (from 0); deterministic in {@code layer}. */
  List<Head> heads(int layer);

  /**
   * The same heads with the score matrix S = Q^T K of each formed; a constant schedule forms them
   * once for all dynamics that share it.
   */
  default List<Layer.LayerHead> merged(int layer) {
    return heads(layer).stream()
        .map(h -> new Layer.LayerHead(h.q().transposed().times(h.k()), h.v(), h.q(), h.k()))
        .toList();
  }

  /** True when every layer has the same heads. */
  boolean constant();

  /** Number of layers that have weights; {@link Integer#MAX_VALUE} when unlimited. */
  int layers();

  static WeightSchedule constant(List<Head> heads) {
    List<Head> copy = List.copyOf(heads);
    return new WeightSchedule() {
      private List<Layer.LayerHead> merged;

      @Override
      public List<Head> heads(int layer) {
        return copy;
      }

      @Override
      public synchronized List<Layer.LayerHead> merged(int layer) {
        merged = merged == null ? WeightSchedule.super.merged(0) : merged;
        return merged;
      }

      @Override
      public boolean constant() {
        return true;
      }

      @Override
      public int layers() {
        return Integer.MAX_VALUE;
      }
    };
  }
}
