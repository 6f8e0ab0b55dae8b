package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockTable;
import org.starling.kernels.BlockTiles;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Attention on CPU devices: packs the keys, then attend_blocks.cl does all the rest. */
record BlockLaunch(DeviceSession session, Workspace work, Numbers numbers, BlockTable table)
    implements AttentionPass.Launch {
  /**
   * Packed keys of a replica that are more than this do not stay near a core: taller blocks, by up
   * to {@link #TALLER}, read them less often. Measured at n = 65536, d = 128 (32 MiB) on cores with
   * 2 MiB each: 5 to 9 % less time, and 4 % more at half of that. How many rows a block has decides
   * no bits.
   */
  private static final long NEAR_BYTES = 24L << 20;

  private static final int TALLER = 4;

  /** What the arrays of a block may take beside, so that they do stay near. */
  private static final long BLOCK_BYTES = 320L << 10;

  @Override
  public int rowsPerUnit(Shape s) {
    return tiles(s).rows();
  }

  private BlockTiles tiles(Shape s) {
    BlockTiles t = table.at(numbers.fp64(), s.d());
    long token = (long) t.paddedDimension(s.d()) * numbers.bytes();
    if (s.n() * token <= NEAR_BYTES) {
      return t;
    }
    int factor = TALLER;
    while (factor > 1
        && (3 * factor * t.rows() * token > BLOCK_BYTES
            || factor * t.rows() > BlockTiles.MOST_ROWS)) {
      factor--;
    }
    return t.withRows(factor * t.rows()).fitting(numbers.fp64(), s.d());
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    return List.of(new MemoryPlan.Item("packed keys", 1, keyBytes(s)));
  }

  private static long groups(Shape s, int width) {
    return ((long) s.n() + width - 1) / width;
  }

  /** The pair observables keep their keys, packed otherwise, in the same buffer. */
  private long keyBytes(Shape s) {
    int width = AttentionKernels.packWidth(numbers.fp64());
    BlockTiles t = tiles(s);
    long own = groups(s, t.tileKeys()) * t.tileKeys() * t.paddedDimension(s.d());
    return s.replicas() * Math.max(own, groups(s, width) * width * s.d()) * numbers.bytes();
  }

  @Override
  public int packWidth(Shape s) {
    return tiles(s).tileKeys();
  }

  @Override
  public void launch(
      ClState x,
      LoadedLayers layers,
      Family family,
      ClField out,
      DeviceBuffer ranges,
      AttentionPass.Operation operation) {
    Shape s = x.shape();
    int slots = layers.slots().length;
    DeviceBuffer keys = work.buffer("packed keys", keyBytes(s));
    session
        .kernel(AttentionKernels.pack(numbers.fp64(), s.d(), tiles(s)))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(layers.plan())
        .int32(layers.tables().planStride())
        .int32(s.n())
        .over(slots * groups(s, packWidth(s)), Grid.items(1), 32.0 * s.d());
    int rows = rowsPerUnit(s);
    Call call =
        session
            .kernel(
                AttentionKernels.attendBlocks(
                    numbers.fp64(),
                    s.d(),
                    tiles(s),
                    family != Family.PLAIN,
                    family == Family.HARDMAX))
            .call()
            .buffer(keys)
            .buffer(out.values())
            .buffer(ranges);
    layers
        .passStrides(layers.passAll(call))
        .int32(s.n())
        .int32(operation.ordinal())
        .over(
            slots * (((long) s.n() + rows - 1) / rows),
            Grid.groups(1),
            rows * AttentionPass.workPerRow(s, layers.layers()[layers.slots()[0]]));
  }
}
