package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.model.Head;
import org.starling.core.model.WeightSchedule;

/** Heads whose matrices differ from layer to layer, made when a layer is entered. */
final class Weights implements WeightSchedule {
  private final int headCount;
  private final int layers;
  private final WeightSource q;
  private final WeightSource k;
  private final WeightSource v;

  private int lastLayer = -1;
  private List<Head> last;

  /**
   * @param layers number of layers listed, or {@link Integer#MAX_VALUE}
   */
  Weights(int headCount, int layers, WeightSource q, WeightSource k, WeightSource v) {
    this.headCount = headCount;
    this.layers = layers;
    this.q = q;
    this.k = k;
    this.v = v;
  }

  @Override
  public synchronized List<Head> heads(int layer) {
    if (layer != lastLayer) {
      List<Head> heads = new ArrayList<>(headCount);
      for (int h = 0; h < headCount; h++) {
        heads.add(new Head(q.matrix(layer, h), k.matrix(layer, h), v.matrix(layer, h)));
      }
      last = List.copyOf(heads);
      lastLayer = layer;
    }
    return last;
  }

  @Override
  public boolean constant() {
    return false;
  }

  @Override
  public int layers() {
    return layers;
  }
}
