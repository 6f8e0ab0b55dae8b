package org.starling.core.observe;

import java.util.Arrays;
import java.util.List;

/**
 * The values of all columns for R replicas at one time, a column in one array. Observers fill it:
 * they give each replica its values in the order of their columns.
 */
public final class Readings {
  private final List<Column> columns;
  private final int replicas;

  /** By column: scalars {@code [R]}; null for arrays. Counts are below 2^53. */
  private final double[][] scalars;

  /** By column: arrays {@code [R][length]}; null for scalars. */
  private final long[][] arrays;

  /** Column that each replica gets its next value in. */
  private final int[] next;

  public Readings(List<Column> columns, int replicas) {
    this.columns = List.copyOf(columns);
    this.replicas = replicas;
    scalars = new double[columns.size()][];
    arrays = new long[columns.size()][];
    next = new int[replicas];
    for (int c = 0; c < scalars.length; c++) {
      if (columns.get(c).array()) {
        arrays[c] = new long[Math.multiplyExact(replicas, columns.get(c).length())];
      } else {
        scalars[c] = new double[replicas];
      }
    }
  }

  /** Number of replicas. */
  public int replicas() {
    return replicas;
  }

  public List<Column> columns() {
    return columns;
  }

  /** Gives replica r its next value, a float64. */
  public void real(int r, double value) {
    scalars[next[r]++][r] = value;
  }

  /** Gives replica r its next value, a count. */
  public void count(int r, long value) {
    scalars[next[r]++][r] = value;
  }

  /** Gives replica r its next value, an array of the column's length. */
  public void array(int r, long[] value) {
    int c = next[r]++;
    System.arraycopy(value, 0, arrays[c], r * columns.get(c).length(), columns.get(c).length());
  }

  /** Gives replica r its next value, an array of the column's length. */
  public void array(int r, int[] value) {
    int c = next[r]++;
    int length = columns.get(c).length();
    for (int k = 0; k < length; k++) {
      arrays[c][r * length + k] = value[k];
    }
  }

  /** A scalar of a replica as float64. */
  public double real(int column, int r) {
    return scalars[column][r];
  }

  /** The scalars of a column, {@code [R]}; not to be written to. */
  public double[] reals(int column) {
    return scalars[column];
  }

  /** The arrays of a column, {@code [R][length]}; not to be written to. */
  public long[] arrays(int column) {
    return arrays[column];
  }

  /** Takes over what another one, of the same columns, says of a replica. */
  public void copy(Readings from, int r) {
    for (int c = 0; c < scalars.length; c++) {
      if (scalars[c] != null) {
        scalars[c][r] = from.scalars[c][r];
      } else {
        int length = columns.get(c).length();
        System.arraycopy(from.arrays[c], r * length, arrays[c], r * length, length);
      }
    }
  }

  /** Marks a replica that has no values: NaN in its scalars, -1 throughout its arrays. */
  public void erase(int r) {
    for (int c = 0; c < scalars.length; c++) {
      if (scalars[c] != null) {
        scalars[c][r] = Double.NaN;
      } else {
        int length = columns.get(c).length();
        Arrays.fill(arrays[c], r * length, (r + 1) * length, -1);
      }
    }
  }
}
