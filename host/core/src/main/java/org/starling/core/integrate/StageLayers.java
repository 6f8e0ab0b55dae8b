package org.starling.core.integrate;

import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;

/**
 * The layers of one evaluation, an entry per replica: the same object as long as it is the same
 * layer, so that engines keep what they derive from it.
 */
final class StageLayers {
  private final Dynamics[] dynamics;
  private final Layer[] layers;
  private final Layer[] last;
  private final int[] lastIndex;
  private final double[] lastTime;

  StageLayers(Dynamics[] dynamics) {
    this.dynamics = dynamics;
    layers = new Layer[dynamics.length];
    last = new Layer[dynamics.length];
    lastIndex = new int[dynamics.length];
    lastTime = new double[dynamics.length];
  }

  /** Layers at times t[r] within weight sets index[r]; valid until the next call. */
  Layer[] at(double[] t, int[] index, boolean[] which) {
    Layer any = null;
    for (int r = 0; r < layers.length; r++) {
      if (which[r]) {
        layers[r] = at(r, t[r], index[r]);
        any = layers[r];
      }
    }
    for (int r = 0; r < layers.length; r++) {
      if (!which[r]) {
        layers[r] = any; // not read; one of the batch, so that engines see no further layer
      }
    }
    return layers;
  }

  private Layer at(int r, double t, int index) {
    if (last[r] == null
        || lastIndex[r] != index
        || (t != lastTime[r] && !dynamics[r].autonomous())) {
      last[r] = dynamics[r].at(t, index);
      lastIndex[r] = index;
      lastTime[r] = t;
    }
    return last[r];
  }
}
