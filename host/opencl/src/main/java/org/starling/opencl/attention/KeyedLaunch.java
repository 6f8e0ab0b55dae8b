package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Sink;
import org.starling.kernels.MergedKernels;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Attention with keys that differ: weights, first keys for all, a sink (attend_keyed.cl). */
final class KeyedLaunch extends HeadwiseLaunch {
  private static final double LOG2_E = 1 / Math.log(2);

  /**
   * Weights are kept relative to the sink's where that is the larger: further below, in units of ln
   * 2, float32 and float64 have no numbers left for them.
   */
  private static final double ROOM_SINGLE = 100;

  private static final double ROOM_DOUBLE = 1000;

  /** Layers, and the head, whose keys are on the device. */
  private LoadedLayers described;

  private int describedHead;

  KeyedLaunch(DeviceSession session, Workspace work, Numbers numbers) {
    super(session, work, numbers);
  }

  /** Why such a sink cannot be computed; null if it can, or where tokens have no scale. */
  static String refusal(Layer layer, boolean fp64) {
    if (layer.sink() == null || layer.geometry() != Geometry.SPHERE) {
      return null;
    }
    double strength = 0;
    for (Layer.LayerHead head : layer.heads()) {
      strength = Math.max(strength, Math.abs(layer.beta()) * head.s().spectralBound());
    }
    double above = (layer.sink().score() + strength) * LOG2_E;
    double room = fp64 ? ROOM_DOUBLE : ROOM_SINGLE;
    return above <= room
        ? null
        : String.format(
            java.util.Locale.ROOT,
            "the sink's score %.4g may be %.4g above those of tokens, so that their weights have no"
                + " room beside its own; lower it, or use %s",
            layer.sink().score(),
            layer.sink().score() + strength,
            fp64 ? "--device java" : "--precision double or --device java");
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape s) {
    List<MemoryPlan.Item> items = new ArrayList<>(super.buffers(s));
    items.add(
        new MemoryPlan.Item("keys that differ", 1, s.replicas() * numbers.bytes() * stride(s)));
    return items;
  }

  /** Numbers that describe the keys of a slot for a head. */
  private static long stride(Shape s) {
    return s.n() + 2L + s.d();
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
    DeviceBuffer keys = work.buffer("keys that differ", s.replicas() * numbers.bytes() * stride(s));
    if (described != layers || describedHead != h) {
      describe(layers, s, h, keys);
      described = layers;
      describedHead = h;
    }
    sumByTable(
        MergedKernels.attendKeyed(numbers.fp64(), s.d(), session.device().cpu()),
        x,
        layers,
        queries,
        sums,
        keys,
        h,
        operation,
        s.n() * (3.0 * s.d() + 30));
  }

  private void describe(LoadedLayers layers, Shape s, int h, DeviceBuffer to) {
    int n = s.n();
    int[] slots = layers.slots();
    for (int slot = 0; slot < slots.length; slot++) {
      Layer layer = layers.layers()[slots[slot]];
      double[] table = new double[Math.toIntExact(stride(s))];
      for (int j = 0; j < n; j++) {
        table[j] = layer.weight(j);
      }
      Sink sink = layer.sink();
      table[n] = sink == null ? Double.NEGATIVE_INFINITY : sink.score() * LOG2_E;
      if (sink != null) {
        System.arraycopy(sink.place(), 0, table, n + 1, s.d());
      }
      if (h < layer.heads().size()) {
        table[n + 1 + s.d()] = layer.heads().get(h).alibi() * LOG2_E;
      }
      numbers.write(to, slot * stride(s), table);
    }
  }
}
