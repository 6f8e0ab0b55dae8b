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
  /** Aimed length of a launch where a display may wait for it; the promise is 100 ms. */
  private static final double LAUNCH_SECONDS = 0.04;

  /** The same on CPU devices, whose cores wait for the slowest of them at the end of a launch. */
  private static final double CPU_LAUNCH_SECONDS = 0.2;

  /** Work queued ahead, at most. */
  private static final double QUEUE_SECONDS = 0.2;

  /** Launches queued ahead, at most. */
  private static final int QUEUE_LENGTH = 64;

  /** Waits expected to be longer than this sleep instead of spinning in the driver. */
  private static final double SLEEP_FROM_SECONDS = 0.001;

  /** Launches expected to be shorter than this are watched by their successors' events. */
  private static final double WATCH_SECONDS = 0.0005;

  /** Launches in a row without an event, at most. */
  private static final int UNWATCHED_LENGTH = 32;

  /** Their expected time together, at most. */
  private static final double UNWATCHED_SECONDS = 0.01;

  /** A queue expected to be empty sooner than this is not waited for before a transfer. */
  private static final double SHORT_QUEUE_SECONDS = 0.002;

  /**
   * A watched launch and those before it since the last watched one.
   *
   * @param work of the watched launch
   * @param expected seconds of all
   */
  private record Flight(
      Handle event, DeviceKernel kernel, double work, int launches, double expected) {}

  private final DeviceSession session;
  private final Deque<Flight> flights = new ArrayDeque<>();
  private int queued;
  private double queuedSeconds;
  private int unwatched;
  private double unwatchedSeconds;

  Schedule(DeviceSession session) {
    this.session = session;
  }

  void run(Call call, long units, Grid grid, double workPerUnit) {
    Pace pace = call.kernel().pace;
    long done = 0;
    while (done < units) {
      long slice = slice(pace, grid, workPerUnit);
      long end = slice >= units - done ? units : done + slice;
      launch(call, done, end, grid, (end - done) * workPerUnit);
      done = end;
      if (done < units && !pace.measured()) {
        drainTo(0, 0);
      } else {
        drainTo(QUEUE_LENGTH, QUEUE_SECONDS);
      }
    }
  }

  private void launch(Call call, long first, long end, Grid grid, double work) {
    Pace pace = call.kernel().pace;
    double expected = pace.secondsFor(work);
    boolean watched =
        !pace.measured()
            || expected >= WATCH_SECONDS
            || unwatched >= UNWATCHED_LENGTH
            || unwatchedSeconds >= UNWATCHED_SECONDS;
    Handle event = call.enqueue(first, end, grid, watched);
    unwatched++;
    unwatchedSeconds += expected;
    if (watched) {
      flights.add(new Flight(event, call.kernel(), work, unwatched, unwatchedSeconds));
      queued += unwatched;
      queuedSeconds += unwatchedSeconds;
      unwatched = 0;
      unwatchedSeconds = 0;
    }
  }

  private long slice(Pace pace, Grid grid, double workPerUnit) {
    Device device = session.device();
    double seconds = device.cpu() ? CPU_LAUNCH_SECONDS : LAUNCH_SECONDS;
    double wanted = pace.workIn(seconds) / workPerUnit / grid.unitsPerGroup();
    long groups = (long) Math.max(1, Math.min(wanted, 1L << 40));
    long units = device.computeUnits();
    // As many for each compute unit, where there are some for each.
    return grid.unitsPerGroup() * (groups > units ? groups / units * units : groups);
  }

  /** Takes finished launches off, waiting for the oldest while too much is queued. */
  private void drainTo(int length, double seconds) {
    while (!flights.isEmpty()) {
      boolean tooMuch =
          queued > length || (queuedSeconds > seconds && flights.size() > 2) || length == 0;
      Flight oldest = flights.peek();
      if (!tooMuch && !session.api().completed(oldest.event())) {
        return;
      }
      await(oldest);
      takeOff();
    }
  }

  /** The oldest flight has landed. */
  private void takeOff() {
    Flight f = flights.remove();
    queued = flights.isEmpty() ? 0 : queued - f.launches();
    queuedSeconds = flights.isEmpty() ? 0 : queuedSeconds - f.expected();
    try {
      f.kernel().pace.record(f.work(), session.api().duration(f.event()));
    } finally {
      session.api().release(f.event());
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
    unwatched = 0;
    unwatchedSeconds = 0;
  }

  /**
   * Runs a blocking transfer behind everything queued. Of a long queue most is waited for before,
   * so that the transfer holds on to the host's array for a moment only.
   */
  void transfer(Runnable body) {
    if (queuedSeconds + unwatchedSeconds >= SHORT_QUEUE_SECONDS) {
      finish();
    }
    ClException failure = null;
    try {
      body.run();
    } catch (ClException e) {
      failure = e;
    }
    unwatched = 0;
    unwatchedSeconds = 0;
    while (!flights.isEmpty()) {
      // The launch that failed on the device is the better name for what happened.
      if (failure != null || !session.api().completed(flights.peek().event())) {
        await(flights.peek());
      }
      takeOff();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Gives events back without waiting, for closing after a failure. */
  void abandon() {
    while (!flights.isEmpty()) {
      session.releaseQuietly(flights.remove().event());
    }
    queued = 0;
    queuedSeconds = 0;
  }
}
