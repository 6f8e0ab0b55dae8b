package org.starling.opencl.cl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long calls are cut. */
class ScheduleTest {
  @Test
  void aFirstLaunchIsShortAndLaterOnesGrowStepByStep() {
    Pace pace = new Pace();
    double first = pace.workIn(0.04);
    assertTrue(first <= 1e7, "first slice " + first);
    // A device that is a thousand times faster than guessed.
    pace.record(first, (long) (first / 2e11 * 1e9));
    double second = pace.workIn(0.04);
    assertEquals(8 * first, second, 1e-6 * second);
    pace.record(second, (long) (second / 2e11 * 1e9));
    assertEquals(64 * first, pace.workIn(0.04), 1e-6 * 64 * first);
  }

  @Test
  void aSlowDeviceGetsShorterLaunches() {
    Pace pace = new Pace();
    double first = pace.workIn(0.04);
    pace.record(first, 400_000_000L);
    assertEquals(first / 10, pace.workIn(0.04), 1e-6 * first);
    assertEquals(0.4, pace.secondsFor(first), 1e-9);
  }
}
