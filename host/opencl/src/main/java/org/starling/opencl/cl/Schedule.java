package org.starling.opencl.cl;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Cuts calls into launches of bearable length and keeps the queue filled but short, so that a
 * display stays usable and a signal is served soon. Only the moment of a launch depends on measured
 * times, never a result.
 */
final class Schedule {
  /** Aimed length of a launch; the promise is 100 ms. */
  private static final double LAUNCH_SECONDS = 0.04;

  /** Work queued ahead, at most. */
  private static final double QUEUE_SECONDS = 0.2;

  /** Launches queued ahead, at most. */
  private static final int QUEUE_LENGTH = 64;

  /** Waits expected to be longer than this sleep instead of spinning in the driver. */
  private static final double SLEEP_FROM_SECONDS = 0.001;

  private record Flight(Handle event, DeviceKernel kernel, double work, double expected) {}

  private final DeviceSession session;
  private final Deque<Flight> flights = new ArrayDeque<>();
  private double queuedSeconds;

  Schedule(DeviceSession session) {
    this.session = session;
  }

  void run(Call call, long units, Grid grid, double workPerUnit) {
    Pace pace = call.kernel().pace;
    long done = 0;
    while (done < units) {
      long slice = slice(pace, grid, workPerUnit);
      long end = slice >= units - done ? units : done + slice;
      double work = (end - done) * workPerUnit;
      double expected = pace.secondsFor(work);
      Flight f = new Flight(call.enqueue(done, end, grid), call.kernel(), work, expected);
      flights.add(f);
      queuedSeconds += expected;
      done = end;
      if (done < units && !pace.measured()) {
        drainTo(0, 0);
      } else {
        drainTo(QUEUE_LENGTH, QUEUE_SECONDS);
      }
    }
  }

  private static long slice(Pace pace, Grid grid, double workPerUnit) {
    double groups = pace.workIn(LAUNCH_SECONDS) / workPerUnit / grid.unitsPerGroup();
    return grid.unitsPerGroup() * (long) Math.max(1, Math.min(groups, 1L << 40));
  }

  /** Takes finished launches off, waiting for the oldest while too much is queued. */
  private void drainTo(int length, double seconds) {
    while (!flights.isEmpty()) {
      boolean tooMuch =
          flights.size() > length || (queuedSeconds > seconds && flights.size() > 2) || length == 0;
      Flight oldest = flights.peek();
      if (!tooMuch && !session.api().completed(oldest.event())) {
        return;
      }
      await(oldest);
      flights.remove();
      queuedSeconds = flights.isEmpty() ? 0 : queuedSeconds - oldest.expected();
      try {
        oldest.kernel().pace.record(oldest.work(), session.api().duration(oldest.event()));
      } finally {
        session.api().release(oldest.event());
      }
    }
  }

  private void await(Flight f) {
    ClApi api = session.api();
    if (session.device().cpu() || f.expected() < SLEEP_FROM_SECONDS) {
      api.waitFor(f.event());
    } else {
      // GPU drivers spin in clWaitForEvents; a sleeping poll costs at most the last nap.
      api.flush(session.queue());
      while (!api.completed(f.event())) {
        LockSupport.parkNanos(100_000);
      }
    }
    // A launch that failed on the device shows here, by name.
    api.completed(f.event());
  }

  /** Waits for everything queued. */
  void finish() {
    drainTo(0, 0);
    session.api().finish(session.queue());
  }

  /** Gives events back without waiting, for closing after a failure. */
  void abandon() {
    while (!flights.isEmpty()) {
      session.releaseQuietly(flights.remove().event());
    }
    queuedSeconds = 0;
  }
}
