package org.starling.kernels;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Kernels of the fast sum on the circle (circle_rows.cl tells how), and the build defines of their
 * variants.
 *
 * @param fp64 positions are float64
 * @param mixed positions have corrections
 * @param lanes blocks, or keys, side by side in a vector of float64: 1 where a work-item has one
 * @param block tokens of a block; part of the bits
 * @param limit numbers in a table of Bessel functions, one of {@link #LIMITS}
 */
public record CircleKernels(boolean fp64, boolean mixed, int lanes, int block, int limit) {
  /** Powers of |z|^2 - 1 that a sum may have, ORDERS in circle.cl. */
  public static final int POWERS = 8;

  /** Powers that suffice for tokens on the circle up to their rounding. */
  public static final int FEW_POWERS = 3;

  /** Sizes of the tables, each with kernels of its own. */
  public static final List<Integer> LIMITS = List.of(64, 128, 320);

  /** Numbers that a table has beyond the highest frequency and the one that counts from 0. */
  public static final int MARGIN = 2 * POWERS + 1;

  /** Layout of the host's table, T_HEAD and H_BESSEL in circle.cl. */
  public static final int SLOT_NUMBERS = 8 + POWERS;

  public static final int HEAD_NUMBERS = 16;

  public static final KernelSource RADII = source("circle_radii");
  public static final KernelSource MOMENTS = source("circle_moments");
  public static final KernelSource PREFIX = source("circle_prefix");
  public static final KernelSource ROWS = source("circle_rows");
  public static final KernelSource PAIRS =
      KernelSource.of(
          "circle_pairs", "real.cl", "plan.cl", "weights.cl", "circle.cl", "circle_pairs.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(RADII, MOMENTS, PREFIX, ROWS, PAIRS);

  private static KernelSource source(String entry) {
    return KernelSource.of(entry, "real.cl", "circle.cl", entry + ".cl");
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
    return RADII.with(common());
  }

  public KernelVariant moments() {
    return MOMENTS.with(common());
  }

  public KernelVariant prefix() {
    return PREFIX.with(common());
  }

  /**
   * Fields from moments.
   *
   * @param causal a row sees the keys up to its own
   * @param powers {@link #FEW_POWERS} or {@link #POWERS}
   */
  public KernelVariant rows(boolean causal, int powers) {
    Map<String, String> defines = common();
    defines.put("CAUSAL", causal ? "1" : "0");
    defines.put("POWERS", Integer.toString(powers));
    return ROWS.with(defines);
  }

  /** Rows in doubt, {@code rows} rows a unit. */
  public KernelVariant pairs(int rows) {
    Map<String, String> defines = common();
    defines.put("ROWS", Integer.toString(rows));
    return PAIRS.with(defines);
  }

  /** Every variant. */
  public List<KernelVariant> variants() {
    List<KernelVariant> all = new ArrayList<>(List.of(radii(), moments(), prefix(), pairs(1)));
    for (boolean causal : new boolean[] {false, true}) {
      all.add(rows(causal, FEW_POWERS));
      all.add(rows(causal, POWERS));
    }
    return List.copyOf(all);
  }

  private Map<String, String> common() {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", "1");
    defines.put("VW", Integer.toString(lanes));
    defines.put("STATE64", fp64 ? "1" : "0");
    defines.put("MIXED", mixed ? "1" : "0");
    defines.put("BLOCK", Integer.toString(block));
    defines.put("LIMIT", Integer.toString(limit));
    defines.put("ORDERS", Integer.toString(POWERS));
    return defines;
  }
}
