package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;
import org.starling.opencl.cl.Handle;

/** Results do not depend on how a call is cut into launches. */
class SlicedLaunchTest {
  private static final int N = 1000;
  private static final int D = 3;

  @Test
  void manyLaunchesGiveTheBitsOfOne() {
    WatchedApi watch = new WatchedApi(TestDevices.api());
    TestDevices.first(TestDevices.provider(watch.api()));
    Handle platform = watch.api().platforms().get(0);
    Device device = Device.read(watch.api(), platform, watch.api().devices(platform).get(0));
    try (DeviceSession session = new DeviceSession(watch.api(), device, TestDevices.store())) {
      float[] whole = retract(session, 1);
      int once = watch.launches();
      float[] cut = retract(session, 1e12);
      assertEquals(1, once);
      // One group of 32 tokens, then at most eight times as many, then at most as many again.
      assertTrue(watch.launches() >= once + 3, "launches: " + watch.launches());
      assertArrayEquals(whole, cut);
    }
    assertEquals(List.of(), watch.damage());
    assertTrue(watch.open().isEmpty());
  }

  private static float[] retract(DeviceSession session, double workPerToken) {
    Random random = new Random(11);
    float[] x = new float[N * D];
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextFloat() - 0.5f;
    }
    try (DeviceBuffer positions = session.allocate("positions", 4L * x.length);
        DeviceBuffer active = session.allocate("active replicas", 1)) {
      positions.write(0, x, 0, x.length);
      active.write(0, new byte[] {1}, 0, 1);
      DeviceKernel kernel =
          session.kernel(
              StateKernels.RETRACT.with(
                  Map.of("PRECISION_SINGLE", "1", "LANES", "1", "CHUNK", "1")));
      kernel
          .call()
          .buffer(positions)
          .buffer(positions)
          .buffer(active)
          .int32(N)
          .int32(D)
          .over(N, Grid.items(32), workPerToken);
      positions.read(0, x, 0, x.length);
    }
    return x;
  }
}
