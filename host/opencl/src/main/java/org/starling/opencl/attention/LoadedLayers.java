package org.starling.opencl.attention;

import java.util.Arrays;
import org.starling.core.model.Layer;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * The layers of one family on the device.
 *
 * @param layers what they were made from, by replica
 * @param tables their description, without the matrices
 * @param plan see plan.cl
 * @param scale see plan.cl
 * @param matrices see plan.cl
 */
record LoadedLayers(
    Layer[] layers,
    LayerTables tables,
    DeviceBuffer plan,
    DeviceBuffer scale,
    DeviceBuffer matrices) {

  /** Uploads; buffers are kept in the work space under the given name. */
  static LoadedLayers upload(
      Layer[] layers, int[] slots, Workspace work, Numbers numbers, int packWidth, String name) {
    LayerTables tables = LayerTables.of(layers, slots, numbers.fp64(), packWidth);
    DeviceBuffer plan = work.buffer("plan " + name, 8L * tables.plan().length);
    plan.write(0, tables.plan(), 0, tables.plan().length);
    DeviceBuffer scale =
        work.buffer("scale " + name, (long) numbers.bytes() * tables.scale().length);
    numbers.write(scale, 0, tables.scale());
    DeviceBuffer matrices =
        work.buffer("weight matrices " + name, tables.matrixNumbers() * numbers.bytes());
    long at = 0;
    for (double[] m : tables.matrices()) {
      numbers.write(matrices, at, m);
      at += m.length;
    }
    return new LoadedLayers(layers.clone(), tables.withoutMatrices(), plan, scale, matrices);
  }

  int[] slots() {
    return tables.slots();
  }

  boolean holds(Layer[] wanted, int[] slots) {
    if (!Arrays.equals(slots, slots())) {
      return false;
    }
    for (int r : slots) {
      if (wanted[r] != layers[r]) {
        return false;
      }
    }
    return true;
  }

  /** Whether a replica's layer is here. */
  boolean holds(Layer layer, int replica) {
    return Arrays.binarySearch(slots(), replica) >= 0 && layers[replica] == layer;
  }

  /** Largest number of heads. */
  int heads() {
    int heads = 0;
    for (int r : slots()) {
      heads = Math.max(heads, layers[r].heads().size());
    }
    return heads;
  }

  /** Whether head h of any slot has a value matrix that is not c I. */
  boolean denseValues(int h) {
    for (int slot = 0; slot < slots().length; slot++) {
      if (tables.denseValue(slot, h)) {
        return true;
      }
    }
    return false;
  }

  /** Passes plan, scale, matrices. */
  Call passAll(Call call) {
    return call.buffer(plan).buffer(scale).buffer(matrices);
  }

  /** Passes the strides of plan and scale. */
  Call passStrides(Call call) {
    return call.int32(tables.planStride()).int32(tables.scaleStride());
  }
}
