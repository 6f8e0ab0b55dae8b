package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.opencl.cl.ClApi;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Handle;

/** The kernels' own exponential keeps the bound that real.cl states. */
class ExponentialTest {
  /** In float64 the JVM's own power, 0.7 units in the last place, is part of what is measured. */
  @ParameterizedTest(name = "fp64 {0}")
  @CsvSource({"false,2e-7", "true,5.6e-16"})
  void relativeErrorsStayWithinTheStatedBound(boolean fp64, double bound) {
    ClApi api = TestDevices.api();
    TestDevices.first(TestDevices.provider(api));
    Handle platform = api.platforms().get(0);
    Device device = Device.read(api, platform, api.devices(platform).get(0));
    assumeTrue(!fp64 || device.fp64(), device.name() + " has no float64");
    try (DeviceSession session = new DeviceSession(api, device, TestDevices.store())) {
      double worst = new FunctionProbe(session, fp64).worstRelativeErrors().get("exp2 small");
      assertTrue(worst <= bound, "worst relative error of exp2Small: " + worst);
    }
  }
}
