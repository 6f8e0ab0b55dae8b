package org.starling.kernels;

import java.util.List;
import java.util.Map;

/**
 * Kernels of the fast sum on the sphere, d = 3 (sphere_rows.cl tells how), and the build defines of
 * their variants.
 *
 * @param common positions, vectors and blocks
 * @param chunk blocks whose moments are held at a time
 */
public record SphereKernels(SeriesKernels common, int chunk) {
  /** Powers of |z|^2 - 1 that are summed together, TOGETHER in sphere.cl. */
  public static final int POWERS_TOGETHER = 3;

  /** Powers of |z|^2 - 1 that a sum may have, ORDERS in series.cl. */
  public static final int POWERS = 3 * POWERS_TOGETHER;

  /** A group of powers is filled to a multiple of so many numbers, MULTIPLE in sphere.cl. */
  public static final int MULTIPLE = 8;

  private static final int LIMIT = 128;

  /** Highest degree that the kernels have room for. */
  public static final int LARGEST_DEGREE = LIMIT - POWERS - 2;

  public static final KernelSource RADII = source("sphere_radii");
  public static final KernelSource MOMENTS = source("sphere_moments");
  public static final KernelSource PREFIX = source("sphere_prefix");
  public static final KernelSource ROWS = source("sphere_rows");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(RADII, MOMENTS, PREFIX, ROWS);

  /**
   * @param fp64 positions are float64
   * @param mixed positions have corrections
   * @param lanes tokens side by side in a vector of float64; divides {@code block}
   * @param block tokens of a block; part of the bits
   */
  public SphereKernels(boolean fp64, boolean mixed, int lanes, int block, int chunk) {
    this(new SeriesKernels(3, fp64, mixed, lanes, block, POWERS, 0), chunk);
  }

  private static KernelSource source(String entry) {
    return KernelSource.of(entry, "real.cl", "series.cl", "sphere.cl", entry + ".cl");
  }

  /** Pairs (m, l) with m &lt;= l up to a degree. */
  public static int harmonics(int degree) {
    return (degree + 1) * (degree + 2) / 2;
  }

  /** Numbers of a group of powers of one block. */
  public static int groupNumbers(int degree) {
    int used = 2 * POWERS_TOGETHER * harmonics(degree);
    return (used + MULTIPLE - 1) / MULTIPLE * MULTIPLE;
  }

  /** Numbers of all moments that are held at a time. */
  public long numbers(int degree) {
    return (chunk + 2L) * (POWERS / POWERS_TOGETHER) * groupNumbers(degree);
  }

  public KernelVariant radii() {
    return RADII.with(defines());
  }

  public KernelVariant moments() {
    return MOMENTS.with(defines());
  }

  public KernelVariant prefix() {
    return PREFIX.with(defines());
  }

  public KernelVariant rows() {
    return ROWS.with(defines());
  }

  private Map<String, String> defines() {
    Map<String, String> defines = common.defines();
    defines.put("CHUNK", Integer.toString(chunk));
    defines.put("LIMIT", Integer.toString(LIMIT));
    return defines;
  }
}
