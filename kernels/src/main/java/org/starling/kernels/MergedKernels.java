package org.starling.kernels;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Attention with keys that stand for several tokens, or differ; see attend_merged.cl,
 * attend_keyed.cl.
 */
public final class MergedKernels {
  /** Keys of a panel; part of the bits. */
  private static final int PANEL = 64;

  /** Vectors of rows that share the counting of keys where a row is short; part of no bits. */
  private static final int SHORT_ROWS = 4;

  private static final int SHORT_DIMENSION = 16;

  public static final KernelSource ATTEND_MERGED =
      KernelSource.of("attend_merged", "real.cl", "plan.cl", "attend_merged.cl");

  public static final KernelSource ATTEND_KEYED =
      KernelSource.of("attend_keyed", "real.cl", "plan.cl", "attend_keyed.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(ATTEND_MERGED, ATTEND_KEYED);

  private MergedKernels() {}

  /** Rows of a unit. */
  public static int rows(boolean fp64, int d, boolean cpu) {
    return width(fp64, cpu) * vectors(d, cpu);
  }

  private static int width(boolean fp64, boolean cpu) {
    return cpu ? AttentionKernels.vectorWidth(fp64) : 1;
  }

  private static int vectors(int d, boolean cpu) {
    return cpu && d <= SHORT_DIMENSION ? SHORT_ROWS : 1;
  }

  /** Sums over keys; rows in the lanes of vectors on CPU devices, a work-item a row elsewhere. */
  public static KernelVariant attend(boolean fp64, int d, boolean cpu) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(width(fp64, cpu)));
    defines.put("D", Integer.toString(d));
    defines.put("RV", Integer.toString(vectors(d, cpu)));
    defines.put("BN", Integer.toString(PANEL));
    return ATTEND_MERGED.with(defines);
  }

  /** Sums over keys that differ, in the same units of rows. */
  public static KernelVariant attendKeyed(boolean fp64, int d, boolean cpu) {
    return ATTEND_KEYED.with(attend(fp64, d, cpu).defines());
  }
}
