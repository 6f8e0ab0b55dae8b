package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.kernels.MergedKernels;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Attention with tokens that stand together as keys (attend_merged.cl), on every device. */
final class MergedLaunch extends HeadwiseLaunch {

  /** Layers whose groups are on the device. */
  private LoadedLayers described;

  MergedLaunch(DeviceSession session, Workspace work, Numbers numbers) {
    super(session, work, numbers);
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    List<MemoryPlan.Item> items = new ArrayList<>(super.buffers(s));
    items.add(new MemoryPlan.Item("groups of tokens", 1, s.replicas() * 4 * stride(s)));
    return items;
  }

  /** Integers that describe the groups of a slot. */
  private static long stride(Shape s) {
    return 4L * s.n() + 2;
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
    DeviceBuffer groups = work.buffer("groups of tokens", s.replicas() * 4 * stride(s));
    if (described != layers) {
      describe(layers, s, groups);
      described = layers;
    }
    sumByTable(
        MergedKernels.attend(numbers.fp64(), s.d(), session.device().cpu()),
        x,
        layers,
        queries,
        sums,
        groups,
        h,
        operation,
        workPerRow(s, layers));
  }

  /** Multiply-adds of one row: a key a group. */
  private static double workPerRow(Shape s, LoadedLayers layers) {
    double groups = 0;
    for (int r : layers.slots()) {
      groups = Math.max(groups, layers.layers()[r].merged().groups());
    }
    return groups * (3.0 * s.d() + 20);
  }

  private static void describe(LoadedLayers layers, Shape s, DeviceBuffer to) {
    int n = s.n();
    int[] slots = layers.slots();
    for (int slot = 0; slot < slots.length; slot++) {
      Layer layer = layers.layers()[slots[slot]];
      MergedKeys keys = layer.merged();
      int[] table = new int[Math.toIntExact(stride(s))];
      table[0] = keys.groups();
      System.arraycopy(keys.group(), 0, table, 1, n);
      System.arraycopy(keys.members(), 0, table, 1 + n, n);
      System.arraycopy(keys.start(), 0, table, 1 + 2 * n, keys.groups() + 1);
      System.arraycopy(keys.leaders(), 0, table, 2 + 2 * n + keys.groups(), keys.groups());
      to.write(4 * slot * stride(s), table, 0, table.length);
    }
  }
}
