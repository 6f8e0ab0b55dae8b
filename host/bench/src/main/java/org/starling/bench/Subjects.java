package org.starling.bench;

import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Precision;

/**
 * Where the engines to be measured come from.
 *
 * @param device the device under measurement
 * @param engine opens it
 * @param tiles tile sizes that a run would use
 * @param processor an OpenCL device on the processor that the engine {@code java} runs on, whose
 *     probe gives the peak to compare it with; null if there is none
 */
public record Subjects(DeviceInfo device, Opener engine, TileSource tiles, Opener processor) {
  /** Opens an engine; the caller closes it. */
  public interface Opener {
    Engine open(EngineOptions options);
  }

  /** How a run of this precision, mask and dimension opens its engine. */
  public interface TileSource {
    EngineOptions options(Precision precision, boolean causal, int d);
  }
}
