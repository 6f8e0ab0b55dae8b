package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Precision;

/**
 * Every OpenCL call of a small run fails once: the error names the call and what it was on, nothing
 * leaks, and a new engine gives the same bits.
 */
class FaultInjectionTest {
  /** Out of memory, out of resources, out of host memory, build failure, lost queue, bad group. */
  private static final int[] CODES = {-4, -5, -6, -11, -36, -54};

  private static final Shape SHAPE = new Shape(1, 5, 3);

  @Test
  void everyFailureIsNamedAndNothingLeaks() {
    WatchedApi watch = new WatchedApi(TestDevices.api());
    OpenClProvider provider = TestDevices.provider(watch.api());
    DeviceInfo device = TestDevices.first(provider);
    double[] healthy = run(provider, device);
    watch.failAt(0, 0);
    run(provider, device);
    int calls = watch.calls();
    assertTrue(calls > 50, "a run makes " + calls + " calls");
    for (int n = 1; n <= calls; n++) {
      int code = CODES[n % CODES.length];
      watch.failAt(n, code);
      double[] got = null;
      try {
        got = run(provider, device);
      } catch (EngineException e) {
        String said = e.getMessage();
        String where = "call " + n + ", " + watch.failedName() + " " + watch.failedOn();
        assertTrue(said.contains(watch.failedName()), () -> where + ": " + said);
        assertTrue(said.contains("(" + code + ")"), () -> where + ": " + said);
        assertTrue(said.contains(watch.failedOn()), () -> where + ": " + said);
        assertTrue(e.kind() != EngineException.Kind.REQUEST, () -> where + ": " + e.kind());
      }
      if (got != null && watch.failedName() == null) {
        // How often the queue is asked depends on time: this run made fewer calls than n.
        assertTrue(watch.calls() < n, "call " + n + " did not fail");
        assertArrayEquals(healthy, got);
      } else if (got != null) {
        // Only the store of binaries may be lost without a word: it saves time, no more.
        assertTrue(
            Set.of("createProgramWithBinary", "buildProgram", "programBinary")
                .contains(watch.failedName()),
            "call " + n + ", " + watch.failedName() + " failed unnoticed");
        assertArrayEquals(healthy, got);
      }
      assertEquals(Set.of(), watch.open(), "left open after call " + n + " failed");
    }
    watch.failAt(0, 0);
    assertArrayEquals(healthy, run(provider, device));
  }

  @Test
  void anEngineThatFailedRefusesToGoOn() {
    WatchedApi watch = new WatchedApi(TestDevices.api());
    try (Engine engine = TestDevices.open(watch.api(), Precision.SINGLE)) {
      State x = engine.allocateState(SHAPE);
      watch.failAt(1, -5);
      failure(() -> engine.download(x));
      watch.failAt(0, 0);
      EngineException second = failure(() -> engine.download(x));
      assertTrue(second.getMessage().contains("failed before"), second.getMessage());
    }
    assertEquals(Set.of(), watch.open());
  }

  @Test
  void lackOfMemoryNamesTheSizesAndLeavesTheEngineUsable() {
    WatchedApi watch = new WatchedApi(TestDevices.api());
    try (Engine engine = TestDevices.open(watch.api(), Precision.MIXED)) {
      // The corrections fail: the positions already made must not stay behind.
      watch.failAt(3, -4);
      EngineException e = failure(() -> engine.allocateState(SHAPE));
      assertEquals(EngineException.Kind.ENVIRONMENT, e.kind());
      assertTrue(e.getMessage().contains("corrections"), e.getMessage());
      assertTrue(e.getMessage().contains("1 replicas x 5 tokens x 3"), e.getMessage());
      watch.failAt(0, 0);
      assertEquals(15, engine.download(engine.allocateState(SHAPE)).length);
    }
    assertEquals(Set.of(), watch.open());
  }

  private static EngineException failure(Runnable work) {
    try {
      work.run();
    } catch (EngineException e) {
      return e;
    }
    throw new AssertionError("nothing failed");
  }

  private static double[] run(OpenClProvider provider, DeviceInfo device) {
    try (Engine engine = provider.open(device, EngineOptions.of(Precision.SINGLE))) {
      State x = engine.allocateState(SHAPE);
      Field k = engine.allocateField(SHAPE);
      double[] numbers = IntStream.range(0, 15).mapToDouble(i -> 1 + i % 4).toArray();
      boolean[] active = {true};
      engine.upload(x, numbers);
      engine.upload(k, numbers);
      double[][] h = {{0.25}};
      engine.combine(x, x, h, new Field[] {k}, active);
      engine.retract(x, active);
      engine.errorNorm(x, x, h, new Field[] {k}, 1e-9, 1e-6, active);
      return engine.download(x);
    }
  }
}
