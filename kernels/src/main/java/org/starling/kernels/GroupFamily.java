package org.starling.kernels;

import java.util.Locale;

/**
 * Makers of GPUs and the tile sizes shipped for theirs, reasoned out from registers and local
 * memory. Untested: no GPU has been measured yet; `starling tune` measures, and its file can be
 * sent back.
 */
public enum GroupFamily {
  /** 64 x 64 tiles: 256 work-items of 4 x 4, 30 KiB of local memory. */
  NVIDIA("nvidia", new GroupTiles(16, 4, 16)),
  /** As many work-items as four wavefronts of 64. */
  AMD("advanced micro", new GroupTiles(16, 4, 16)),
  /** Small groups: few hardware threads share local memory. */
  INTEL("intel", new GroupTiles(8, 4, 16)),
  /** 32 KiB of local memory is all there is. */
  APPLE("apple", new GroupTiles(8, 4, 16)),
  /** Anything else. */
  OTHER("", GroupTiles.DEFAULT);

  private final String vendor;
  private final GroupTiles tiles;

  GroupFamily(String vendor, GroupTiles tiles) {
    this.vendor = vendor;
    this.tiles = tiles;
  }

  /** The family of a device by its vendor string. */
  public static GroupFamily of(String vendor) {
    String name = vendor.toLowerCase(Locale.ROOT);
    if (name.equals("amd")) {
      return AMD;
    }
    for (GroupFamily f : values()) {
      if (name.contains(f.vendor)) {
        return f;
      }
    }
    return OTHER;
  }

  /** Tiles for a device of this family; those that every device can run where it lacks the room. */
  public GroupTiles tiles(boolean fp64, long localMemory, long largestGroup) {
    boolean fits = tiles.localBytes(fp64) <= localMemory && tiles.items() <= largestGroup;
    return fits ? tiles : GroupTiles.DEFAULT;
  }
}
