package org.starling.opencl.attention;

import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.MergedKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * Attention head by head: queries (transform.cl), sums over keys, values (transform.cl, where a
 * value matrix is not c I), and the field (finish_rows.cl).
 */
abstract class HeadwiseLaunch implements AttentionPass.Launch {
  private static final int TRANSFORM_ITEMS = 64;
  private static final int TABLE_ITEMS = 64;

  final DeviceSession session;
  final Workspace work;
  final Numbers numbers;

  HeadwiseLaunch(DeviceSession session, Workspace work, Numbers numbers) {
    this.session = session;
    this.work = work;
    this.numbers = numbers;
  }

  @Override
  public int rowsPerUnit(Shape s) {
    return AttentionKernels.STAGED_ROWS;
  }

  @Override
  public int packWidth(Shape s) {
    return AttentionKernels.packWidth(numbers.fp64());
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    long tokens = (long) s.replicas() * s.n();
    return List.of(
        new MemoryPlan.Item("queries", 1, s.size() * numbers.bytes()),
        new MemoryPlan.Item("sums over keys", 1, s.size() * numbers.bytes()),
        new MemoryPlan.Item("row states", 1, 4 * tokens * numbers.bytes()),
        new MemoryPlan.Item("moving tokens", 1, 4 * tokens));
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
    DeviceBuffer queries = work.buffer("queries", s.size() * numbers.bytes());
    DeviceBuffer sums = work.buffer("sums over keys", s.size() * numbers.bytes());
    for (int h = 0; h < layers.heads(); h++) {
      transform(s, layers, x.values(), queries, h, 0);
      sumOverKeys(x, layers, family, queries, sums, h, operation);
      if (layers.denseValues(h)) {
        // The queries have served; then the sums have.
        transform(s, layers, sums, queries, h, 1);
        transform(s, layers, x.values(), sums, h, 1);
        finish(x, layers, family, queries, sums, out, ranges, h, operation);
      } else {
        finish(x, layers, family, sums, queries, out, ranges, h, operation);
      }
    }
  }

  /**
   * @param which 0: queries, 1: values
   */
  private void transform(
      Shape s, LoadedLayers layers, DeviceBuffer from, DeviceBuffer to, int h, int which) {
    boolean cpu = session.device().cpu();
    int width = AttentionKernels.transformed(numbers.fp64(), cpu);
    Call call =
        session
            .kernel(AttentionKernels.transform(numbers.fp64(), s.d(), cpu))
            .call()
            .buffer(from)
            .buffer(to);
    layers
        .passStrides(layers.passAll(call))
        .int32(s.n())
        .int32(h)
        .int32(which)
        .over(
            (long) layers.slots().length * s.n() * ((s.d() + width - 1) / width),
            Grid.items(TRANSFORM_ITEMS),
            (double) width * s.d());
  }

  /** Sums and row states of one head, as attend_tiles.cl gives them. */
  abstract void sumOverKeys(
      ClState x,
      LoadedLayers layers,
      Family family,
      DeviceBuffer queries,
      DeviceBuffer sums,
      int h,
      AttentionPass.Operation operation);

  /**
   * Sums of one head by a kernel of row blocks that reads a table of the keys.
   *
   * @param kernel a kernel of {@link MergedKernels}, of its rows a unit
   * @param workPerRow multiply-adds of one row
   */
  final void sumByTable(
      KernelVariant kernel,
      ClState x,
      LoadedLayers layers,
      DeviceBuffer queries,
      DeviceBuffer sums,
      DeviceBuffer table,
      int h,
      AttentionPass.Operation operation,
      double workPerRow) {
    Shape s = x.shape();
    boolean cpu = session.device().cpu();
    int rows = MergedKernels.rows(numbers.fp64(), s.d(), cpu);
    Call call =
        session
            .kernel(kernel)
            .call()
            .buffer(x.values())
            .buffer(queries)
            .buffer(sums)
            .buffer(states(s))
            .buffer(table)
            .buffer(layers.plan())
            .buffer(layers.scale());
    layers
        .passStrides(call)
        .int32(s.n())
        .int32(h)
        .int32(operation.ordinal())
        .over(
            layers.slots().length * (((long) s.n() + rows - 1) / rows),
            Grid.items(cpu ? 1 : TABLE_ITEMS),
            rows * workPerRow);
  }

  private void finish(
      ClState x,
      LoadedLayers layers,
      Family family,
      DeviceBuffer sums,
      DeviceBuffer own,
      ClField out,
      DeviceBuffer ranges,
      int h,
      AttentionPass.Operation operation) {
    Shape s = x.shape();
    int rows = AttentionKernels.STAGED_ROWS;
    Call call =
        session
            .kernel(
                AttentionKernels.finishRows(
                    numbers.fp64(), s.d(), family != Family.PLAIN, family == Family.HARDMAX))
            .call()
            .buffer(x.values())
            .buffer(sums)
            .buffer(own)
            .buffer(states(s))
            .buffer(out.values())
            .buffer(work.buffer("moving tokens", 4L * s.replicas() * s.n()))
            .buffer(ranges)
            .buffer(layers.plan())
            .buffer(layers.scale());
    layers
        .passStrides(call)
        .int32(s.n())
        .int32(operation.ordinal())
        .int32(h)
        .int32(h == layers.heads() - 1 ? 1 : 0)
        .over(
            layers.slots().length * (((long) s.n() + rows - 1) / rows),
            Grid.groups(rows),
            16.0 * rows * s.d());
  }

  final DeviceBuffer states(Shape s) {
    return work.buffer("row states", 4L * s.replicas() * s.n() * numbers.bytes());
  }
}
