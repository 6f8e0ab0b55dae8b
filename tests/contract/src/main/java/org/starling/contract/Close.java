package org.starling.contract;

import static org.junit.jupiter.api.Assertions.fail;

/** Comparisons of numbers that a NaN never passes. */
final class Close {
  private Close() {}

  /** |actual - expected| &lt;= tolerance; NaN only where NaN is expected. */
  static void to(double expected, double actual, double tolerance, String what) {
    boolean same = Double.isNaN(expected) ? Double.isNaN(actual) : expected == actual;
    if (!same && !(Math.abs(actual - expected) <= tolerance)) {
      fail(
          what
              + ": expected "
              + expected
              + " within "
              + tolerance
              + " but was "
              + actual
              + " (off by "
              + (actual - expected)
              + ")");
    }
  }

  /** Each entry as in {@link #to(double, double, double, String)}. */
  static void to(double[] expected, double[] actual, double tolerance, String what) {
    if (expected.length != actual.length) {
      fail(what + ": expected " + expected.length + " numbers but got " + actual.length);
    }
    for (int a = 0; a < expected.length; a++) {
      to(expected[a], actual[a], tolerance, what + "[" + a + "]");
    }
  }

  /** The same bits in entries {@code from} to {@code to} - 1 (any NaN equals any NaN). */
  static void sameBits(double[] expected, double[] actual, int from, int to, String what) {
    for (int a = from; a < to; a++) {
      if (Double.doubleToLongBits(expected[a]) != Double.doubleToLongBits(actual[a])) {
        fail(
            what
                + "["
                + a
                + "]: bits differ, "
                + expected[a]
                + " against "
                + actual[a]
                + " (difference "
                + (actual[a] - expected[a])
                + ")");
      }
    }
  }

  /** All bits equal. */
  static void sameBits(double[] expected, double[] actual, String what) {
    if (expected.length != actual.length) {
      fail(what + ": expected " + expected.length + " numbers but got " + actual.length);
    }
    sameBits(expected, actual, 0, expected.length, what);
  }
}
