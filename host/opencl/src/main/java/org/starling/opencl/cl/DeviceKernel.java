package org.starling.opencl.cl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.starling.kernels.KernelVariant;

/** A built kernel and what was measured about its speed. */
public final class DeviceKernel {
  private final DeviceSession session;
  private final KernelVariant variant;
  private final Handle handle;
  private final int maxWorkGroupSize;
  final Pace pace = new Pace();

  /**
   * Arguments as last set: most launches change few of them, and setting one takes a microsecond.
   */
  private final List<Object> set = new ArrayList<>();

  private final ByteBuffer value = ByteBuffer.allocateDirect(128).order(ByteOrder.nativeOrder());

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

  void argument(int index, Handle buffer) {
    if (changes(index, buffer)) {
      session.api().setArgument(handle, index, buffer);
      set.set(index, buffer);
    }
  }

  /** A by-value argument: a boxed number, or the bytes of a vector. */
  void argument(int index, Object number) {
    if (!changes(index, number)) {
      return;
    }
    value.clear();
    if (number instanceof Integer v) {
      value.putInt(v);
    } else if (number instanceof Long v) {
      value.putLong(v);
    } else if (number instanceof Float v) {
      value.putFloat(v);
    } else if (number instanceof Double v) {
      value.putDouble(v);
    } else {
      value.put(((ByteBuffer) number).duplicate());
    }
    int bytes = value.position();
    value.flip();
    session.api().setArgument(handle, index, value, bytes);
    set.set(index, number);
  }

  private boolean changes(int index, Object wanted) {
    while (set.size() <= index) {
      set.add(null);
    }
    if (wanted.equals(set.get(index))) {
      return false;
    }
    set.set(index, null);
    return true;
  }

  /** Starts a call; arguments follow in the kernel's order. */
  public Call call() {
    return new Call(session, this);
  }
}
