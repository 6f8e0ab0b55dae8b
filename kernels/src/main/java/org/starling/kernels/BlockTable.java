package org.starling.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@link BlockTiles} by dimension: what an engine uses, and what is pinned with a run. As text, one
 * line: {@code d<=32 blocks ...; blocks ...}, or a single {@code blocks ...} for every dimension.
 *
 * @param entries by growing dimension; the last one holds from there on
 */
public record BlockTable(List<Entry> entries) {
  private static final Pattern BOUNDED = Pattern.compile("d<=(\\d{1,6}) (.*)");

  /**
   * Tiles up to a dimension.
   *
   * @param largestD largest dimension they are for
   */
  public record Entry(int largestD, BlockTiles tiles) {
    String text() {
      return largestD == Integer.MAX_VALUE ? tiles.text() : "d<=" + largestD + " " + tiles.text();
    }
  }

  public BlockTable {
    entries = List.copyOf(entries);
    int before = 0;
    for (Entry e : entries) {
      if (e.largestD <= before) {
        throw new IllegalArgumentException("tile sizes: the bounds of d must grow");
      }
      before = e.largestD;
    }
    if (before != Integer.MAX_VALUE) {
      throw new IllegalArgumentException("tile sizes: the last entry must have no bound of d");
    }
  }

  /** The same tiles for every dimension. */
  public static BlockTable of(BlockTiles tiles) {
    return new BlockTable(List.of(new Entry(Integer.MAX_VALUE, tiles)));
  }

  /**
   * What this project ships. Measured on PoCL with 64-byte vectors and 32 registers, in turn with
   * its neighbours: from d = 16 to 1024, blocks of 48 to 192 rows and chunks of 64 to 256 are
   * within 4 % of each other, panels of 256 keys 7 % slower at d = 16. Other widths get the
   * register tile of a machine with 16 registers.
   */
  public static BlockTable defaults(boolean fp64, int lanes) {
    int keys = lanes * (fp64 ? 8 : 4) == 64 ? 8 : 4;
    return new BlockTable(
        List.of(
            new Entry(511, new BlockTiles(48, 64, 128, keys, 3, lanes)),
            new Entry(Integer.MAX_VALUE, new BlockTiles(96, 64, 128, keys, 3, lanes))));
  }

  /** Tiles for a dimension, with as many rows as a stack can hold. */
  public BlockTiles at(boolean fp64, int d) {
    return at(d).fitting(fp64, d);
  }

  /** The same for keys kept as numbers of 16 bits. */
  public BlockTiles atHalf(int d) {
    return at(d).fitting(false, d, true);
  }

  BlockTiles at(int d) {
    return entries.stream().filter(e -> d <= e.largestD).findFirst().orElseThrow().tiles;
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return entries.stream().map(Entry::text).collect(Collectors.joining("; "));
  }

  /**
   * Reads {@link #text}.
   *
   * @param fp64 the precision that it is for
   * @throws IllegalArgumentException if it cannot be read, or names impossible sizes
   */
  public static BlockTable parse(String text, boolean fp64) {
    List<Entry> entries = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      Matcher m = BOUNDED.matcher(part.strip());
      entries.add(
          m.matches()
              ? new Entry(Integer.parseInt(m.group(1)), BlockTiles.parse(m.group(2)))
              : new Entry(Integer.MAX_VALUE, BlockTiles.parse(part)));
    }
    for (Entry e : entries) {
      if (e.tiles.lanes() * (fp64 ? 8 : 4) > 64 || e.tiles.lanes() * (fp64 ? 8 : 4) < 16) {
        throw new IllegalArgumentException(
            "tile sizes: vectors have 16 to 64 bytes, not " + e.tiles.lanes() + " numbers");
      }
    }
    return new BlockTable(entries);
  }
}
