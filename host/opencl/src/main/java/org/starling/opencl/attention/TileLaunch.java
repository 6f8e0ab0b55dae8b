package org.starling.opencl.attention;

import org.starling.core.engine.Shape;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.GroupTiles;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Attention on GPUs: sums over keys in work-groups (attend_tiles.cl). */
final class TileLaunch extends HeadwiseLaunch {
  private final GroupTiles tiles;

  TileLaunch(DeviceSession session, Workspace work, Numbers numbers, GroupTiles tiles) {
    super(session, work, numbers);
    this.tiles = tiles;
  }

  @Override
  void sumOverKeys(
      ClState x,
      LoadedLayers layers,
      Family family,
      DeviceBuffer queries,
      DeviceBuffer sums,
      int h,
      AttentionPass.Operation operation) {
    Shape s = x.shape();
    int rows = tiles.rows();
    Call call =
        session
            .kernel(
                AttentionKernels.attendTiles(
                    numbers.fp64(), s.d(), tiles, family != Family.PLAIN, family == Family.HARDMAX))
            .call()
            .buffer(x.values())
            .buffer(queries)
            .buffer(sums)
            .buffer(states(s))
            .buffer(layers.plan())
            .buffer(layers.scale());
    layers
        .passStrides(call)
        .int32(s.n())
        .int32(h)
        .int32(operation.ordinal())
        .over(
            layers.slots().length * (((long) s.n() + rows - 1) / rows),
            Grid.groups(tiles.items()),
            rows * AttentionPass.workPerRow(s, layers.layers()[layers.slots()[0]]));
  }
}
