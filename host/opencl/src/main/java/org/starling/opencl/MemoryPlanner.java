package org.starling.opencl;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.opencl.attention.LayerOperations;
import org.starling.opencl.cl.Device;

/** Lists every buffer of a run before anything is allocated. */
final class MemoryPlanner {
  /** Share of the device's memory that a run may plan for; drivers and displays need the rest. */
  private static final double USABLE = 0.9;

  private final Device device;
  private final Precision precision;
  private final LayerOperations operations;

  MemoryPlanner(Device device, Precision precision, LayerOperations operations) {
    this.device = device;
    this.precision = precision;
    this.operations = operations;
  }

  /**
   * @param observed whether observables over pairs of tokens are asked for
   */
  MemoryPlan plan(Shape shape, List<Layer> layers, int states, int fields, boolean observed) {
    int largest = largest(shape, layers, states, fields, observed);
    return plan(shape, layers, states, fields, observed, largest);
  }

  private MemoryPlan plan(
      Shape shape, List<Layer> layers, int states, int fields, boolean observed, int largestN) {
    long size = shape.size();
    long state = size * Parts.realBytes(precision);
    List<MemoryPlan.Item> items = new ArrayList<>();
    items.add(new MemoryPlan.Item("positions", states, state));
    if (precision == Precision.MIXED) {
      items.add(new MemoryPlan.Item("corrections", states, 4 * size));
    }
    items.add(new MemoryPlan.Item("fields", fields, state));
    items.addAll(operations.buffers(shape, layers, observed));
    items.addAll(TokenRules.buffers(shape, layers, precision));
    items.add(new MemoryPlan.Item("partial results", 1, Parts.realBytes(shape, precision)));
    items.add(new MemoryPlan.Item("partial tokens", 1, Parts.intBytes(shape)));
    if (layers.stream().anyMatch(layer -> layer.merged() != null)) {
      items.add(new MemoryPlan.Item("leaders of tokens", 1, KeyShift.bytes(shape)));
    }
    int replicas = shape.replicas();
    items.add(
        new MemoryPlan.Item(
            "coefficients", 1, ReplicaParameters.coefficientBytes(replicas, precision)));
    items.add(new MemoryPlan.Item("active replicas", 1, ReplicaParameters.activeBytes(replicas)));
    items.add(new MemoryPlan.Item("noise of replicas", replicas, NoiseStreams.BYTES));
    return new MemoryPlan(items, state, limit(), device.maxAllocation(), largestN);
  }

  private long limit() {
    return (long) (USABLE * device.globalMemory());
  }

  /**
   * Largest n whose plan fits, 0 if none does; every buffer grows with n, so bisection finds it.
   */
  private int largest(Shape shape, List<Layer> layers, int states, int fields, boolean observed) {
    int fits = 0;
    long tooLarge = 1L << 31;
    while (tooLarge - fits > 1) {
      int n = (int) ((fits + tooLarge) >>> 1);
      Shape tried = new Shape(shape.replicas(), n, shape.d());
      if (tried.size() <= OpenClEngine.LARGEST_ARRAY
          && plan(tried, layers, states, fields, observed, 0).fits()) {
        fits = n;
      } else {
        tooLarge = n;
      }
    }
    return fits;
  }
}
