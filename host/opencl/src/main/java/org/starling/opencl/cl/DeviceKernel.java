package org.starling.opencl.cl;

import org.starling.kernels.KernelVariant;

/** A built kernel and what was measured about its speed. */
public final class DeviceKernel {
  private final DeviceSession session;
  private final KernelVariant variant;
  private final Handle handle;
  private final int maxWorkGroupSize;
  final Pace pace = new Pace();

  DeviceKernel(DeviceSession session, KernelVariant variant, Handle handle, long maxWorkGroup) {
    this.session = session;
    this.variant = variant;
    this.handle = handle;
    this.maxWorkGroupSize = (int) Math.min(maxWorkGroup, Integer.MAX_VALUE);
  }

  public KernelVariant variant() {
    return variant;
  }

  Handle handle() {
    return handle;
  }

  /** CL_KERNEL_WORK_GROUP_SIZE, asked after the build. */
  public int maxWorkGroupSize() {
    return maxWorkGroupSize;
  }

  /** The largest power of two that is at most {@code wanted} and that this kernel can run with. */
  public int workGroup(int wanted) {
    return Integer.highestOneBit(Math.max(1, Math.min(wanted, maxWorkGroupSize)));
  }

  /** Starts a call; arguments follow in the kernel's order. */
  public Call call() {
    return new Call(session, this);
  }
}
