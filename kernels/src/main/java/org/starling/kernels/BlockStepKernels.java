package org.starling.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Kernels in which the threads of a CPU device share the whole steps of a replica, block by block,
 * for d &gt; {@link AttentionKernels#SMALL_DIMENSION}; and the build defines of their variants.
 */
public final class BlockStepKernels {
  public static final KernelSource ADVANCE = source("advance_blocks");
  public static final KernelSource ADAPT = source("adapt_blocks", "step_sizes.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(ADVANCE, ADAPT);

  /** Slopes of a scheme, at most. */
  public static final int MOST_STAGES = 8;

  /** Fields beside slopes that {@link #ADVANCE}, and {@link #ADAPT}, work with. */
  public static final int ADVANCE_STATES = 3;

  public static final int ADAPT_STATES = 2;

  /** Results of a block that they keep. */
  public static final int ADVANCE_RESULTS = 2;

  public static final int ADAPT_RESULTS = 3;

  /** Integers that a team of work-items agrees by, TEAM in block_team.cl. */
  public static final int TEAM = 128;

  private BlockStepKernels() {}

  private static KernelSource source(String entry, String... more) {
    List<String> files =
        new ArrayList<>(
            List.of(
                "real.cl",
                "plan.cl",
                "row_tiles.cl",
                "key_panels.cl",
                "weights.cl",
                "block_rows.cl",
                "block_team.cl"));
    files.addAll(List.of(more));
    files.add(entry + ".cl");
    return new KernelSource(entry, files);
  }

  /** Whether blocks are packed without touching the keys of another one. */
  public static boolean takes(BlockTiles tiles) {
    return tiles.rows() % tiles.tileKeys() == 0;
  }

  /** Numbers of a field of n tokens. */
  public static long fieldNumbers(BlockTiles tiles, int d, int n) {
    long blocks = (n + tiles.rows() - 1) / tiles.rows();
    return blocks * tiles.rows() * tiles.paddedDimension(d);
  }

  /** Whole steps of equal size. */
  public static KernelVariant advance(boolean fp64, int d, BlockTiles tiles) {
    return ADVANCE.with(defines(fp64, d, tiles));
  }

  /**
   * Whole steps by an adaptive scheme.
   *
   * @param stages slopes of the scheme
   */
  public static KernelVariant adapt(boolean fp64, int d, BlockTiles tiles, int stages) {
    Map<String, String> defines = defines(fp64, d, tiles);
    defines.put("STAGES", Integer.toString(stages));
    return ADAPT.with(defines);
  }

  private static Map<String, String> defines(boolean fp64, int d, BlockTiles tiles) {
    Map<String, String> defines =
        new TreeMap<>(AttentionKernels.attendBlocks(fp64, d, tiles, false, false).defines());
    defines.put("TILED", "1");
    return defines;
  }
}
