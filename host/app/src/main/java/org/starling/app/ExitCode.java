package org.starling.app;

/** What the process tells its caller. */
final class ExitCode {
  static final int DONE = 0;

  /** Wrong usage or a bad experiment. */
  static final int USAGE = 2;

  /** Something is missing on the machine. */
  static final int ENVIRONMENT = 3;

  /** The numbers stopped the run; in a benchmark: one fell below three quarters of its goal. */
  static final int NUMERICAL = 4;

  /** Stopped early; {@code resume} continues. */
  static final int STOPPED_EARLY = 75;

  private ExitCode() {}
}
