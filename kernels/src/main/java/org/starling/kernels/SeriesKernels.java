package org.starling.kernels;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the kernels of fast sums on the circle (d = 2) and on the sphere (d = 3) have in common:
 * build defines, the layout of the host's table, and the sum pair by pair of the rows that a series
 * leaves in doubt.
 *
 * @param d dimension
 * @param fp64 positions are float64
 * @param mixed positions have corrections
 * @param lanes numbers in a vector of float64: 1 where a work-item has one
 * @param block tokens of a block; part of the bits
 * @param orders most powers of |z|^2 - 1 in a sum
 * @param bessel numbers in a head's table of Bessel functions
 */
public record SeriesKernels(
    int d, boolean fp64, boolean mixed, int lanes, int block, int orders, int bessel) {
  /** Numbers of the table that do not depend on how many powers there are. */
  public static final int COMMON_NUMBERS = 8;

  public static final KernelSource PAIRS =
      KernelSource.of(
          "series_pairs", "real.cl", "plan.cl", "weights.cl", "series.cl", "series_pairs.cl");

  /** Numbers of the table before the first head, T_HEAD in series.cl. */
  public int slotNumbers() {
    return COMMON_NUMBERS + orders;
  }

  /** Numbers of a head before its Bessel functions, H_BESSEL in series.cl. */
  public int headNumbers() {
    return 8 + 2 * d * d;
  }

  /** Rows in doubt, {@code rows} rows a unit. */
  public KernelVariant pairs(int rows) {
    Map<String, String> defines = defines();
    defines.put("ROWS", Integer.toString(rows));
    return PAIRS.with(defines);
  }

  Map<String, String> defines() {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", "1");
    defines.put("VW", Integer.toString(lanes));
    defines.put("STATE64", fp64 ? "1" : "0");
    defines.put("MIXED", mixed ? "1" : "0");
    defines.put("D", Integer.toString(d));
    defines.put("BLOCK", Integer.toString(block));
    defines.put("ORDERS", Integer.toString(orders));
    defines.put("BESSEL", Integer.toString(bessel));
    return defines;
  }
}
