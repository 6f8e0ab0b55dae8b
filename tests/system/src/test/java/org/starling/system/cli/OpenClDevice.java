package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Whether there is an OpenCL CPU device; where one is required its absence is a failure. */
final class OpenClDevice {
  private OpenClDevice() {}

  /** Skips the test, or fails it, if it needs a device and there is none. */
  static void requireIf(boolean needed, Cli cli) {
    if (!needed) {
      return;
    }
    boolean there = cli.run("devices").out().contains("opencl:0:");
    if (Boolean.getBoolean("starling.opencl.required")) {
      assertTrue(there, "an OpenCL device is required, and none is listed");
    }
    assumeTrue(there, "no OpenCL device here");
  }
}
