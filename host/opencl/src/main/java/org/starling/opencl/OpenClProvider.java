package org.starling.opencl;

import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.Storage;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathOperations;
import org.starling.opencl.attention.LayerKernels;
import org.starling.opencl.cl.BinaryStore;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceSession;

/** Offers every OpenCL device as an engine. */
public final class OpenClProvider implements EngineProvider {
  private final Devices devices;
  private final BinaryStore store;

  public OpenClProvider() {
    this(new Devices(), BinaryStore.ofUser(System.getenv()));
  }

  OpenClProvider(Devices devices, BinaryStore store) {
    this.devices = devices;
    this.store = store;
  }

  @Override
  public String engine() {
    return OpenClEngine.NAME;
  }

  @Override
  public List<DeviceInfo> devices() {
    return devices.list().stream().map(Devices.Found::info).toList();
  }

  @Override
  public Engine open(DeviceInfo device, EngineOptions options) {
    Devices.Found found = devices.find(device.id());
    if (options.precision() == Precision.DOUBLE && !found.device().fp64()) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "the device "
              + found.device().name()
              + " has no float64; use --precision mixed (float32 with a compensated state), or"
              + " --device java for float64");
    }
    if (options.storage() == Storage.HALF) {
      requireHalf(found.device(), options.precision());
    }
    DeviceSession session;
    try {
      session = new DeviceSession(found.api(), found.device(), store);
    } catch (ClException e) {
      throw cannotOpen(found.device(), e);
    }
    try {
      Engine engine =
          new OpenClEngine(
              session,
              options.precision(),
              options.storage(),
              new LayerKernels(
                  session,
                  options.precision(),
                  options.pinned(),
                  options.summation(),
                  options.storage()));
      requirePinned(options.pinned(), engine.identity().settings());
      return engine;
    } catch (ClException e) {
      closeAfter(session, e);
      throw cannotOpen(found.device(), e);
    } catch (RuntimeException e) {
      closeAfter(session, e);
      throw e;
    }
  }

  @Override
  public PathOperations openPaths(DeviceInfo device, Precision precision) {
    Devices.Found found = devices.find(device.id());
    if (precision == Precision.DOUBLE && !found.device().fp64()) {
      throw new EngineException(
          EngineException.Kind.ENVIRONMENT,
          "the device "
              + found.device().name()
              + " has no float64; use --precision single (attentioned inputs and kernels in"
              + " float32), or --device java");
    }
    if (precision == Precision.MIXED) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "attention paths are computed in single or double precision, not mixed");
    }
    try {
      return new ClPaths(new DeviceSession(found.api(), found.device(), store), precision);
    } catch (ClException e) {
      throw cannotOpen(found.device(), e);
    }
  }

  private static void requireHalf(Device device, Precision precision) {
    String reason = null;
    if (precision == Precision.DOUBLE) {
      reason = "keys of 11 bits would waste double precision; use --precision single or mixed";
    } else if (!device.cpu()) {
      reason =
          "the kernels for "
              + device.name()
              + ", which is not a CPU device, read keys and values where the state is and pack"
              + " none: a copy of 16 bits would need more memory, not less; leave execution.storage"
              + " out";
    }
    if (reason != null) {
      throw new EngineException(EngineException.Kind.REQUEST, "no half storage here: " + reason);
    }
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
                + " but this engine has "
                + (now == null ? "no such setting" : pin.getKey() + " = " + now)
                + "; resume it with the version and the precision that began it");
      }
    }
  }

  private static void closeAfter(DeviceSession session, RuntimeException failure) {
    try {
      session.close();
    } catch (ClException e) {
      failure.addSuppressed(e);
    }
  }

  private static EngineException cannotOpen(Device device, ClException e) {
    return new EngineException(
        EngineException.Kind.ENVIRONMENT,
        "the device "
            + device.name()
            + " ("
            + device.id()
            + ") cannot be opened: "
            + e.getMessage()
            + ". Check its driver with clinfo, or use --device java",
        e);
  }
}
