package org.starling.kernels;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kernels of observables over pairs of tokens, and the build defines of their variants. */
public final class PairKernels {
  public static final KernelSource NORMS = KernelSource.of("norms", "real.cl", "norms.cl");
  public static final KernelSource STATISTICS = source("pair_statistics");
  public static final KernelSource ENERGY = source("energy");
  public static final KernelSource ENTROPY = source("entropy");
  public static final KernelSource LINK = source("link");
  public static final KernelSource HOOK = KernelSource.of("hook", "hook.cl");
  public static final KernelSource FLATTEN = KernelSource.of("flatten", "flatten.cl");
  public static final KernelSource SCORE_ROWS =
      KernelSource.of("score_rows", "real.cl", "plan.cl", "tile.cl", "blocks.cl", "score_rows.cl");

  /** All of them. */
  public static final List<KernelSource> ALL =
      List.of(NORMS, STATISTICS, ENERGY, ENTROPY, LINK, HOOK, FLATTEN, SCORE_ROWS);

  private PairKernels() {}

  private static KernelSource source(String entry) {
    return KernelSource.of(
        entry, "real.cl", "plan.cl", "tile.cl", "blocks.cl", "pair_block.cl", entry + ".cl");
  }

  /**
   * Rows of a block: those of attention on CPUs; one register tile where private memory is small.
   */
  public static int blockRows(boolean fp64, int d, boolean cpu) {
    return cpu ? AttentionKernels.blockRows(fp64, d) : AttentionKernels.TILE_ROWS;
  }

  public static KernelVariant norms(boolean fp64, int d) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(AttentionKernels.vectorWidth(fp64)));
    defines.put("D", Integer.toString(d));
    return NORMS.with(defines);
  }

  public static KernelVariant statistics(boolean fp64, int d, boolean cpu) {
    return block(STATISTICS, fp64, d, cpu, AttentionKernels.PRODUCT);
  }

  public static KernelVariant energy(boolean fp64, int d, boolean cpu) {
    return block(ENERGY, fp64, d, cpu, AttentionKernels.DIFFERENCE);
  }

  public static KernelVariant entropy(boolean fp64, int d, boolean cpu) {
    return block(ENTROPY, fp64, d, cpu, AttentionKernels.DIFFERENCE);
  }

  public static KernelVariant link(boolean fp64, int d, boolean cpu) {
    return block(LINK, fp64, d, cpu, AttentionKernels.DISTANCE);
  }

  public static KernelVariant hook() {
    return HOOK.with(Map.of());
  }

  public static KernelVariant flatten() {
    return FLATTEN.with(Map.of());
  }

  public static KernelVariant scoreRows(boolean fp64, int d) {
    return SCORE_ROWS.with(
        AttentionKernels.blocks(fp64, d, AttentionKernels.TILE_ROWS, AttentionKernels.DIFFERENCE));
  }

  /** Every variant for a precision and dimension on one kind of device. */
  public static List<KernelVariant> variants(boolean fp64, int d, boolean cpu) {
    return List.of(
        AttentionKernels.pack(fp64, d),
        norms(fp64, d),
        statistics(fp64, d, cpu),
        energy(fp64, d, cpu),
        entropy(fp64, d, cpu),
        link(fp64, d, cpu),
        hook(),
        flatten(),
        scoreRows(fp64, d));
  }

  private static KernelVariant block(
      KernelSource source, boolean fp64, int d, boolean cpu, String tile) {
    return source.with(AttentionKernels.blocks(fp64, d, blockRows(fp64, d, cpu), tile));
  }
}
