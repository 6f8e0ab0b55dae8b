package org.starling.core.observe;

import java.util.Objects;

/**
 * One value per replica and report.
 *
 * @param name name in {@code scalars.jsonl} and of {@code observables/NAME.npy}
 * @param kind what a value is
 * @param length entries of an array value; 0 for scalars
 */
public record Column(String name, Kind kind, int length) {

  /** What a value is. */
  public enum Kind {
    /** A float64. */
    REAL,
    /** An integer. */
    COUNT,
    /** An array of integers below 2^31, such as labels. */
    LABELS,
    /** An array of integers, such as a histogram. */
    COUNTS
  }

  public Column {
    Objects.requireNonNull(name);
    if (array(kind) != length > 0) {
      throw new IllegalArgumentException(name + ": length " + length + " for kind " + kind);
    }
  }

  public static Column real(String name) {
    return new Column(name, Kind.REAL, 0);
  }

  public static Column count(String name) {
    return new Column(name, Kind.COUNT, 0);
  }

  /** Whether a value is an array, kept in {@code observables/} only. */
  public boolean array() {
    return array(kind);
  }

  private static boolean array(Kind kind) {
    return kind == Kind.LABELS || kind == Kind.COUNTS;
  }
}
