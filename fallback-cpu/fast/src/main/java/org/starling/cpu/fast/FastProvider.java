package org.starling.cpu.fast;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.Requests;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;

/** The engine {@code java}: always there, the fallback where no OpenCL device is. */
public final class FastProvider implements EngineProvider {
  @Override
  public String engine() {
    return "java";
  }

  @Override
  public List<DeviceInfo> devices() {
    int threads = Runtime.getRuntime().availableProcessors();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("threads", Integer.toString(threads));
    properties.put("loops", Lanes.choice().sentence());
    properties.put("JVM", System.getProperty("java.vm.name") + " " + Runtime.version());
    long memory = Runtime.getRuntime().maxMemory();
    return List.of(
        new DeviceInfo(
            engine(),
            "java",
            "Java on " + threads + " threads",
            "jvm",
            true,
            memory,
            FastEngine.MAX_NUMBERS * (long) Double.BYTES,
            null,
            properties));
  }

  @Override
  public Engine open(DeviceInfo device, EngineOptions options) {
    Requests.pairsOnly(options.summation(), engine());
    Requests.fullStorage(options.storage(), engine());
    Engine engine = new FastEngine(options.precision());
    requirePinned(options.pinned(), engine.identity().settings());
    return engine;
  }

  @Override
  public PathOperations openPaths(DeviceInfo device, Precision precision) {
    if (precision != Precision.DOUBLE) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "the engine java computes attention paths in float64 only; use --precision double");
    }
    return new FastPaths();
  }

  /** A run goes on only with the settings that decided its bits so far. */
  private static void requirePinned(Map<String, String> pinned, Map<String, String> settings) {
    for (Map.Entry<String, String> pin : pinned.entrySet()) {
      String now = settings.get(pin.getKey());
      if (!pin.getValue().equals(now)) {
        throw new EngineException(
            EngineException.Kind.REQUEST,
            "the run was begun with "
                + pin.getKey()
                + " = "
                + pin.getValue()
                + " but the engine java has "
                + (now == null ? "no such setting" : pin.getKey() + " = " + now)
                + "; resume it with the version that began it");
      }
    }
  }
}
