package org.starling.core.experiment;

import java.util.ArrayList;
import java.util.List;

/** Positions on the unit sphere as an experiment writes them out. */
final class UnitRows {
  /** Rows that are written out may miss the unit sphere by this much; they are normalised. */
  private static final double UNIT = 1e-6;

  private UnitRows() {}

  /**
   * The rows as unit vectors; one that is none but for the digits that were written is a problem.
   *
   * @param at where problems are
   * @param path key of the rows
   */
  static List<List<Double>> of(
      List<List<Double>> written, Binding binding, Position at, String path) {
    List<List<Double>> rows = new ArrayList<>();
    for (List<Double> row : written) {
      double norm = Math.sqrt(row.stream().mapToDouble(v -> v * v).sum());
      if (!(Math.abs(norm - 1) <= UNIT)) {
        binding.problems.add(
            at,
            path
                + ": token "
                + rows.size()
                + " has norm "
                + norm
                + "; in the sphere geometry every token is a unit vector");
      }
      // Rows that were normalised before keep their bits: a run's own file must read back the same.
      boolean whole = Math.abs(norm - 1) <= 0x1p-50;
      rows.add(whole ? row : row.stream().map(v -> v / norm).toList());
    }
    return rows;
  }
}
