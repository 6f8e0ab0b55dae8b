package org.starling.bench;

/**
 * One timed execution.
 *
 * @param wall seconds on the clock
 * @param cpu seconds that the process computed, all threads together; on a shared machine it shows
 *     what the clock does not; NaN where the system does not say
 */
record Lap(double wall, double cpu) {
  /** Does something and returns how long that took. */
  interface Timed {
    Lap run();
  }
}
