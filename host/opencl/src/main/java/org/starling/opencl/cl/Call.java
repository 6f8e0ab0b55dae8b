package org.starling.opencl.cl;

import java.nio.ByteBuffer;

/**
 * One call of a kernel: arguments in order, then {@link #over}. Every kernel ends with two {@code
 * ulong} arguments {@code first} and {@code end}: the launch computes the units first .. end - 1 of
 * all units, and a work-item whose unit is at or beyond {@code end} does nothing (global sizes are
 * padded). So a long call is cut into launches that a display or a signal can come between; results
 * must not depend on the cut, because it follows measured times.
 */
public final class Call {
  private final DeviceSession session;
  private final DeviceKernel kernel;
  private int arguments;

  Call(DeviceSession session, DeviceKernel kernel) {
    this.session = session;
    this.kernel = kernel;
  }

  public Call buffer(DeviceBuffer b) {
    kernel.argument(arguments++, b.handle());
    return this;
  }

  public Call int32(int v) {
    return number(v);
  }

  public Call int64(long v) {
    return number(v);
  }

  public Call float32(float v) {
    return number(v);
  }

  public Call float64(double v) {
    return number(v);
  }

  /** A vector by value, given as its bytes from the buffer's position to its limit; at most 128. */
  public Call vector(ByteBuffer bytes) {
    return number(bytes);
  }

  /**
   * Enqueues the call, cut as needed.
   *
   * @param units units of work in all
   * @param grid work-items for the units; its local size must not exceed the kernel's limit
   * @param workPerUnit cost of a unit in any measure that grows with its time (multiply-adds)
   */
  public void over(long units, Grid grid, double workPerUnit) {
    if (grid.local() > kernel.maxWorkGroupSize()) {
      throw new IllegalArgumentException(
          "kernel "
              + kernel.variant().name()
              + " runs in work-groups of at most "
              + kernel.maxWorkGroupSize()
              + " here, not "
              + grid.local());
    }
    session.schedule().run(this, units, grid, Math.max(1, workPerUnit));
  }

  DeviceKernel kernel() {
    return kernel;
  }

  /**
   * Enqueues the units first .. end - 1 as one launch.
   *
   * @return its event if it is watched, else null
   */
  Handle enqueue(long first, long end, Grid grid, boolean watched) {
    int at = arguments;
    int64(first);
    int64(end);
    arguments = at;
    long groups = (end - first + grid.unitsPerGroup() - 1) / grid.unitsPerGroup();
    ClApi api = session.api();
    long items = groups * grid.groupsPerUnit() * grid.local();
    if (watched) {
      return api.enqueueKernel(session.queue(), kernel.handle(), items, grid.local());
    }
    api.enqueueKernelUnwatched(session.queue(), kernel.handle(), items, grid.local());
    return null;
  }

  private Call number(Object v) {
    kernel.argument(arguments++, v);
    return this;
  }
}
