package org.starling.cpu.reference;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;

/** Heap that the reference engine needs, linear in n d. */
final class ReferencePlan {
  /** Longest array every JVM allocates. */
  static final long LARGEST_ARRAY = Integer.MAX_VALUE - 8L;

  private ReferencePlan() {}

  static MemoryPlan of(Shape shape, List<Layer> layers, int states, int fields) {
    long limit = Runtime.getRuntime().maxMemory();
    List<MemoryPlan.Item> items = items(shape, layers, states, fields);
    long perToken = 0;
    for (MemoryPlan.Item item : items) {
      perToken += item.total() / shape.n();
    }
    long perStateToken = (long) shape.replicas() * shape.d();
    long largestN = Math.min(limit / Math.max(1, perToken), LARGEST_ARRAY / perStateToken);
    return new MemoryPlan(
        items,
        8 * shape.size(),
        limit,
        8 * LARGEST_ARRAY,
        (int) Math.min(largestN, Integer.MAX_VALUE));
  }

  private static List<MemoryPlan.Item> items(
      Shape shape, List<Layer> layers, int states, int fields) {
    List<MemoryPlan.Item> items = new ArrayList<>();
    items.add(new MemoryPlan.Item("state", states, 8 * shape.size()));
    items.add(new MemoryPlan.Item("field", fields, 8 * shape.size()));
    // One replica at a time; each row in flight holds its scores.
    int rows = Runtime.getRuntime().availableProcessors();
    items.add(new MemoryPlan.Item("row of scores", rows, 8L * shape.n()));
    long images = 0;
    int heads = 0;
    for (Layer layer : layers) {
      heads = Math.max(heads, layer.heads().size());
      if (layer.interaction() != null) {
        images = Math.max(images, layer.heads().stream().mapToLong(h -> 16L * h.q().rows()).sum());
      }
    }
    items.add(new MemoryPlan.Item("norms of the tokens", heads, 8L * shape.n()));
    if (images > 0) {
      items.add(new MemoryPlan.Item("Qx and Kx", 1, images * shape.n()));
    }
    return items;
  }
}
