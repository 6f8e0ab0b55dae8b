package org.starling.core.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** A look of conditions at states: what several of them want to know is measured once. */
final class Look {
  private final Engine engine;
  private final State x;
  private final Layer[] layers;
  private final double[] t;
  private final Map<List<Object>, Observations.Clusters[]> clusters = new HashMap<>();
  private double[] energy;

  /**
   * @param layers in force at the times t, one per replica
   */
  Look(Engine engine, State x, Layer[] layers, double[] t) {
    this.engine = engine;
    this.x = x;
    this.layers = layers;
    this.t = t;
  }

  Engine engine() {
    return engine;
  }

  State x() {
    return x;
  }

  double[] t() {
    return t;
  }

  Observations.Clusters[] clusters(Linkage linkage, double threshold) {
    return clusters.computeIfAbsent(
        List.of(linkage, threshold), key -> engine.observations().clusters(x, linkage, threshold));
  }

  double[] energy() {
    energy = energy == null ? engine.observations().energy(x, layers) : energy;
    return energy;
  }
}
