package org.starling.core.run;

import org.starling.core.integrate.Outcome;

/** Where one replica stands in the loop. */
final class Replica {
  /** How it ended; null while it runs. */
  Outcome outcome;

  /** Positions at which its stop condition held, {@code [n][d]}; null unless it stopped by one. */
  double[] held;

  /**
   * Positions at the end time, {@code [n][d]}, from a side step or dense output; null until known.
   */
  double[] atEnd;

  boolean running() {
    return outcome == null;
  }

  /**
   * Positions that it ended with, {@code [n][d]}; null where the integrator's state is at the end,
   * or it failed.
   */
  double[] atItsEnd() {
    return stopped() ? held : running() ? atEnd : null;
  }

  /** Whether it ended by a condition: its last state is a result and is reported on. */
  boolean stopped() {
    return held != null;
  }
}
