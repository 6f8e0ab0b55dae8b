package org.starling.core.observe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of all columns for one replica at one time, in the order of the columns: {@code
 * Double}, {@code Long} or {@code long[]}.
 *
 * @param values one per column
 */
public record Reading(List<Object> values) {
  public Reading {
    values = List.copyOf(values);
  }

  /** A scalar value as float64. */
  public double real(int column) {
    return ((Number) values.get(column)).doubleValue();
  }

  /** Collects the readings of R replicas, one observer after the other. */
  public static final class Collector {
    private final List<List<Object>> values = new ArrayList<>();

    public Collector(int replicas) {
      for (int r = 0; r < replicas; r++) {
        values.add(new ArrayList<>());
      }
    }

    /** Number of replicas. */
    public int replicas() {
      return values.size();
    }

    public void real(int r, double value) {
      values.get(r).add(value);
    }

    public void count(int r, long value) {
      values.get(r).add(value);
    }

    public void array(int r, long[] value) {
      values.get(r).add(value.clone());
    }

    public void array(int r, int[] value) {
      values.get(r).add(Arrays.stream(value).asLongStream().toArray());
    }

    /** One reading per replica. */
    public List<Reading> readings() {
      return values.stream().map(Reading::new).toList();
    }
  }
}
