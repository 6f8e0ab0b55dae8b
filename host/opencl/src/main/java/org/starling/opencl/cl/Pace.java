package org.starling.opencl.cl;

/**
 * How fast a kernel runs here, measured on its launches, so that the next launch can be cut to a
 * bearable length. Work is in the caller's units (usually multiply-adds).
 */
final class Pace {
  /** Assumed before the first measurement; slow enough for any device. */
  private static final double FIRST_GUESS = 2e8;

  /** A slice may exceed the largest one measured by this factor. */
  private static final double GROWTH = 8;

  private double workPerSecond = FIRST_GUESS;
  private double largestMeasured;

  boolean measured() {
    return largestMeasured > 0;
  }

  /** Work that is expected to take at most {@code seconds}. */
  double workIn(double seconds) {
    double work = workPerSecond * seconds;
    return measured() ? Math.min(work, GROWTH * largestMeasured) : work;
  }

  double secondsFor(double work) {
    return work / workPerSecond;
  }

  void record(double work, long nanoseconds) {
    workPerSecond = work / Math.max(1e-6, nanoseconds * 1e-9);
    largestMeasured = Math.max(largestMeasured, work);
  }
}
