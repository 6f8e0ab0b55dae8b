package org.starling.kernels;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Attention of row blocks in float32 on keys and values kept as numbers of 16 bits; see
 * attend_blocks.cl for what is rounded, and pack_half.cl for how.
 */
public final class HalfKernels {
  public static final KernelSource PACK_HALF =
      KernelSource.of("pack_half", "real.cl", "pack_half.cl");

  /** All of them. */
  public static final List<KernelSource> ALL = List.of(PACK_HALF);

  /** Counts that {@link #pack} keeps a group of tokens. */
  public static final int COUNTS = 4;

  private HalfKernels() {}

  /** Packing of keys for {@link #attendBlocks}. */
  public static KernelVariant pack(int d, BlockTiles tiles) {
    return PACK_HALF.with(
        Map.of(
            "DOUBLE",
            "0",
            "VW",
            Integer.toString(tiles.tileKeys()),
            "D",
            Integer.toString(d),
            "DP",
            Integer.toString(tiles.paddedDimension(d)),
            "PACK",
            Integer.toString(tiles.tileKeys())));
  }

  /**
   * Attention of row blocks.
   *
   * @param difference as in {@link AttentionKernels#attendBlocks}
   */
  public static KernelVariant attendBlocks(int d, BlockTiles tiles, boolean difference) {
    Map<String, String> defines =
        new TreeMap<>(AttentionKernels.attendBlocks(false, d, tiles, difference, false).defines());
    defines.put("HALF", "1");
    return AttentionKernels.ATTEND_BLOCKS.with(defines);
  }

  /** Every variant for a dimension. */
  public static List<KernelVariant> variants(int d) {
    BlockTiles tiles = BlockTable.defaults(false, AttentionKernels.vectorWidth(false)).atHalf(d);
    return List.of(pack(d, tiles), attendBlocks(d, tiles, false), attendBlocks(d, tiles, true));
  }
}
