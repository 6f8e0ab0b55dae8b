package org.starling.app.device;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
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
    return discover(engine -> true);
  }

  /**
   * Looks at the class path for what can answer a request. Where it names an engine the others are
   * not even loaded: a broken driver must not harm a run that does without it.
   */
  public static DeviceCatalogue discover(DeviceRequest request) {
    return switch (request.kind()) {
      case JAVA, REFERENCE -> discover(engine -> engine.equals(request.text()));
      default -> discover();
    };
  }

  private static DeviceCatalogue discover(Predicate<String> wanted) {
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
      if (wanted.test(provider.engine())) {
        entries.addAll(of(List.of(provider)).entries());
      } else {
        entries.add(new Entry(passedBy(provider.engine()), provider));
      }
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

  private static DeviceInfo passedBy(String engine) {
    return unusable(engine, Selection.NOT_ASKED_FOR);
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
    return unusable(engine, why);
  }

  private static DeviceInfo unusable(String engine, String why) {
    return new DeviceInfo(engine, engine, engine, "none", false, 0, 0, why, Map.of());
  }
}
