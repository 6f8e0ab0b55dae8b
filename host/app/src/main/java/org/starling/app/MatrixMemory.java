package org.starling.app;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.starling.core.experiment.ResolvedExperiment;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.model.Weight;

/** The Java heap that d x d matrices need, whatever the number of tokens. */
final class MatrixMemory {
  /** A head at work is there once more as it is multiplied by: turned, or in float32. */
  private static final int WORKING = 2;

  /** Of the second moments of a replica, while their spectrum is computed. */
  private static final int SPECTRUM = 3;

  private MatrixMemory() {}

  /**
   * Bytes of the dense weights Q, K, V and S = Q^T K of all dynamics, each once, with working
   * copies of the largest layer; and of second moments, where effective-rank is observed.
   */
  static long of(ResolvedExperiment resolved) {
    Set<double[]> held = Collections.newSetFromMap(new IdentityHashMap<>());
    long working = 0;
    for (Dynamics dynamics : resolved.distinctDynamics()) {
      long layer = 0;
      for (Layer.LayerHead head : dynamics.at(0, 0).heads()) {
        for (Weight w : List.of(head.q(), head.k(), head.v(), head.s())) {
          if (w instanceof Weight.Dense m) {
            held.add(m.entries());
          }
        }
        layer += bytes(head.v()) + bytes(head.s());
      }
      working = Math.max(working, layer);
    }
    long bytes = WORKING * working;
    for (double[] entries : held) {
      bytes += (long) entries.length * Double.BYTES;
    }
    boolean spectrum = resolved.observe().stream().anyMatch(o -> o.key().equals("effective-rank"));
    long d = resolved.shape().d();
    return bytes + (spectrum ? (resolved.shape().replicas() + SPECTRUM) * d * d * Double.BYTES : 0);
  }

  private static long bytes(Weight w) {
    return w instanceof Weight.Dense m ? (long) m.entries().length * Double.BYTES : 0;
  }
}
