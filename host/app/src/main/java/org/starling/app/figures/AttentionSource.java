package org.starling.app.figures;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** Computes an attention matrix for positions read from a run. */
@FunctionalInterface
public interface AttentionSource {
  /**
   * The attention matrix of one head.
   *
   * @param positions {@code [n][d]} row-major
   * @param layer the dynamics frozen at the time of the positions
   * @param head index of the head, from 0
   * @return {@code [n][n]}, row i the weights of query i; dead keys 0
   */
  double[][] matrix(double[] positions, int n, int d, Layer layer, int head);

  /** All rows from an engine, which stays the caller's to close. */
  static AttentionSource of(Engine engine) {
    return (positions, n, d, layer, head) -> {
      int[] rows = new int[n];
      for (int i = 0; i < n; i++) {
        rows[i] = i;
      }
      try (State x = engine.allocateState(new Shape(1, n, d))) {
        engine.upload(x, positions);
        return engine.observations().attentionRows(x, layer, head, 0, rows);
      }
    };
  }
}
