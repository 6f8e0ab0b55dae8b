package org.starling.opencl.attention;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.TileChoices;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockTable;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.GroupFamily;
import org.starling.kernels.GroupTiles;
import org.starling.opencl.cl.Device;

/**
 * The tile sizes of an engine: what a run or a tuner asks for, or else the default. They decide the
 * bits, so the engine's identity names them and a resumed run asks for the same.
 *
 * @param blocks tiles of row blocks, on CPU devices; else null
 * @param groups tiles of work-groups, on other devices; else null
 */
public record TileChoice(BlockTable blocks, GroupTiles groups) {
  /** Name among an engine's settings. */
  static final String SETTING = TileChoices.SETTING;

  static TileChoice of(Device device, boolean fp64, Map<String, String> pinned) {
    String asked = pinned.get(SETTING);
    try {
      if (device.cpu()) {
        int lanes = BlockTiles.lanes(fp64, device.vectorBytes());
        return new TileChoice(
            asked == null ? BlockTable.defaults(fp64, lanes) : BlockTable.parse(asked, fp64), null);
      }
      return new TileChoice(null, asked == null ? shipped(device, fp64) : GroupTiles.parse(asked));
    } catch (IllegalArgumentException e) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "the device "
              + device.name()
              + " cannot use the tile sizes asked for: "
              + e.getMessage()
              + ". Leave the setting out for the default, or resume on the device that began the run",
          e);
    }
  }

  /** Settings worth trying on a device for tokens of dimension d, the shipped one first. */
  public static List<String> candidates(Device device, boolean fp64, int d) {
    if (d <= AttentionKernels.SMALL_DIMENSION) {
      return List.of();
    }
    if (device.cpu()) {
      int lanes = BlockTiles.lanes(fp64, device.vectorBytes());
      return BlockTiles.candidates(fp64, d, lanes).stream().map(BlockTiles::text).toList();
    }
    Stream<GroupTiles> others =
        GroupTiles.candidates(fp64, device.localMemory(), device.maxWorkGroupSize()).stream();
    return Stream.concat(Stream.of(shipped(device, fp64)), others)
        .distinct()
        .map(GroupTiles::text)
        .toList();
  }

  private static GroupTiles shipped(Device device, boolean fp64) {
    return GroupFamily.of(device.vendor())
        .tiles(fp64, device.localMemory(), device.maxWorkGroupSize());
  }

  /** Whether a block of rows of d coordinates fits a work-item's private memory. */
  boolean holds(boolean fp64, int d, boolean half) {
    if (blocks == null) {
      return true;
    }
    return half ? blocks.atHalf(d).fits(fp64, d, true) : blocks.at(fp64, d).fits(fp64, d);
  }

  String text() {
    return blocks != null ? blocks.text() : groups.text();
  }
}
