package org.starling.bench;

import java.util.List;
import java.util.Set;
import org.starling.core.model.Precision;

/**
 * What to measure.
 *
 * @param only parts of row ids; a row is measured if its id contains one of them; empty for all
 * @param precisions precisions to measure, of single and double
 * @param quick fewer and smaller shapes and three repetitions: for a first look
 * @param peers whether NumPy, PyTorch and OpenBLAS are measured beside it
 * @param limitSeconds after so many seconds no further measurement is begun
 */
public record BenchOptions(
    List<String> only,
    Set<Precision> precisions,
    boolean quick,
    boolean peers,
    double limitSeconds) {
  public BenchOptions {
    only = List.copyOf(only);
    precisions = Set.copyOf(precisions);
    if (precisions.isEmpty() || precisions.contains(Precision.MIXED)) {
      throw new IllegalArgumentException(
          "speeds are measured in single or double precision, not " + precisions);
    }
    if (!(limitSeconds > 0)) {
      throw new IllegalArgumentException("the time limit must be > 0 s, got " + limitSeconds);
    }
  }

  /** Repetitions of every measurement, the warm-up not counted. */
  public int repetitions() {
    return quick ? 3 : 5;
  }

  boolean wants(String id) {
    return only.isEmpty() || only.stream().anyMatch(id::contains);
  }
}
