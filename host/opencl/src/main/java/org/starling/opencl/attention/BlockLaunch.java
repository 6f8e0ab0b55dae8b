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
  @Override
  public int rowsPerUnit(Shape s) {
    return tiles(s).rows();
  }

  private BlockTiles tiles(Shape s) {
    return table.at(numbers.fp64(), s.d());
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
