package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.BlockTiles;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * Attention in few dimensions: attend_small.cl on the positions as they are.
 *
 * @param lanes rows side by side in a vector, on CPU devices; else 1
 */
record SmallLaunch(DeviceSession session, Numbers numbers, int lanes)
    implements AttentionPass.Launch {
  static SmallLaunch on(DeviceSession session, Numbers numbers) {
    Device device = session.device();
    int lanes = device.cpu() ? BlockTiles.lanes(numbers.fp64(), device.vectorBytes()) : 1;
    return new SmallLaunch(session, numbers, lanes);
  }

  @Override
  public int rowsPerUnit(Shape s) {
    return AttentionKernels.smallRows(lanes);
  }

  @Override
  public int packWidth(Shape s) {
    return AttentionKernels.packWidth(numbers.fp64());
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
                    lanes))
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
            Grid.groups(lanes == 1 ? AttentionKernels.STAGED_ROWS : 1),
            rows * AttentionPass.workPerRow(s, layers.layers()[layers.slots()[0]]));
  }
}
