package org.starling.opencl.attention;

import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Summation;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.opencl.cl.Device;

/**
 * Which layers are summed by a series: a function of layer, shape, device and what was asked for.
 */
final class SumChoice {
  static final String SETTING = "summation";

  /** Layers whose series are remembered. */
  private static final int KNOWN = 4096;

  /** From so many tokens on the shortest series is ahead of the pairs. */
  private static final int LEAST_TOKENS = 4096;

  private final Summation asked;
  private final Device device;
  private final Precision precision;
  private final Map<Layer, Expansion> known = new IdentityHashMap<>();

  /**
   * @param asked what was asked for
   */
  SumChoice(Summation asked, Device device, Precision precision) {
    this.asked = asked;
    this.device = device;
    this.precision = precision;
  }

  /** For the engine's identity. */
  String settings() {
    return asked.name().toLowerCase(Locale.ROOT);
  }

  /** The series of a layer that has one. */
  Expansion series(Layer layer) {
    if (known.size() >= KNOWN && !known.containsKey(layer)) {
      known.clear();
    }
    return known.computeIfAbsent(layer, l -> Expansion.of(l, precision));
  }

  /**
   * @throws EngineException of kind REQUEST, with the reason, if a series is asked for that is not
   *     there
   */
  boolean expands(Shape shape, Layer layer) {
    // Merged keys are few: their sums are formed pair by pair whatever was asked for.
    if (layer.merged() != null
        || (layer.keyed() && asked == Summation.AUTO)
        || asked == Summation.PAIRS
        || (asked == Summation.AUTO && !worthwhile(shape, layer))) {
      return false;
    }
    if (known.containsKey(layer)) {
      return asked == Summation.EXPANSION || longEnough(shape, layer);
    }
    String reason =
        device.fp64()
            ? Expansion.refusal(layer)
            : "its sums need float64, which " + device.name() + " does not have";
    if (reason != null && asked == Summation.EXPANSION) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "no fast summation here: "
              + reason
              + "; use summation: auto, or pairs, which computes everything");
    }
    return reason == null && (asked == Summation.EXPANSION || longEnough(shape, layer));
  }

  private boolean longEnough(Shape shape, Layer layer) {
    return shape.n() >= series(layer).worthwhileFrom();
  }

  /**
   * What rules it out at a glance. In double precision a float64 series' rounding, some 1e-15 of
   * the keys, is above 1e-11 of the speed of many a token, and on GPUs nobody has measured it yet.
   */
  private boolean worthwhile(Shape shape, Layer layer) {
    return (layer.d() == 2 || layer.d() == 3)
        && shape.n() >= LEAST_TOKENS
        && device.cpu()
        && precision != Precision.DOUBLE;
  }
}
