package org.starling.opencl.attention;

import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Shape;
import org.starling.kernels.HalfKernels;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * Tokens that numbers of 16 bits do not hold, added up on the device by all packings since they
 * were last asked for: the counts of pack_half.cl a group of tokens.
 */
final class HalfCounts {
  private final Workspace work;
  private DeviceBuffer buffer;
  private Shape shape;
  private long groups;
  private boolean pending;

  /** Taken from the device when the buffer had to serve another shape. */
  private FieldReport carried = FieldReport.CLEAN;

  HalfCounts(Workspace work) {
    this.work = work;
  }

  static long bytes(Shape s, long groups) {
    return 4L * HalfKernels.COUNTS * s.replicas() * groups;
  }

  /** Where a packing of this shape adds its counts. */
  DeviceBuffer of(Shape s, long wanted) {
    if (!s.equals(shape) || wanted != groups) {
      carried = take();
      buffer = work.buffer("counts of rounding", bytes(s, wanted));
      buffer.zero();
      shape = s;
      groups = wanted;
    }
    pending = true;
    return buffer;
  }

  /** All counts since the last taking; waits for the packings. */
  FieldReport take() {
    FieldReport all = carried;
    carried = FieldReport.CLEAN;
    if (!pending) {
      return all;
    }
    pending = false;
    int[] found = new int[Math.toIntExact(bytes(shape, groups) / 4)];
    buffer.read(0, found, 0, found.length);
    long[] count = new long[2];
    long[] first = {-1, -1};
    for (int g = 0; g < found.length / HalfKernels.COUNTS; g++) {
      for (int k = 0; k < 2; k++) {
        int c = found[HalfKernels.COUNTS * g + 2 * k];
        if (c > 0 && count[k] == 0) {
          first[k] = g / groups * shape.n() + found[HalfKernels.COUNTS * g + 2 * k + 1];
        }
        count[k] += c;
      }
    }
    if (count[0] + count[1] > 0) {
      buffer.zero();
    }
    return all.and(new FieldReport(0, -1, 0, -1, count[0], first[0], count[1], first[1]));
  }

  /** Forgets the counts so far; waits for nothing. */
  void drop() {
    carried = FieldReport.CLEAN;
    if (pending) {
      buffer.zero();
      pending = false;
    }
  }
}
