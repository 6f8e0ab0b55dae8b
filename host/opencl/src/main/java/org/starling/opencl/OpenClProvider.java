package org.starling.opencl;

import java.util.List;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider;
import org.starling.core.model.Precision;
import org.starling.opencl.attention.LayerKernels;
import org.starling.opencl.attention.LayerOperations;
import org.starling.opencl.cl.BinaryStore;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceSession;

/** Offers every OpenCL device as an engine. */
public final class OpenClProvider implements EngineProvider {
  /** Makes the operations over pairs for a session. */
  interface Operations {
    LayerOperations open(DeviceSession session, EngineOptions options);
  }

  private final Devices devices;
  private final BinaryStore store;
  private final Operations operations;

  public OpenClProvider() {
    this(
        new Devices(),
        BinaryStore.ofUser(System.getenv()),
        (session, options) -> new LayerKernels(session, options.precision()));
  }

  OpenClProvider(Devices devices, BinaryStore store, Operations operations) {
    this.devices = devices;
    this.store = store;
    this.operations = operations;
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
    DeviceSession session;
    try {
      session = new DeviceSession(found.api(), found.device(), store);
    } catch (ClException e) {
      throw cannotOpen(found.device(), e);
    }
    try {
      return new OpenClEngine(session, options.precision(), operations.open(session, options));
    } catch (ClException e) {
      closeAfter(session, e);
      throw cannotOpen(found.device(), e);
    } catch (RuntimeException e) {
      closeAfter(session, e);
      throw e;
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
