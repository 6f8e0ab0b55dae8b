package org.starling.opencl.cl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.kernels.KernelVariant;

/**
 * One device in use: context, in-order queue, built kernels, and every buffer made here. Closing it
 * gives all of them back, whatever state the device is in. Not thread-safe.
 */
public final class DeviceSession implements AutoCloseable {
  private final ClApi api;
  private final Device device;
  private final Handle context;
  private final Handle queue;
  private final ProgramCache programs;
  private final Schedule schedule = new Schedule(this);
  private final Map<KernelVariant, DeviceKernel> kernels = new LinkedHashMap<>();
  private final Set<DeviceBuffer> buffers = new LinkedHashSet<>();
  private boolean closed;
  private ClException closingFailure;

  /** Makes a context and a queue; the folder of built programs is {@code store}. */
  public DeviceSession(ClApi api, Device device, BinaryStore store) {
    this.api = api;
    this.device = device;
    this.context = api.createContext(device.platform(), device.handle());
    Handle q;
    try {
      q = api.createQueue(context, device.handle());
    } catch (ClException e) {
      releaseQuietly(context);
      throw e;
    }
    this.queue = q;
    this.programs = new ProgramCache(api, device, context, store);
  }

  public Device device() {
    return device;
  }

  ClApi api() {
    return api;
  }

  Handle queue() {
    return queue;
  }

  Schedule schedule() {
    return schedule;
  }

  /**
   * New device memory, all zero.
   *
   * @param name what it is, for messages and the memory plan
   */
  public DeviceBuffer allocate(String name, long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("buffer " + name + " needs at least 1 byte, got " + bytes);
    }
    if (bytes > device.maxAllocation()) {
      throw new ClException(
          "clCreateBuffer",
          ClException.INVALID_BUFFER_SIZE,
          "CL_INVALID_BUFFER_SIZE",
          "buffer "
              + name
              + " of "
              + bytes
              + " bytes exceeds the largest buffer of "
              + device.name()
              + ", "
              + device.maxAllocation()
              + " bytes",
          null);
    }
    DeviceBuffer buffer =
        new DeviceBuffer(this, name, bytes, api.createBuffer(context, name, bytes));
    buffers.add(buffer);
    try {
      buffer.zero();
    } catch (ClException e) {
      buffer.close();
      throw e;
    }
    return buffer;
  }

  /** The kernel, built on first use. */
  public DeviceKernel kernel(KernelVariant variant) {
    DeviceKernel known = kernels.get(variant);
    if (known != null) {
      return known;
    }
    Handle program = programs.program(variant);
    Handle handle = api.createKernel(program, variant.source().entry());
    try {
      long limit = api.kernelWorkGroupSize(handle, device.handle());
      DeviceKernel kernel = new DeviceKernel(this, variant, handle, limit);
      kernels.put(variant, kernel);
      return kernel;
    } catch (ClException e) {
      releaseQuietly(handle);
      throw e;
    }
  }

  /** Waits for all queued work. */
  public void finish() {
    schedule.finish();
  }

  /** Bytes of all buffers now allocated. */
  public long allocatedBytes() {
    return buffers.stream().mapToLong(DeviceBuffer::bytes).sum();
  }

  void released(DeviceBuffer buffer, Handle handle) {
    buffers.remove(buffer);
    releaseQuietly(handle);
  }

  /** Releases and remembers the first failure, so that the rest is still given back. */
  void releaseQuietly(Handle handle) {
    try {
      api.release(handle);
    } catch (ClException e) {
      if (closingFailure == null) {
        closingFailure = e;
      }
    }
  }

  /**
   * Gives everything back.
   *
   * @throws ClException the first failure to release something, after all was tried
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    schedule.abandon();
    List.copyOf(buffers).forEach(DeviceBuffer::close);
    for (DeviceKernel kernel : new ArrayList<>(kernels.values())) {
      releaseQuietly(kernel.handle());
    }
    kernels.clear();
    for (Handle program : programs.drain()) {
      releaseQuietly(program);
    }
    releaseQuietly(queue);
    releaseQuietly(context);
    if (closingFailure != null) {
      throw closingFailure;
    }
  }
}
