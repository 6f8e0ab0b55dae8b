package org.starling.bench;

import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.model.Precision;

/**
 * Where the engines to be measured come from.
 *
 * @param device the device under measurement
 * @param engine opens it
 * @param expanding opens it for sums by a series; refused where it has none
 * @param java opens the engine {@code java}
 * @param processor an OpenCL device on the processor that {@code java} runs on, whose probe gives
 *     the peak to compare it with; null if there is none
 */
public record Subjects(
    DeviceInfo device, Opener engine, Opener expanding, Opener java, Opener processor) {
  /** Opens an engine in a precision; the caller closes it. */
  public interface Opener {
    Engine open(Precision precision);
  }
}
