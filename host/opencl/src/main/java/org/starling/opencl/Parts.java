package org.starling.opencl;

import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * Work buffers of the reductions: every work-item leaves one part, and the host joins a replica's
 * parts in their order, so that the result does not depend on how the device schedules.
 */
final class Parts implements AutoCloseable {
  private final DeviceSession session;
  private final int realBytes;
  private DeviceBuffer reals;
  private DeviceBuffer ints;

  Parts(DeviceSession session, Precision precision) {
    this.session = session;
    this.realBytes = realBytes(precision);
  }

  static int realBytes(Precision precision) {
    return precision == Precision.DOUBLE ? 8 : 4;
  }

  /** Parts of a replica in the observers. */
  static int perReplica(Shape shape) {
    return ceil(shape.n(), StateKernels.TOKENS_PER_ITEM);
  }

  /** Parts of a replica in the error norm and the largest speed. */
  static int perReplicaInStep(Shape shape) {
    return ceil(shape.n(), StateKernels.TOKENS_PER_STEP_ITEM);
  }

  /** Parts of a coordinate and replica for the coordinate sums. */
  static int sumsPerReplica(Shape shape) {
    return ceil(shape.n(), StateKernels.TOKENS_PER_SUM);
  }

  /** Size of the buffer of reals: one, two (sums) or four (spreads) for every part. */
  static long realCapacity(Shape shape) {
    long step = (long) shape.replicas() * perReplicaInStep(shape);
    long spread = Math.max(step, 4L * shape.replicas() * perReplica(shape));
    long sums = 2L * shape.replicas() * sumsPerReplica(shape) * shape.d();
    // Four rows of the second-moment matrix, as pairs.
    return Math.max(Math.max(spread, sums), 8L * shape.d());
  }

  static long realBytes(Shape shape, Precision precision) {
    return realCapacity(shape) * realBytes(precision);
  }

  static long intBytes(Shape shape) {
    long step = 4L * shape.replicas() * perReplicaInStep(shape);
    return Math.max(step, 8L * shape.replicas() * perReplica(shape));
  }

  DeviceBuffer reals(Shape shape) {
    long bytes = realCapacity(shape) * realBytes;
    if (reals == null || reals.bytes() < bytes) {
      if (reals != null) {
        reals.close();
        reals = null;
      }
      reals = session.allocate("partial results", bytes);
    }
    return reals;
  }

  DeviceBuffer ints(Shape shape) {
    long bytes = intBytes(shape);
    if (ints == null || ints.bytes() < bytes) {
      if (ints != null) {
        ints.close();
        ints = null;
      }
      ints = session.allocate("partial tokens", bytes);
    }
    return ints;
  }

  /** The first {@code count} reals, as float64. */
  double[] read(long parts) {
    int count = Math.toIntExact(parts);
    double[] values = new double[count];
    if (realBytes == 8) {
      reals.read(0, values, 0, count);
    } else {
      float[] narrow = new float[count];
      reals.read(0, narrow, 0, count);
      for (int i = 0; i < count; i++) {
        values[i] = narrow[i];
      }
    }
    return values;
  }

  int[] readInts(long parts) {
    int count = Math.toIntExact(parts);
    int[] values = new int[count];
    ints.read(0, values, 0, count);
    return values;
  }

  private static int ceil(int a, int b) {
    return (int) (((long) a + b - 1) / b);
  }

  @Override
  public void close() {
    if (reals != null) {
      reals.close();
      reals = null;
    }
    if (ints != null) {
      ints.close();
      ints = null;
    }
  }
}
