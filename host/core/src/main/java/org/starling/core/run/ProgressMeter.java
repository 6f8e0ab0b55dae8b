package org.starling.core.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Rates of this session over a moving window, so that neither an earlier session nor the warm-up of
 * this one spoils the estimate.
 */
final class ProgressMeter {
  private static final double WINDOW_SECONDS = 30;
  private static final double INTERVAL_SECONDS = 1;

  /**
   * Below this much observed wall time, or before this part of the way, an estimate would be noise:
   * a session begins with code that is not compiled yet, and adaptive steps begin small.
   */
  private static final double SHORTEST_SECONDS = 2;

  private static final double SHORTEST_WAY = 0.01;

  private record Sample(double seconds, double t, long steps) {}

  private final LongSupplier nanoTime;
  private final long begin;
  private final Deque<Sample> window = new ArrayDeque<>();
  private double lastReport = Double.NEGATIVE_INFINITY;

  ProgressMeter(LongSupplier nanoTime, double t, long steps) {
    this.nanoTime = nanoTime;
    this.begin = nanoTime.getAsLong();
    window.add(new Sample(0, t, steps));
  }

  /** Wall time of this session in seconds. */
  double seconds() {
    return (nanoTime.getAsLong() - begin) * 1e-9;
  }

  /** Whether a second has passed since the last report; if so, the second begins anew. */
  boolean due() {
    double now = seconds();
    if (now - lastReport < INTERVAL_SECONDS) {
      return false;
    }
    lastReport = now;
    return true;
  }

  /** Notes where the run is. */
  void sample(double t, long steps) {
    double now = seconds();
    window.addLast(new Sample(now, t, steps));
    // The first second is left out of the window as soon as another sample can begin it.
    while (window.size() > 2
        && (now - window.getFirst().seconds() > WINDOW_SECONDS
            || window.getFirst().seconds() == 0 && now > 2 * INTERVAL_SECONDS)) {
      window.removeFirst();
    }
  }

  /** Accepted steps per second; 0 if not known yet. */
  double stepsPerSecond() {
    Sample first = window.getFirst();
    Sample last = window.getLast();
    double elapsed = last.seconds() - first.seconds();
    return elapsed > 0 ? (last.steps() - first.steps()) / elapsed : 0;
  }

  /** Seconds to the end time at the rate of the window; NaN if not known yet. */
  double secondsLeft(double tEnd) {
    Sample first = window.getFirst();
    Sample last = window.getLast();
    double elapsed = last.seconds() - first.seconds();
    double gained = last.t() - first.t();
    boolean far = last.t() >= SHORTEST_WAY * tEnd || elapsed >= WINDOW_SECONDS / 2;
    return elapsed >= SHORTEST_SECONDS && gained > 0 && far
        ? (tEnd - last.t()) * elapsed / gained
        : Double.NaN;
  }
}
