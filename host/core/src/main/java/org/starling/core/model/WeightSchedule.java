package org.starling.core.model;

import java.util.List;

/** The heads of each layer: constant, listed, or drawn afresh per layer. */
public interface WeightSchedule {
  /** Heads in force during layer {@code layer} (from 0); deterministic in {@code layer}. */
  List<Head> heads(int layer);

  /** True when every layer has the same heads. */
  boolean constant();

  /** Number of layers that have weights; {@link Integer#MAX_VALUE} when unlimited. */
  int layers();

  static WeightSchedule constant(List<Head> heads) {
    List<Head> copy = List.copyOf(heads);
    return new WeightSchedule() {
      @Override
      public List<Head> heads(int layer) {
        return copy;
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
