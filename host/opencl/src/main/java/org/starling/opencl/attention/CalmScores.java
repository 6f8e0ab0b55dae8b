package org.starling.opencl.attention;

import java.util.IdentityHashMap;
import java.util.Map;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/**
 * What is known beforehand about the size of scores in whole steps, so that exponentials can do
 * without a running maximum. A row's answer must not depend on tokens behind its last key: under a
 * causal mask the norms of all tokens may not be looked at, and the bound comes from the step size.
 */
final class CalmScores {
  /** Values of the kernel's third order. */
  private static final int UNKNOWN = 0;

  private static final int KNOWN = 1;
  private static final int BY_NORMS = 2;

  /** CALM_SCORE of replica_rows.cl. */
  private static final double CALM = 100;

  private static final double LOG2_E = 1 / Math.log(2);

  /**
   * @param kind value of the kernel's order
   * @param strength largest |y_i| / |x_i|
   */
  record Answer(int kind, double strength) {}

  private record Bound(double strength, double push) {}

  private final Map<Layer, Bound> bounds = new IdentityHashMap<>();
  private final double reach;
  private final int n;
  private final boolean raw;

  CalmScores(RungeKutta scheme, Shape s) {
    double largest = 0;
    for (double[] row : scheme.a()) {
      double sum = 0;
      for (double a : row) {
        sum += Math.abs(a);
      }
      largest = Math.max(largest, sum);
    }
    this.reach = largest;
    this.n = s.n();
    this.raw = scheme.raw();
  }

  /** The answer for a replica and a step of size h. */
  Answer of(Layer layer, double h) {
    Bound bound = bounds.computeIfAbsent(layer, CalmScores::bound);
    boolean later = layer.mask().causal() || layer.mask().prefix() != Mask.NONE;
    if (!later) {
      return new Answer(BY_NORMS, bound.strength);
    }
    boolean confined =
        layer.geometry() == Geometry.SPHERE
            && layer.normalisation() == Normalisation.SOFTMAX
            && !raw;
    // A stage leaves the sphere by at most h a |k|, |k| <= push (|x_j - x_i| + |x_i|).
    double growth = 3 * Math.abs(h) * reach * bound.push;
    if (!confined || !(growth < 0.5)) {
      return new Answer(UNKNOWN, bound.strength);
    }
    double norm = 1 / (1 - growth);
    double largest = 2 * bound.strength * norm * norm + layer.mask().alibi() * LOG2_E * n;
    return new Answer(largest < CALM ? KNOWN : UNKNOWN, bound.strength);
  }

  /**
   * The answer for a replica that chooses its steps itself; {@code strength} is then, where the
   * kind is KNOWN, the largest step for which scores of stages are known.
   */
  Answer ofAnyStep(Layer layer) {
    Answer atRest = of(layer, 0);
    if (atRest.kind != KNOWN) {
      return atRest;
    }
    Bound bound = bounds.get(layer);
    double room = CALM - layer.mask().alibi() * LOG2_E * n;
    double growth = Math.min(0.5, 1 - Math.sqrt(2 * bound.strength / room));
    double step = growth / (3 * reach * bound.push);
    return new Answer(KNOWN, 0.999 * Math.min(step, Float.MAX_VALUE));
  }

  private static Bound bound(Layer layer) {
    double strength = 0;
    double push = 0;
    for (Layer.LayerHead head : layer.heads()) {
      strength = Math.max(strength, Math.abs(layer.beta()) * LOG2_E * head.s().spectralBound());
      push += head.v().spectralBound();
    }
    return new Bound(strength, push);
  }
}
