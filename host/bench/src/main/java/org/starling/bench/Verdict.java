package org.starling.bench;

import java.util.Locale;

/** How a row stands beside its goal. */
public enum Verdict {
  /** At the goal or better. */
  PASS,
  /** Below it, by less than a quarter. */
  SHORT,
  /** Below three quarters of it. */
  MISSED,
  /** Measured for information; there is no goal. */
  NO_GOAL,
  /** Not measured; the row says why. */
  SKIPPED;

  /** Word in tables and files. */
  public String word() {
    return this == NO_GOAL ? "-" : name().toLowerCase(Locale.ROOT);
  }
}
