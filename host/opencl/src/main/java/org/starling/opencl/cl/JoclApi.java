package org.starling.opencl.cl;

import static org.jocl.CL.*;

import java.nio.Buffer;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;

/** The calls through JOCL: here the arguments of launches, and what is queued and waited for. */
final class JoclApi extends JoclObjects {
  @Override
  public void setArgument(Handle kernel, int index, Handle buffer) {
    check(
        "clSetKernelArg",
        () -> kernel + ", argument " + index + " = " + buffer,
        () ->
            clSetKernelArg(
                (cl_kernel) kernel.raw(), index, Sizeof.cl_mem, Pointer.to((cl_mem) buffer.raw())));
  }

  @Override
  public void setArgument(Handle kernel, int index, Buffer value, int bytes) {
    check(
        "clSetKernelArg",
        () -> kernel + ", argument " + index + " of " + bytes + " bytes",
        () -> clSetKernelArg((cl_kernel) kernel.raw(), index, bytes, Pointer.toBuffer(value)));
  }

  @Override
  public Handle enqueueKernel(Handle queue, Handle kernel, long globalSize, long localSize) {
    return checked(
        "clEnqueueNDRangeKernel",
        () -> kernel + ", global size " + globalSize + ", local size " + localSize,
        () -> {
          cl_event event = new cl_event();
          enqueue(queue, kernel, globalSize, localSize, event);
          return new Handle(Handle.Kind.EVENT, kernel.label(), event);
        });
  }

  @Override
  public void enqueueKernelUnwatched(Handle queue, Handle kernel, long globalSize, long localSize) {
    check(
        "clEnqueueNDRangeKernel",
        () -> kernel + ", global size " + globalSize + ", local size " + localSize,
        () -> enqueue(queue, kernel, globalSize, localSize, null));
  }

  private static void enqueue(
      Handle queue, Handle kernel, long globalSize, long localSize, cl_event event) {
    clEnqueueNDRangeKernel(
        (cl_command_queue) queue.raw(),
        (cl_kernel) kernel.raw(),
        1,
        null,
        new long[] {globalSize},
        new long[] {localSize},
        0,
        null,
        event);
  }

  @Override
  public void write(Handle queue, Handle buffer, long offset, long bytes, Buffer source) {
    check(
        "clEnqueueWriteBuffer",
        () -> buffer + ", " + bytes + " bytes at " + offset,
        () ->
            clEnqueueWriteBuffer(
                (cl_command_queue) queue.raw(),
                (cl_mem) buffer.raw(),
                true,
                offset,
                bytes,
                Pointer.toBuffer(source),
                0,
                null,
                null));
  }

  @Override
  public void read(Handle queue, Handle buffer, long offset, long bytes, Buffer target) {
    check(
        "clEnqueueReadBuffer",
        () -> buffer + ", " + bytes + " bytes at " + offset,
        () ->
            clEnqueueReadBuffer(
                (cl_command_queue) queue.raw(),
                (cl_mem) buffer.raw(),
                true,
                offset,
                bytes,
                Pointer.toBuffer(target),
                0,
                null,
                null));
  }

  @Override
  public void fill(Handle queue, Handle buffer, byte[] pattern, long offset, long bytes) {
    check(
        "clEnqueueFillBuffer",
        () -> buffer + ", " + bytes + " bytes at " + offset,
        () ->
            clEnqueueFillBuffer(
                (cl_command_queue) queue.raw(),
                (cl_mem) buffer.raw(),
                Pointer.to(pattern),
                pattern.length,
                offset,
                bytes,
                0,
                null,
                null));
  }

  @Override
  public void copy(
      Handle queue, Handle from, Handle to, long fromOffset, long toOffset, long bytes) {
    check(
        "clEnqueueCopyBuffer",
        () -> from + " to " + to + ", " + bytes + " bytes",
        () ->
            clEnqueueCopyBuffer(
                (cl_command_queue) queue.raw(),
                (cl_mem) from.raw(),
                (cl_mem) to.raw(),
                fromOffset,
                toOffset,
                bytes,
                0,
                null,
                null));
  }

  @Override
  public void flush(Handle queue) {
    check("clFlush", queue::toString, () -> clFlush((cl_command_queue) queue.raw()));
  }

  @Override
  public void finish(Handle queue) {
    check("clFinish", queue::toString, () -> clFinish((cl_command_queue) queue.raw()));
  }

  @Override
  public void waitFor(Handle event) {
    check(
        "clWaitForEvents",
        event::toString,
        () -> clWaitForEvents(1, new cl_event[] {(cl_event) event.raw()}));
  }

  @Override
  public boolean completed(Handle event) {
    int[] status = new int[1];
    check(
        "clGetEventInfo",
        event::toString,
        () ->
            clGetEventInfo(
                (cl_event) event.raw(),
                CL_EVENT_COMMAND_EXECUTION_STATUS,
                Sizeof.cl_int,
                Pointer.to(status),
                null));
    if (status[0] < 0) {
      String name = stringFor_errorCode(status[0]);
      throw new ClException("execution of a launch", status[0], name, event.toString(), null);
    }
    return status[0] == CL_COMPLETE;
  }

  @Override
  public long duration(Handle event) {
    return checked(
        "clGetEventProfilingInfo",
        event::toString,
        () -> {
          long[] start = new long[1];
          long[] end = new long[1];
          cl_event e = (cl_event) event.raw();
          Pointer toStart = Pointer.to(start);
          clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, Sizeof.cl_ulong, toStart, null);
          clGetEventProfilingInfo(
              e, CL_PROFILING_COMMAND_END, Sizeof.cl_ulong, Pointer.to(end), null);
          return end[0] - start[0];
        });
  }
}
