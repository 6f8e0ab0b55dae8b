package org.starling.opencl.cl;

import java.nio.Buffer;
import java.util.List;

/**
 * The OpenCL calls that Starling makes, one method a call: the only place that knows the binding.
 * Every call is checked and fails with a {@link ClException}. The interface is narrow so that
 * another binding, or a decorator that makes the n-th call fail, is one small class.
 *
 * <p>Sizes and offsets are bytes. Handles made by {@code create*} and {@code enqueue*} are given
 * back through {@link #release}.
 */
public interface ClApi {
  List<Handle> platforms();

  String platformInfo(Handle platform, int parameter);

  List<Handle> devices(Handle platform);

  /** Raw answer of clGetDeviceInfo, in the host's byte order. */
  byte[] deviceInfo(Handle device, int parameter);

  Handle createContext(Handle platform, Handle device);

  /** An in-order queue with profiling. */
  Handle createQueue(Handle context, Handle device);

  Handle createProgram(Handle context, String name, String source);

  Handle createProgramWithBinary(Handle context, Handle device, String name, byte[] binary);

  void buildProgram(Handle program, Handle device, String options);

  String buildLog(Handle program, Handle device);

  byte[] programBinary(Handle program);

  Handle createKernel(Handle program, String entry);

  /** CL_KERNEL_WORK_GROUP_SIZE: the largest work-group this kernel can be launched with. */
  long kernelWorkGroupSize(Handle kernel, Handle device);

  void setArgument(Handle kernel, int index, Handle buffer);

  /** A by-value argument, given as its bytes. */
  void setArgument(Handle kernel, int index, Buffer value, int bytes);

  Handle createBuffer(Handle context, String name, long bytes);

  /** A view of part of a buffer; {@code origin} obeys CL_DEVICE_MEM_BASE_ADDR_ALIGN. */
  Handle createSubBuffer(Handle buffer, String name, long origin, long bytes);

  /** Enqueues a one-dimensional launch and returns its event. */
  Handle enqueueKernel(Handle queue, Handle kernel, long globalSize, long localSize);

  /** The same without an event, which costs as much as a short launch. */
  void enqueueKernelUnwatched(Handle queue, Handle kernel, long globalSize, long localSize);

  /** Blocking write of the remaining bytes of {@code source}. */
  void write(Handle queue, Handle buffer, long offset, long bytes, Buffer source);

  /** Blocking read into {@code target} from its position on. */
  void read(Handle queue, Handle buffer, long offset, long bytes, Buffer target);

  /**
   * Queues copies of a pattern of 1, 2, 4, .. or 128 bytes, of which offset and size are multiples;
   * the pattern is taken at once.
   */
  void fill(Handle queue, Handle buffer, byte[] pattern, long offset, long bytes);

  void copy(Handle queue, Handle from, Handle to, long fromOffset, long toOffset, long bytes);

  void flush(Handle queue);

  void finish(Handle queue);

  void waitFor(Handle event);

  /** Whether the event has completed; a launch that failed on the device throws. */
  boolean completed(Handle event);

  /** Device time of a completed launch in nanoseconds. */
  long duration(Handle event);

  void release(Handle handle);
}
