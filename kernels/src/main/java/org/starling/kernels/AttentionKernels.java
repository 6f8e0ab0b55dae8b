package org.starling.kernels;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Kernels that visit pairs of tokens, and the build defines of their variants. The defines are
 * explained in real.cl, tile.cl and each kernel's header.
 */
public final class AttentionKernels {
  /** Largest dimension of the kernels that hold whole tokens in registers. */
  public static final int SMALL_DIMENSION = 8;

  /** Keys whose scores are formed, exponentiated and summed at a time; part of the bits. */
  public static final int PANEL = 128;

  /** Coordinates summed before they are added to a score; part of the bits. */
  public static final int CHUNK = 64;

  /** Rows, and work-items, of a work-group of the staged variants. */
  public static final int STAGED_ROWS = 64;

  /** Keys that a work-group of the staged variants holds at a time. */
  private static final int STAGED_PANEL = 16;

  /**
   * Keys of a panel of the small kernel on CPU devices; part of the bits. Differences to a token of
   * a spread-out cloud all point to its inside, so that long sums grow and round more than those of
   * positions.
   */
  private static final int SMALL_PANEL = 32;

  private static final int ROWS = 48;

  /** Rows of a register tile, MR in tile.cl. */
  public static final int TILE_ROWS = 6;

  private static final long PRIVATE_BYTES = 2L << 20;

  public static final KernelSource PACK = KernelSource.of("pack", "real.cl", "pack.cl");
  public static final KernelSource ATTEND_BLOCKS =
      KernelSource.of(
          "attend_blocks",
          "real.cl",
          "plan.cl",
          "row_tiles.cl",
          "key_panels.cl",
          "weights.cl",
          "block_rows.cl",
          "attend_blocks.cl");
  public static final KernelSource ATTEND_SMALL =
      KernelSource.of(
          "attend_small",
          "real.cl",
          "plan.cl",
          "small_keys.cl",
          "small_rows.cl",
          "attend_small.cl");

  public static final KernelSource TRANSFORM =
      KernelSource.of("transform", "real.cl", "plan.cl", "transform.cl");
  public static final KernelSource ATTEND_TILES =
      KernelSource.of("attend_tiles", "real.cl", "plan.cl", "attend_tiles.cl");
  public static final KernelSource FINISH_ROWS =
      KernelSource.of("finish_rows", "real.cl", "plan.cl", "weights.cl", "finish_rows.cl");
  public static final KernelSource FREEZE = KernelSource.of("freeze", "real.cl", "freeze.cl");

  /** Tile kinds of blocks.cl. */
  static final String PRODUCT = "0";

  static final String DIFFERENCE = "1";
  static final String DISTANCE = "2";

  /** All of them. */
  public static final List<KernelSource> ALL =
      List.of(PACK, ATTEND_BLOCKS, ATTEND_SMALL, TRANSFORM, ATTEND_TILES, FINISH_ROWS, FREEZE);

  private AttentionKernels() {}

  /** Lanes of a vector of the working precision. */
  public static int vectorWidth(boolean fp64) {
    return fp64 ? 4 : 8;
  }

  /** Tokens, or coordinates, packed side by side: two vectors. */
  public static int packWidth(boolean fp64) {
    return 2 * vectorWidth(fp64);
  }

  /** The dimension rounded up to whole packs. */
  public static int paddedDimension(boolean fp64, int d) {
    return (d + packWidth(fp64) - 1) / packWidth(fp64) * packWidth(fp64);
  }

  /**
   * Rows of a block: 48, less where the block's private arrays (queries twice, sums, scores) would
   * outgrow a work-item's stack.
   */
  public static int blockRows(boolean fp64, int d) {
    int rows = ROWS;
    while (rows > TILE_ROWS
        && (long) rows * (2L * d + paddedDimension(fp64, d)) * (fp64 ? 8 : 4) > PRIVATE_BYTES) {
      rows /= 2;
    }
    return Math.max(TILE_ROWS, rows / TILE_ROWS * TILE_ROWS);
  }

