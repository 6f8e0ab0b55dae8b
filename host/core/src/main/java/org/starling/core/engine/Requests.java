package org.starling.core.engine;

import java.util.List;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;

/** Checks of what an engine is asked, the same for all engines; each throws kind REQUEST. */
public final class Requests {
  private Requests() {}

  /** Layers, one per replica, of the state's dimension. */
  public static void layers(Shape shape, List<Layer> layers) {
    if (layers.size() != shape.replicas()) {
      throw refused(shape.replicas() + " replicas need as many layers, got " + layers.size());
    }
    for (int r = 0; r < layers.size(); r++) {
      if (layers.get(r).d() != shape.d()) {
        throw refused(
            "the weights of replica "
                + r
                + " are for d = "
                + layers.get(r).d()
                + " but the tokens have d = "
                + shape.d());
      }
    }
  }

  /** For an engine that sums over keys pair by pair. */
  public static void pairsOnly(Summation asked, String engine) {
    if (asked == Summation.EXPANSION) {
      throw refused(
          "the engine "
              + engine
              + " sums over keys pair by pair; leave execution.summation out, or use an OpenCL"
              + " device");
    }
  }

  /** For an engine that keeps no copy of keys and values to be made smaller. */
  public static void fullStorage(Storage asked, String engine) {
    if (asked != Storage.FULL) {
      throw refused(
          "the engine "
              + engine
              + " reads keys and values where the state is, in the working precision; leave"
              + " execution.storage out, or use an OpenCL CPU device (--device cpu)");
    }
  }

  /** Two states or fields used together. */
  public static void sameShape(Shape a, Shape b) {
    if (!a.equals(b)) {
      throw refused("a state or field of " + a + " was given together with one of " + b);
    }
  }

  /** An active mask with one entry per replica. */
  public static void active(Shape shape, boolean[] active) {
    if (active.length != shape.replicas()) {
      throw refused(
          "the active mask needs an entry per replica: "
              + shape.replicas()
              + ", got "
              + active.length);
    }
  }

  /** Groups of the tokens of each replica; null where a replica has none. */
  public static void merged(Shape shape, MergedKeys[] keys) {
    if (keys.length != shape.replicas()) {
      throw refused(shape.replicas() + " replicas need as many groupings, got " + keys.length);
    }
    for (MergedKeys k : keys) {
      if (k != null && k.tokens() != shape.n()) {
        throw refused("groups of " + k.tokens() + " tokens were given for n = " + shape.n());
      }
    }
  }

  /** A stream, a step number and a scale for each replica. */
  public static void noise(Shape shape, int streams, int steps, int scales) {
    if (streams != shape.replicas() || steps != streams || scales != streams) {
      throw refused(
          String.format(
              "noise needs a stream, a step number and a scale for each of %d replicas, got %d, %d"
                  + " and %d",
              shape.replicas(), streams, steps, scales));
    }
  }

  /** One row of coefficients per field, one entry per replica. */
  public static void coefficients(Shape shape, double[][] coefficients, Field[] k) {
    if (coefficients.length != k.length) {
      throw refused(k.length + " fields need as many coefficients, got " + coefficients.length);
    }
    for (int m = 0; m < k.length; m++) {
      sameShape(shape, k[m].shape());
      if (coefficients[m].length != shape.replicas()) {
        throw refused(
            "field "
                + m
                + " needs a coefficient per replica: "
                + shape.replicas()
                + ", got "
                + coefficients[m].length);
      }
    }
  }

  /** Numbers uploaded into a state or field. */
  public static void numbers(Shape shape, long given) {
    if (given != shape.size()) {
      throw refused("a state or field of " + shape.size() + " numbers cannot take " + given);
    }
  }

  /** Bytes of a snapshot. */
  public static void snapshot(long expected, long given) {
    if (given != expected) {
      throw refused("a snapshot of this state has " + expected + " bytes, got " + given);
    }
  }

  /** A state or field that another engine allocated. */
  public static EngineException foreign() {
    return refused("this state or field was not allocated by this engine");
  }

  private static EngineException refused(String message) {
    return new EngineException(EngineException.Kind.REQUEST, message);
  }
}
