package org.starling.kernels;

import java.util.List;
import java.util.Map;

/**
 * Kernels of the fast sum on the circle (circle_rows.cl tells how), and the build defines of their
 * variants.
 *
 * @param common positions, vectors (blocks side by side) and blocks; its Bessel functions are one
 *     of {@link #LIMITS}
 */
public record CircleKernels(SeriesKernels common) {
  /** Powers of |z|^2 - 1 that a sum may have, ORDERS in series.cl. */
  public static final int POWERS = 8;

  /** Powers that suffice for tokens on the circle up to their rounding. */
  public static final int FEW_POWERS = 3;

  /** Sizes of the tables, each with kernels of its own. */
  public static final List<Integer> LIMITS = List.of(64, 128, 320);

  /** Numbers that a table has beyond the highest frequency and the one that counts from 0. */
  public static final int MARGIN = 2 * POWERS + 1;

  public static final KernelSource RADII = source("circle_radii");
  public static final KernelSource MOMENTS = source("circle_moments");
  public static final KernelSource PREFIX = source("circle_prefix");
  public static final KernelSource ROWS = source("circle_rows");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(RADII, MOMENTS, PREFIX, ROWS);

  /**
   * @param fp64 positions are float64
   * @param mixed positions have corrections
   * @param lanes blocks side by side in a vector of float64: 1 where a work-item has one
   * @param block tokens of a block; part of the bits
   * @param limit numbers in a table of Bessel functions, one of {@link #LIMITS}
   */
  public CircleKernels(boolean fp64, boolean mixed, int lanes, int block, int limit) {
    this(new SeriesKernels(2, fp64, mixed, lanes, block, POWERS, limit));
  }

  private static KernelSource source(String entry) {
    return KernelSource.of(entry, "real.cl", "series.cl", "circle.cl", entry + ".cl");
  }

  /**
   * The smallest table that holds a series.
   *
   * @param terms highest frequency
   * @return its size, or 0 if none is large enough
   */
  public static int limitFor(int terms) {
    return LIMITS.stream().filter(l -> terms + MARGIN < l).findFirst().orElse(0);
  }

  public KernelVariant radii() {
    return RADII.with(common.defines());
  }

  public KernelVariant moments() {
    return MOMENTS.with(common.defines());
  }

  public KernelVariant prefix() {
    return PREFIX.with(common.defines());
  }

  /**
   * Fields from moments.
   *
   * @param causal a row sees the keys up to its own
   * @param powers {@link #FEW_POWERS} or {@link #POWERS}
   */
  public KernelVariant rows(boolean causal, int powers) {
    Map<String, String> defines = common.defines();
    defines.put("CAUSAL", causal ? "1" : "0");
    defines.put("POWERS", Integer.toString(powers));
    return ROWS.with(defines);
  }
}
