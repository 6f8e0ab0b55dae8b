package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockTable;
import org.starling.kernels.BlockTiles;
import org.starling.kernels.HalfKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * As {@link BlockLaunch} in float32, with packed keys of 16 bits (pack_half.cl); attend_blocks.cl
 * says what is rounded and what is not.
 *
 * @param counts tokens that 16 bits do not hold
 */
record HalfLaunch(DeviceSession session, Workspace work, BlockTable table, HalfCounts counts)
    implements AttentionPass.Launch {
  private static final int BYTES = 2;

  /** Why a layer cannot be computed so; null if it can. */
  static String refusal(Shape s, Layer layer) {
    if (s.d() <= AttentionKernels.SMALL_DIMENSION) {
      return "for d <= "
          + AttentionKernels.SMALL_DIMENSION
          + " keys are not packed: a half would save nothing";
    }
    if (layer.normalisation() == Normalisation.HARDMAX) {
      return "hardmax would choose between near keys by their rounding";
    }
    if (layer.keyed()) {
      return "keys with weights, first keys for all, or a sink are not packed";
    }
    return layer.merged() != null ? "merged keys are not packed" : null;
  }

  @Override
  public int rowsPerUnit(Shape s) {
    return tiles(s).rows();
  }

  private BlockTiles tiles(Shape s) {
    return table.atHalf(s.d());
  }

  @Override
  public int packWidth(Shape s) {
    return tiles(s).tileKeys();
  }

  private long groups(Shape s) {
    return ((long) s.n() + packWidth(s) - 1) / packWidth(s);
  }

  private long keyBytes(Shape s) {
    return s.replicas() * groups(s) * packWidth(s) * tiles(s).paddedDimension(s.d()) * BYTES;
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    return List.of(
        new MemoryPlan.Item("packed keys (half)", 1, keyBytes(s)),
        new MemoryPlan.Item("counts of rounding", 1, HalfCounts.bytes(s, groups(s))));
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
    DeviceBuffer keys = work.buffer("packed keys (half)", keyBytes(s));
    session
        .kernel(HalfKernels.pack(s.d(), tiles(s)))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(counts.of(s, groups(s)))
        .buffer(layers.plan())
        .int32(layers.tables().planStride())
        .int32(s.n())
        .over(slots * groups(s), Grid.items(1), 32.0 * s.d());
    int rows = rowsPerUnit(s);
    Call call =
        session
            .kernel(HalfKernels.attendBlocks(s.d(), tiles(s), family != Family.PLAIN))
            .call()
            .buffer(x.values())
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
