package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.util.List;
import org.starling.contract.Subject;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.model.Precision;
import org.starling.cpu.reference.ReferenceJudge;
import org.starling.opencl.cl.BinaryStore;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.ClUnavailableException;
import org.starling.opencl.cl.JoclLoader;

/** The device that the tests run on: the first usable one. */
final class TestDevices {
  private TestDevices() {}

  static BinaryStore store() {
    return BinaryStore.ofUser(System.getenv());
  }

  /** The calls; without OpenCL the test is skipped, or fails if OpenCL is required. */
  static ClApi api() {
    try {
      return JoclLoader.load();
    } catch (ClUnavailableException e) {
      return absent(e.getMessage());
    }
  }

  static <T> T absent(String reason) {
    if (Boolean.getBoolean("starling.opencl.required")) {
      return fail("OpenCL is required (starling.opencl.required) but absent: " + reason);
    }
    return abort("no OpenCL: " + reason);
  }

  static OpenClProvider provider(ClApi api) {
    return new OpenClProvider(new Devices(() -> api), store());
  }

  static DeviceInfo first(OpenClProvider provider) {
    List<DeviceInfo> all = provider.devices();
    return all.stream()
        .filter(DeviceInfo::usable)
        .findFirst()
        .orElseGet(() -> absent("no usable device among " + all));
  }

  /** This engine in the contract tests; without a device they are skipped, or fail if required. */
  static Subject subject(Precision precision) {
    OpenClProvider provider = new OpenClProvider();
    DeviceInfo device = first(provider);
    if (precision == Precision.DOUBLE && !device.fp64()) {
      abort(device.name() + " has no float64");
    }
    return new Subject(
        precision,
        () -> provider.open(device, EngineOptions.of(precision)),
        new ReferenceJudge(),
        false);
  }

  static OpenClEngine open(ClApi api, Precision precision) {
    OpenClProvider provider = provider(api);
    return (OpenClEngine) provider.open(first(provider), EngineOptions.of(precision));
  }
}