  /** Packing of keys for the pair observables. */
  public static KernelVariant pack(boolean fp64, int d) {
    return pack(fp64, d, d, packWidth(fp64));
  }

  /** Packing of keys for {@link #attendBlocks}. */
  public static KernelVariant pack(boolean fp64, int d, BlockTiles tiles) {
    return pack(fp64, d, tiles.paddedDimension(d), tiles.tileKeys());
  }

  private static KernelVariant pack(boolean fp64, int d, int padded, int keys) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("D", Integer.toString(d));
    defines.put("DP", Integer.toString(padded));
    defines.put("PACK", Integer.toString(keys));
    return PACK.with(defines);
  }

  /**
   * Attention of row blocks.
   *
   * @param difference scores relative to self instead of plain inner products
   * @param hardmax the largest score alone counts; needs {@code difference}
   */
  public static KernelVariant attendBlocks(
      boolean fp64, int d, BlockTiles tiles, boolean difference, boolean hardmax) {
    if (hardmax && !difference) {
      throw new IllegalArgumentException("hardmax compares scores relative to self");
    }
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("D", Integer.toString(d));
    defines.put("VW", Integer.toString(tiles.lanes()));
    defines.put("NV", Integer.toString(tiles.tileVectors()));
    defines.put("KEYS", Integer.toString(tiles.tileKeys()));
    defines.put("BM", Integer.toString(tiles.rows()));
    defines.put("BN", Integer.toString(tiles.panel()));
    defines.put("KC", Integer.toString(tiles.chunk()));
    defines.put("SUM", Integer.toString(BlockTiles.SUM));
    defines.put("TILE", difference ? DIFFERENCE : PRODUCT);
    defines.put("HARDMAX", hardmax ? "1" : "0");
    defines.put("HALF", "0");
    defines.put("TILED", "0");
    return ATTEND_BLOCKS.with(defines);
  }

  /**
   * Attention for d &lt;= {@link #SMALL_DIMENSION}.
   *
   * @param mixed positions have corrections
   * @param careful queries and scores are carried as two numbers; without hardmax
   * @param hardmax the largest score alone counts
   * @param lanes for CPUs: numbers of a vector, a row each; 1 for GPUs: a work-item a row, keys in
   *     local memory
   */
  public static KernelVariant attendSmall(
      boolean fp64, int d, boolean mixed, boolean careful, boolean hardmax, int lanes) {
    boolean staged = lanes == 1;
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(lanes));
    defines.put("D", Integer.toString(d));
    defines.put("PANEL", Integer.toString(staged ? STAGED_PANEL : SMALL_PANEL));
    defines.put("PACK", Integer.toString(packWidth(fp64)));
    defines.put("MIXED", mixed ? "1" : "0");
    defines.put("CAREFUL", careful ? "1" : "0");
    defines.put("HARDMAX", hardmax ? "1" : "0");
    defines.put("STAGED", staged ? "1" : "0");
    defines.put("WG", Integer.toString(STAGED_ROWS));
    return ATTEND_SMALL.with(defines);
  }

  /** Coordinates that a unit of {@link #transform} computes. */
  public static int transformed(boolean fp64, boolean cpu) {
    return cpu ? packWidth(fp64) : 1;
  }

  /** Tokens times a matrix; coordinates in the lanes of a vector on CPU devices. */
  public static KernelVariant transform(boolean fp64, int d, boolean cpu) {
    Map<String, String> defines = rows(fp64, d);
    defines.put("VW", Integer.toString(transformed(fp64, cpu)));
    defines.put("PACK", Integer.toString(packWidth(fp64)));
    defines.put("KC", Integer.toString(CHUNK));
    return TRANSFORM.with(defines);
  }

  /** Sets rows of a field to 0. */
  public static KernelVariant freeze(boolean fp64, int d) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", "1");
    defines.put("D", Integer.toString(d));
    return FREEZE.with(defines);
  }

  /** Sums over keys in work-groups, for GPUs; parameters as {@link #attendBlocks}. */
  public static KernelVariant attendTiles(
      boolean fp64, int d, GroupTiles tiles, boolean difference, boolean hardmax) {
    Map<String, String> defines = rows(fp64, d);
    defines.put("G", Integer.toString(tiles.grid()));
    defines.put("M", Integer.toString(tiles.side()));
    defines.put("KC", Integer.toString(tiles.chunk()));
    defines.put("TILE", difference ? DIFFERENCE : PRODUCT);
    defines.put("HARDMAX", hardmax ? "1" : "0");
    return ATTEND_TILES.with(defines);
  }

  /** The field from those sums; parameters as {@link #attendBlocks}. */
  public static KernelVariant finishRows(boolean fp64, int d, boolean difference, boolean hardmax) {
    Map<String, String> defines = rows(fp64, d);
    defines.put("WG", Integer.toString(STAGED_ROWS));
    defines.put("TILE", difference ? DIFFERENCE : PRODUCT);
    defines.put("HARDMAX", hardmax ? "1" : "0");
    return FINISH_ROWS.with(defines);
  }

  private static Map<String, String> rows(boolean fp64, int d) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", "1");
    defines.put("D", Integer.toString(d));
    return defines;
  }

  /** Rows of a unit of {@link #attendSmall}. */
  public static int smallRows(int lanes) {
    return lanes == 1 ? STAGED_ROWS : lanes;
  }

  /** Every variant for a precision and dimension. */
  public static List<KernelVariant> variants(boolean fp64, int d) {
    List<KernelVariant> all = new ArrayList<>();
    if (d <= SMALL_DIMENSION) {
      for (int lanes : new int[] {vectorWidth(fp64), 1}) {
        for (boolean mixed : fp64 ? new boolean[] {false} : new boolean[] {false, true}) {
          all.add(attendSmall(fp64, d, mixed, false, false, lanes));
          all.add(attendSmall(fp64, d, mixed, false, true, lanes));
          if (!fp64) {
            all.add(attendSmall(fp64, d, mixed, true, false, lanes));
          }
        }
      }
      return List.copyOf(all);
    }
    BlockTiles tiles = BlockTable.defaults(fp64, vectorWidth(fp64)).at(fp64, d);
    all.add(pack(fp64, d, tiles));
    all.add(attendBlocks(fp64, d, tiles, false, false));
    all.add(attendBlocks(fp64, d, tiles, true, false));
    all.add(attendBlocks(fp64, d, tiles, true, true));
    all.add(freeze(fp64, d));
    all.add(transform(fp64, d, false));
    all.add(transform(fp64, d, true));
    for (boolean hardmax : new boolean[] {false, true}) {
      all.add(attendTiles(fp64, d, GroupTiles.DEFAULT, true, hardmax));
      all.add(finishRows(fp64, d, true, hardmax));
    }
    all.add(attendTiles(fp64, d, GroupTiles.DEFAULT, false, false));
    all.add(finishRows(fp64, d, false, false));
    return List.copyOf(all);
  }

  static Map<String, String> blocks(boolean fp64, int d, int rows, String tile) {
    Map<String, String> defines = common(fp64, d);
    defines.put("BM", Integer.toString(rows));
    defines.put("BN", Integer.toString(PANEL));
    defines.put("KC", Integer.toString(CHUNK));
    defines.put("TILE", tile);
    return defines;
  }

  static Map<String, String> common(boolean fp64, int d) {
    Map<String, String> defines = new LinkedHashMap<>();
    defines.put("DOUBLE", fp64 ? "1" : "0");
    defines.put("VW", Integer.toString(vectorWidth(fp64)));
    defines.put("D", Integer.toString(d));
    defines.put("DP", Integer.toString(paddedDimension(fp64, d)));
    return defines;
  }
}
