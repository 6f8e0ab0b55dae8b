package org.starling.kernels;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tile sizes of {@link AttentionKernels#ATTEND_BLOCKS}, the attention kernel of CPU devices for d
 * &gt; {@link AttentionKernels#SMALL_DIMENSION}. They decide the order of sums, so the bits.
 *
 * @param rows rows of a block, the work of one work-item: a multiple of {@link #tileRows}
 * @param panel keys whose scores are formed, exponentiated and summed at a time: a multiple of
 *     tileKeys and of {@link #SUM}
 * @param chunk coordinates summed before they are added to a score
 * @param tileKeys keys, or coordinates, of a register tile; also the number of keys packed side by
 *     side: a power of two, 2 to 16
 * @param tileVectors vectors of rows of a register tile: 1 to 4
 * @param lanes numbers of a vector: those of the device's registers
 */
public record BlockTiles(int rows, int panel, int chunk, int tileKeys, int tileVectors, int lanes) {
  /** Rows of a block, at most. */
  public static final int MOST_ROWS = 1024;

  /** Keys summed in registers before they are added to a row's sum. */
  public static final int SUM = 32;

  /** What the private arrays of a work-item may take of its stack. */
  private static final long PRIVATE_BYTES = 7L << 19;

  private static final Pattern TEXT =
      Pattern.compile("blocks rows=(\\d+) panel=(\\d+) chunk=(\\d+) tile=(\\d+)x(\\d+)x(\\d+)");

  public BlockTiles {
    require(List.of(2, 4, 8, 16).contains(lanes), "lanes must be 2, 4, 8 or 16", lanes);
    require(tileVectors >= 1 && tileVectors <= 4, "vectors of a tile must be 1 to 4", tileVectors);
    require(
        List.of(2, 4, 8, 16).contains(tileKeys), "keys of a tile must be 2, 4, 8, 16", tileKeys);
    require(
        rows > 0 && rows <= MOST_ROWS && rows % (tileVectors * lanes) == 0,
        "rows must be at most "
            + MOST_ROWS
            + " and a multiple of the tile's "
            + tileVectors * lanes,
        rows);
    require(
        panel > 0 && panel <= 4096 && panel % SUM == 0,
        "a panel must have at most 4096 keys, a multiple of " + SUM,
        panel);
    require(chunk > 0 && chunk <= 4096, "a chunk must have 1 to 4096 coordinates", chunk);
  }

  private static void require(boolean holds, String rule, int got) {
    if (!holds) {
      throw new IllegalArgumentException("tile sizes: " + rule + ", got " + got);
    }
  }

  /** Rows of a register tile. */
  public int tileRows() {
    return tileVectors * lanes;
  }

  /** The dimension rounded up to whole register tiles. */
  public int paddedDimension(int d) {
    return (d + tileKeys - 1) / tileKeys * tileKeys;
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return "blocks rows=%d panel=%d chunk=%d tile=%dx%dx%d"
        .formatted(rows, panel, chunk, tileKeys, tileVectors, lanes);
  }

  /**
   * Reads {@code blocks rows=48 panel=128 chunk=128 tile=8x3x16}, the tile as keys x vectors x
   * lanes.
   *
   * @throws IllegalArgumentException if the text is none of that form, or names impossible sizes
   */
  public static BlockTiles parse(String text) {
    Matcher m = TEXT.matcher(text.strip());
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "tile sizes read like 'blocks rows=48 panel=128 chunk=128 tile=8x3x16', got '"
              + text
              + "'");
    }
    int[] v = new int[6];
    for (int i = 0; i < v.length; i++) {
      try {
        v[i] = Integer.parseInt(m.group(i + 1));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("tile sizes are whole numbers, got '" + text + "'", e);
      }
    }
    return new BlockTiles(v[0], v[1], v[2], v[3], v[4], v[5]);
  }

  /**
   * The same with fewer rows, and then with narrower register tiles, where the block's private
   * arrays would outgrow a stack.
   */
  public BlockTiles fitting(boolean fp64, int d) {
    return fitting(fp64, d, false);
  }

  /**
   * The same.
   *
   * @param half whether a panel of keys is kept beside, in the working precision
   */
  BlockTiles fitting(boolean fp64, int d, boolean half) {
    BlockTiles fit = this;
    while (!fit.fits(fp64, d, half)) {
      if (fit.rows > fit.tileRows()) {
        fit = fit.with(fit.rows - fit.tileRows(), fit.tileVectors);
      } else if (fit.tileVectors > 1) {
        fit = fit.with((fit.tileVectors - 1) * lanes, fit.tileVectors - 1);
      } else {
        return fit;
      }
    }
    return fit;
  }

  /** The same with blocks of so many rows, which changes no bits. */
  public BlockTiles withRows(int newRows) {
    return with(newRows, tileVectors);
  }

  private BlockTiles with(int newRows, int newVectors) {
    return new BlockTiles(newRows, panel, chunk, tileKeys, newVectors, lanes);
  }

  /** Whether a block's positions, queries and sums, a tile more, and scores fit a stack. */
  public boolean fits(boolean fp64, int d) {
    return fits(fp64, d, false);
  }

  /** The same, with a panel of keys beside where they are kept as numbers of 16 bits. */
  public boolean fits(boolean fp64, int d, boolean half) {
    long numbers =
        (3L * rows + tileRows() + (half ? panel : 0)) * paddedDimension(d)
            + (long) panel * tileRows();
    return numbers * (fp64 ? 8 : 4) <= PRIVATE_BYTES;
  }

  /** What this project ships for a precision, dimension and number of lanes. */
  public static BlockTiles defaultFor(boolean fp64, int d, int lanes) {
    return BlockTable.defaults(fp64, lanes).at(d);
  }

  /** Lanes of a vector register. */
  public static int lanes(boolean fp64, int vectorBytes) {
    return Math.max(2, Math.min(64, Math.max(16, vectorBytes)) / (fp64 ? 8 : 4));
  }

  /** What is worth trying on a device: the default first. */
  public static List<BlockTiles> candidates(boolean fp64, int d, int lanes) {
    BlockTiles first = defaultFor(fp64, d, lanes);
    int tall = first.tileRows();
    int keys = first.tileKeys;
    int other = keys == 8 ? 4 : 8;
    return Stream.of(
            first,
            new BlockTiles(48 / tall * tall, 64, 128, keys, first.tileVectors, lanes),
            new BlockTiles(48 / tall * tall, 128, 128, keys, first.tileVectors, lanes),
            new BlockTiles(96 / tall * tall, 64, 128, keys, first.tileVectors, lanes),
            new BlockTiles(96 / tall * tall, 128, 256, keys, first.tileVectors, lanes),
            new BlockTiles(48 / tall * tall, 64, 64, keys, first.tileVectors, lanes),
            new BlockTiles(4 * lanes, 64, 128, other, 2, lanes),
            new BlockTiles(4 * lanes, 64, 128, 4, 4, lanes))
        .map(t -> t.fitting(fp64, d))
        .distinct()
        .toList();
  }
}
