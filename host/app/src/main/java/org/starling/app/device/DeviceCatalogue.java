package org.starling.app.device;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineProvider;

/**
 * Every device of every engine on the class path. A provider that cannot be loaded (a missing
 * native library is an {@link Error} in Java) takes down itself only, and is listed with the
 * reason.
 */
public final class DeviceCatalogue {
  private final List<Entry> entries;

  /**
   * A device and the provider that opens it.
   *
   * @param provider null for an engine that could not even be loaded; its device is unusable
   */
  public record Entry(DeviceInfo device, EngineProvider provider) {}

  private DeviceCatalogue(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** Looks at the class path. */
  public static DeviceCatalogue discover() {
    List<Entry> entries = new ArrayList<>();
    Iterator<EngineProvider> found = ServiceLoader.load(EngineProvider.class).iterator();
    while (true) {
      EngineProvider provider;
      try {
        if (!found.hasNext()) {
          return new DeviceCatalogue(entries);
        }
        provider = found.next();
      } catch (ServiceConfigurationError | LinkageError e) {
        entries.add(new Entry(unusable("unknown", e), null));
        continue;
      }
      entries.addAll(of(List.of(provider)).entries());
    }
  }

  /** Asks the given providers for their devices. */
  public static DeviceCatalogue of(List<EngineProvider> providers) {
    List<Entry> entries = new ArrayList<>();
    for (EngineProvider p : providers) {
      try {
        p.devices().forEach(d -> entries.add(new Entry(d, p)));
      } catch (RuntimeException | LinkageError e) {
        entries.add(new Entry(unusable(p.engine(), e), p));
      }
    }
    return new DeviceCatalogue(entries);
  }

  public List<Entry> entries() {
    return entries;
  }

  private static DeviceInfo unusable(String engine, Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String why =
        "the engine could not be loaded ("
            + root.getClass().getSimpleName()
            + ": "
            + root.getMessage()
            + "); `starling doctor` says more";
    return new DeviceInfo(engine, engine, engine, "none", false, 0, 0, why, Map.of());
  }
}
