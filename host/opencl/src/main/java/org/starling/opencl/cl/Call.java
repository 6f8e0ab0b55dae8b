package org.starling.opencl.cl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
    session.api().setArgument(kernel.handle(), arguments++, b.handle());
    return this;
  }

  public Call int32(int v) {
    return value(ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).putInt(0, v), 4);
  }

  public Call int64(long v) {
    return value(ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putLong(0, v), 8);
  }

  public Call float32(float v) {
    return value(ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder()).putFloat(0, v), 4);
  }

  public Call float64(double v) {
    return value(ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder()).putDouble(0, v), 8);
  }

  public Call local(long bytes) {
    session.api().setLocalArgument(kernel.handle(), arguments++, bytes);
    return this;
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

  /** Enqueues the units first .. end - 1 as one launch. */
  Handle enqueue(long first, long end, Grid grid) {
    int at = arguments;
    int64(first);
    int64(end);
    arguments = at;
    long groups = (end - first + grid.unitsPerGroup() - 1) / grid.unitsPerGroup();
    return session
        .api()
        .enqueueKernel(session.queue(), kernel.handle(), groups * grid.local(), grid.local());
  }

  private Call value(ByteBuffer v, int bytes) {
    session.api().setArgument(kernel.handle(), arguments++, v, bytes);
    return this;
  }
}
