package org.starling.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineException;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.ClException;
import org.starling.opencl.cl.ClUnavailableException;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.Handle;
import org.starling.opencl.cl.JoclLoader;

/** All platforms and devices, those that cannot be used with the reason. Nothing here throws. */
final class Devices {
  /** Gives the OpenCL calls, or says why there are none. */
  interface Loader {
    ClApi load() throws ClUnavailableException;
  }

  /** A device as listed and, where it could be asked, as found. */
  record Found(DeviceInfo info, ClApi api, Device device) {}

  private final Loader loader;

  Devices() {
    this(JoclLoader::load);
  }

  Devices(Loader loader) {
    this.loader = loader;
  }

  List<Found> list() {
    ClApi api;
    List<Handle> platforms;
    try {
      api = loader.load();
      platforms = api.platforms();
    } catch (ClUnavailableException e) {
      return List.of(unusable("opencl", "OpenCL", e.getMessage()));
    } catch (ClException e) {
      return List.of(unusable("opencl", "OpenCL", reason("platforms cannot be listed", e)));
    }
    List<Found> all = new ArrayList<>();
    for (Handle platform : platforms) {
      list(api, platform, all);
    }
    return all;
  }

  private static void list(ClApi api, Handle platform, List<Found> all) {
    String id = "opencl:" + platform.label();
    List<Handle> devices;
    try {
      devices = api.devices(platform);
    } catch (ClException e) {
      all.add(unusable(id, "platform " + platform.label(), reason("it lists no devices", e)));
      return;
    }
    for (Handle handle : devices) {
      try {
        Device device = Device.read(api, platform, handle);
        all.add(new Found(info(device), api, device));
      } catch (ClException e) {
        String device = "opencl:" + handle.label();
        all.add(unusable(device, "device " + handle.label(), reason("it answers no questions", e)));
      }
    }
  }

  private static String reason(String what, ClException e) {
    return what + " (" + e.getMessage() + "); check its driver with clinfo, or use --device java";
  }

  private static DeviceInfo info(Device d) {
    return new DeviceInfo(
        OpenClEngine.NAME,
        d.id(),
        d.name(),
        d.type(),
        d.fp64(),
        d.globalMemory(),
        d.maxAllocation(),
        d.unusable(),
        d.properties());
  }

  private static Found unusable(String id, String name, String reason) {
    DeviceInfo info =
        new DeviceInfo(OpenClEngine.NAME, id, name, "accelerator", false, 0, 0, reason, Map.of());
    return new Found(info, null, null);
  }

  /**
   * The device of this id.
   *
   * @throws EngineException if it is gone or unusable
   */
  Found find(String id) {
    for (Found f : list()) {
      if (f.info().usable() && f.info().id().equals(id)) {
        return f;
      }
      // A platform, or OpenCL as a whole, that fails takes its devices with it.
      if (!f.info().usable() && (id + ":").startsWith(f.info().id() + ":")) {
        throw new EngineException(
            EngineException.Kind.ENVIRONMENT,
            "device " + id + " cannot be used: " + f.info().unavailable());
      }
    }
    throw new EngineException(
        EngineException.Kind.ENVIRONMENT,
        "there is no device " + id + " here; list what there is with: starling devices");
  }
}
