package org.starling.core.experiment;

import java.util.List;

/**
 * The block {@code save} of an experiment. Time 0 and the end are saved whatever the schedule says.
 *
 * @param trajectory whether positions are written, besides observables; null until resolved where
 *     not given: then true for one replica, else false
 */
public record SaveSpec(Schedule schedule, Boolean trajectory) {
  /** More saves than this are a slip in the experiment. */
  static final int MOST = 10_000_000;

  /** When to save. */
  public sealed interface Schedule {
    /** At k * interval, k = 0, 1, 2, ... */
    record Every(double interval) implements Schedule {}

    /** At {@code count} times equally spaced in log t between {@code from} and {@code to}. */
    record Log(double from, double to, int count) implements Schedule {}

    /** At the times given, ascending. */
    record Times(List<Double> times) implements Schedule {
      public Times {
        times = List.copyOf(times);
      }
    }
  }
}
