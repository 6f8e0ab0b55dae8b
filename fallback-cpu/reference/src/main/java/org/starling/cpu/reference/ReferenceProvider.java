package org.starling.cpu.reference;

import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.Requests;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;

/** Offers the reference engine: one device, always usable, float64 only. */
public final class ReferenceProvider implements EngineProvider {
  @Override
  public String engine() {
    return ReferenceIdentity.ENGINE;
  }

  @Override
  public List<DeviceInfo> devices() {
    return List.of(
        new DeviceInfo(
            ReferenceIdentity.ENGINE,
            ReferenceIdentity.ENGINE,
            ReferenceIdentity.DEVICE,
            "jvm",
            true,
            Runtime.getRuntime().maxMemory(),
            8 * ReferencePlan.LARGEST_ARRAY,
            null,
            Map.of(
                "java", System.getProperty("java.version"),
                "processors", String.valueOf(Runtime.getRuntime().availableProcessors()))));
  }

  @Override
  public Engine open(DeviceInfo device, EngineOptions options) {
    Requests.pairsOnly(options.summation(), engine());
    Requests.fullStorage(options.storage(), engine());
    if (options.precision() != Precision.DOUBLE) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          String.format(
              "the reference engine computes in float64 only and cannot run in %s precision; use"
                  + " --precision double, or the java engine (--device java)",
              options.precision().name().toLowerCase(java.util.Locale.ROOT)));
    }
    return new ReferenceEngine();
  }

  @Override
  public PathOperations openPaths(DeviceInfo device, Precision precision) {
    if (precision != Precision.DOUBLE) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "the reference engine computes in float64 only; use --precision double");
    }
    return new ReferencePaths();
  }
}
