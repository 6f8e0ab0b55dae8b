package org.starling.core.engine;

import java.util.List;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;

/**
 * Found by {@link java.util.ServiceLoader}; listing devices never throws and never fails the JVM.
 */
public interface EngineProvider {
  /** Engine name, as in {@link DeviceInfo#engine}. */
  String engine();

  /** All devices of this engine, unusable ones with their reason; empty is not an error. */
  List<DeviceInfo> devices();

  /**
   * Opens an engine on one of {@link #devices}.
   *
   * @throws EngineException if the device is unusable or lacks the precision (naming the
   *     alternative)
   */
  Engine open(DeviceInfo device, EngineOptions options);

  /**
   * Opens the operations of the theory of attention paths on one of {@link #devices}.
   *
   * @param precision SINGLE or DOUBLE
   * @throws EngineException if the engine has none, the device is unusable or lacks the precision
   */
  default PathOperations openPaths(DeviceInfo device, Precision precision) {
    throw new EngineException(
        EngineException.Kind.REQUEST,
        "the engine "
            + engine()
            + " does not compute attention paths; choose another device, such as java");
  }

  /**
   * How to open an engine.
   *
   * @param precision working precision
   * @param pinned settings of an earlier identity that decide the bits (tile sizes), or empty to
   *     let the engine choose
   * @param summation how sums over keys are to be formed
   * @param storage how keys and values are to be kept
   */
  record EngineOptions(
      Precision precision,
      java.util.Map<String, String> pinned,
      Summation summation,
      Storage storage) {
    /** With sums as the engine sees fit, keys and values in the working precision. */
    public EngineOptions(Precision precision, java.util.Map<String, String> pinned) {
      this(precision, pinned, Summation.AUTO, Storage.FULL);
    }

    public static EngineOptions of(Precision precision) {
      return new EngineOptions(precision, java.util.Map.of());
    }

    public EngineOptions withPinned(java.util.Map<String, String> settings) {
      return new EngineOptions(precision, settings, summation, storage);
    }

    public EngineOptions withSummation(Summation asked) {
      return new EngineOptions(precision, pinned, asked, storage);
    }

    public EngineOptions withStorage(Storage asked) {
      return new EngineOptions(precision, pinned, summation, asked);
    }
  }
}
