package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.kernels.AttentionKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Attention in few dimensions: attend_small.cl on the positions as they are. */
record SmallLaunch(DeviceSession session, Numbers numbers, boolean staged)
    implements AttentionPass.Launch {
  @Override
  public int rowsPerUnit(Shape s) {
    return AttentionKernels.smallRows(numbers.fp64(), staged);
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    return List.of();
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
    boolean mixed = x.corrections() != null;
    int rows = rowsPerUnit(s);
    long units = layers.slots().length * (((long) s.n() + rows - 1) / rows);
    Call call =
        session
            .kernel(
                AttentionKernels.attendSmall(
                    numbers.fp64(),
                    s.d(),
                    mixed,
                    family == Family.CAREFUL,
                    family == Family.HARDMAX,
                    staged))
            .call()
            .buffer(x.values())
            .buffer(mixed ? x.corrections() : x.values())
            .buffer(out.values())
            .buffer(ranges);
    layers
        .passStrides(layers.passAll(call))
        .int32(s.n())
        .int32(operation.ordinal())
        .over(
            units,
            Grid.groups(staged ? AttentionKernels.STAGED_ROWS : 1),
            rows * AttentionPass.workPerRow(s, layers.layers()[layers.slots()[0]]));
  }
}
