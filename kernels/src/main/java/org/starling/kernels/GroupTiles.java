package org.starling.kernels;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tile sizes of {@link AttentionKernels#ATTEND_TILES}, the attention kernel of GPUs for d &gt;
 * {@link AttentionKernels#SMALL_DIMENSION}; part of the bits. Untested on GPUs, the default
 * included: right on CPU devices, their speed unknown.
 *
 * @param grid work-items along a side of the work-group's square: 4, 8 or 16
 * @param side rows, and keys, of a work-item's register tile: 1 to 8
 * @param chunk coordinates, or keys, staged in local memory at a time; divides {@link #rows}
 */
public record GroupTiles(int grid, int side, int chunk) {
  /** Local memory that every OpenCL device has. */
  public static final long LEAST_LOCAL_MEMORY = 32 << 10;

  /** Fits {@link #LEAST_LOCAL_MEMORY} in both precisions. */
  public static final GroupTiles DEFAULT = new GroupTiles(8, 4, 16);

  private static final Pattern TEXT =
      Pattern.compile("groups grid=(\\d{1,4}) tile=(\\d{1,4}) chunk=(\\d{1,4})");

  public GroupTiles {
    if (!List.of(4, 8, 16).contains(grid)) {
      throw new IllegalArgumentException("tile sizes: a grid has side 4, 8 or 16, got " + grid);
    }
    if (side < 1 || side > 8) {
      throw new IllegalArgumentException("tile sizes: a tile has side 1 to 8, got " + side);
    }
    if (chunk < 1 || grid * side % chunk != 0) {
      throw new IllegalArgumentException(
          "tile sizes: a chunk must divide the rows, " + grid * side + ", got " + chunk);
    }
  }

  /** Rows, and keys, of a work-group's tile. */
  public int rows() {
    return grid * side;
  }

  /** Work-items of a work-group. */
  public int items() {
    return grid * grid;
  }

  /** Bytes of local memory of a work-group. */
  public long localBytes(boolean fp64) {
    return (rows() * (rows() + 1L) + 3L * chunk * rows() + 4L * rows()) * (fp64 ? 8 : 4);
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return "groups grid=%d tile=%d chunk=%d".formatted(grid, side, chunk);
  }

  /**
   * Reads {@code groups grid=8 tile=4 chunk=16}.
   *
   * @throws IllegalArgumentException if the text is not of that form, or names impossible sizes
   */
  public static GroupTiles parse(String text) {
    Matcher m = TEXT.matcher(text.strip());
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "tile sizes read like 'groups grid=8 tile=4 chunk=16', got '" + text + "'");
    }
    return new GroupTiles(
        Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)));
  }

  /**
   * What is worth trying on a device: the default first.
   *
   * @param localMemory bytes of local memory of a work-group
   * @param largestGroup largest work-group
   */
  public static List<GroupTiles> candidates(boolean fp64, long localMemory, long largestGroup) {
    return Stream.of(
            DEFAULT,
            new GroupTiles(8, 4, 32),
            new GroupTiles(16, 2, 16),
            new GroupTiles(16, 4, 8),
            new GroupTiles(16, 4, 16),
            new GroupTiles(8, 8, 8),
            new GroupTiles(8, 8, 16))
        .filter(t -> t.localBytes(fp64) <= localMemory && t.items() <= largestGroup)
        .toList();
  }
}
