package org.starling.opencl;

import java.util.Arrays;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.model.MergedKeys;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceKernel;
import org.starling.opencl.cl.DeviceSession;

/** How far tokens stand from the leaders of their groups, which stay on the device meanwhile. */
final class KeyShift implements AutoCloseable {
  private final DeviceSession session;
  private final StateOperations operations;
  private DeviceBuffer leaders;

  /** Groups whose leaders are on the device. */
  private MergedKeys[] known = {};

  /** Leaders of all replicas, sent at once: a transfer waits for the device. */
  private int[] leader = {};

  KeyShift(DeviceSession session, StateOperations operations) {
    this.session = session;
    this.operations = operations;
  }

  static long bytes(Shape shape) {
    return 4L * shape.replicas() * shape.n();
  }

  double[] largest(ClState x, MergedKeys[] keys) {
    Shape shape = x.shape();
    boolean[] active = new boolean[keys.length];
    for (int r = 0; r < keys.length; r++) {
      active[r] = keys[r] != null;
    }
    load(shape, keys);
    int each = Parts.perReplicaInStep(shape);
    Map<String, String> define = operations.tokens(shape);
    DeviceKernel kernel = operations.kernel(StateKernels.KEY_SHIFT, define);
    StateOperations.state(kernel.call(), x)
        .buffer(leaders)
        .buffer(operations.active(active))
        .buffer(operations.parts().reals(shape))
        .int32(shape.n())
        .int32(shape.d())
        .over(
            (long) shape.replicas() * each,
            operations.grid(kernel),
            StateKernels.TOKENS_PER_STEP_ITEM * 20.0 * shape.d());
    double[] part = operations.parts().read((long) shape.replicas() * each);
    double[] result = new double[keys.length];
    for (int r = 0; r < result.length; r++) {
      for (int p = 0; active[r] && p < each; p++) {
        // Math.max keeps a NaN.
        result[r] = Math.max(result[r], part[r * each + p]);
      }
    }
    return result;
  }

  private void load(Shape shape, MergedKeys[] keys) {
    if (leaders == null || leaders.bytes() != bytes(shape)) {
      close();
      leaders = session.allocate("leaders of tokens", bytes(shape));
      known = new MergedKeys[keys.length];
      leader = new int[keys.length * shape.n()];
    }
    boolean changed = false;
    for (int r = 0; r < keys.length; r++) {
      if (keys[r] != null && keys[r] != known[r]) {
        System.arraycopy(keys[r].leader(), 0, leader, r * shape.n(), shape.n());
        known[r] = keys[r];
        changed = true;
      }
    }
    if (changed) {
      leaders.write(0, leader, 0, leader.length);
    }
  }

  @Override
  public void close() {
    if (leaders != null) {
      leaders.close();
      leaders = null;
    }
    Arrays.fill(known, null);
  }
}
