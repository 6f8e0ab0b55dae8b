package org.starling.opencl;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Requests;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.opencl.attention.LayerOperations;

/** Observables, from the kernels over tokens and the kernels over pairs. */
final class ClObservations implements Observations {
  private final OpenClEngine engine;
  private final LayerOperations pairs;
  private final StateObservations tokens;
  private final TokenRules rules;

  ClObservations(
      OpenClEngine engine, LayerOperations pairs, StateObservations tokens, TokenRules rules) {
    this.engine = engine;
    this.pairs = pairs;
    this.tokens = tokens;
    this.rules = rules;
  }

  @Override
  public double[] energy(State x, Layer[] layers) {
    ClState own = engine.own(x);
    Requests.layers(own.shape(), List.of(layers));
    return engine.get("computing the energy", () -> pairs.energy(own, layers));
  }

  @Override
  public PairStatistics[] innerProducts(State x, int bins) {
    ClState own = engine.own(x);
    if (bins < 1) {
      throw OpenClEngine.refused("a histogram needs at least 1 bin, got " + bins);
    }
    return engine.get("counting inner products", () -> pairs.innerProducts(own, bins));
  }

  @Override
  public Clusters[] clusters(State x, Linkage linkage, double threshold) {
    ClState own = engine.own(x);
    return engine.get("finding clusters", () -> pairs.clusters(own, linkage, threshold));
  }

  @Override
  public Spread[] distanceToFirst(State x) {
    ClState own = engine.own(x);
    return engine.get("measuring distances", () -> tokens.spread(own, true));
  }

  @Override
  public Spread[] norms(State x) {
    ClState own = engine.own(x);
    return engine.get("measuring norms", () -> tokens.spread(own, false));
  }

  @Override
  public double[] orderParameter(State x) {
    ClState own = engine.own(x);
    return engine.get("computing the order parameter", () -> tokens.orderParameter(own));
  }

  @Override
  public double[] attentionEntropy(State x, Layer[] layers) {
    ClState own = engine.own(x);
    Requests.layers(own.shape(), List.of(layers));
    return engine.get(
        "computing the entropy", () -> pairs.attentionEntropy(read(own, layers), layers));
  }

  @Override
  public double[][] secondMoment(State x) {
    ClState own = engine.own(x);
    return engine.get("computing second moments", () -> tokens.secondMoment(own));
  }

  @Override
  public NonFinite[] nonFinite(State x) {
    ClState own = engine.own(x);
    return engine.get("looking for non-finite numbers", () -> tokens.nonFinite(own));
  }

  @Override
  public double[][] attentionRows(State x, Layer layer, int head, int replica, int[] rows) {
    ClState own = engine.own(x);
    if (replica < 0 || replica >= own.shape().replicas()) {
      throw OpenClEngine.refused(
          "replica " + replica + " is outside 0 .. " + (own.shape().replicas() - 1));
    }
    if (head < 0 || head >= layer.heads().size()) {
      throw OpenClEngine.refused("head " + head + " is outside 0 .. " + (layer.heads().size() - 1));
    }
    for (int row : rows) {
      if (row < 0 || row >= own.shape().n()) {
        throw OpenClEngine.refused("row " + row + " is outside 0 .. " + (own.shape().n() - 1));
      }
    }
    return engine.get(
        "reading attention rows",
        () -> pairs.attentionRows(read(own, layer), layer, head, replica, rows));
  }

  /** What attention reads: directions where a layer's rule says so, and replicas have one rule. */
  private ClState read(ClState x, Layer... layers) {
    if (!layers[0].readsDirections()) {
      return x;
    }
    boolean[] all = new boolean[x.shape().replicas()];
    Arrays.fill(all, true);
    return rules.directionsOf(x, all);
  }
}
