package org.starling.opencl.cl;

import static org.jocl.CL.*;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jocl.CLException;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_buffer_region;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;

/** What there is, what is made of it, and how it is given back: the calls that queue nothing. */
abstract class JoclObjects implements ClApi {
  static <T> T checked(String call, Supplier<String> detail, Supplier<T> body) {
    try {
      return body.get();
    } catch (CLException e) {
      String name = stringFor_errorCode(e.getStatus());
      throw new ClException(call, e.getStatus(), name, detail.get(), e);
    } catch (UnsupportedOperationException e) {
      // The driver lacks the entry point altogether.
      throw new ClException(call, -59, "CL_INVALID_OPERATION", detail.get(), e);
    }
  }

  static void check(String call, Supplier<String> detail, Runnable body) {
    checked(
        call,
        detail,
        () -> {
          body.run();
          return null;
        });
  }

  @Override
  public List<Handle> platforms() {
    return checked(
        "clGetPlatformIDs",
        () -> "list platforms",
        () -> {
          int[] count = new int[1];
          clGetPlatformIDs(0, null, count);
          cl_platform_id[] ids = new cl_platform_id[count[0]];
          clGetPlatformIDs(ids.length, ids, null);
          List<Handle> handles = new ArrayList<>();
          for (cl_platform_id id : ids) {
            handles.add(new Handle(Handle.Kind.PLATFORM, String.valueOf(handles.size()), id));
          }
          return handles;
        });
  }

  @Override
  public String platformInfo(Handle platform, int parameter) {
    return checked(
        "clGetPlatformInfo",
        () -> platform + ", " + stringFor_cl_platform_info(parameter),
        () -> {
          cl_platform_id id = (cl_platform_id) platform.raw();
          long[] size = new long[1];
          clGetPlatformInfo(id, parameter, 0, null, size);
          byte[] bytes = new byte[(int) size[0]];
          clGetPlatformInfo(id, parameter, bytes.length, Pointer.to(bytes), null);
          return text(bytes);
        });
  }

  @Override
  public List<Handle> devices(Handle platform) {
    return checked(
        "clGetDeviceIDs",
        platform::toString,
        () -> {
          cl_platform_id id = (cl_platform_id) platform.raw();
          int[] count = new int[1];
          List<Handle> handles = new ArrayList<>();
          try {
            clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 0, null, count);
          } catch (CLException e) {
            if (e.getStatus() == ClException.DEVICE_NOT_FOUND) {
              return handles;
            }
            throw e;
          }
          cl_device_id[] ids = new cl_device_id[count[0]];
          clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, ids.length, ids, null);
          for (cl_device_id device : ids) {
            String label = platform.label() + ":" + handles.size();
            handles.add(new Handle(Handle.Kind.DEVICE, label, device));
          }
          return handles;
        });
  }

  @Override
  public byte[] deviceInfo(Handle device, int parameter) {
    return checked(
        "clGetDeviceInfo",
        () -> device + ", " + stringFor_cl_device_info(parameter),
        () -> {
          cl_device_id id = (cl_device_id) device.raw();
          long[] size = new long[1];
          clGetDeviceInfo(id, parameter, 0, null, size);
          byte[] bytes = new byte[(int) size[0]];
          if (bytes.length > 0) {
            clGetDeviceInfo(id, parameter, bytes.length, Pointer.to(bytes), null);
          }
          return bytes;
        });
  }

  @Override
  public Handle createContext(Handle platform, Handle device) {
    return checked(
        "clCreateContext",
        device::toString,
        () -> {
          cl_context_properties properties = new cl_context_properties();
          properties.addProperty(CL_CONTEXT_PLATFORM, (cl_platform_id) platform.raw());
          cl_device_id[] ids = {(cl_device_id) device.raw()};
          return new Handle(
              Handle.Kind.CONTEXT,
              device.label(),
              clCreateContext(properties, 1, ids, null, null, null));
        });
  }

  @Override
  @SuppressWarnings("deprecation") // the replacement is missing from OpenCL 1.2 drivers
  public Handle createQueue(Handle context, Handle device) {
    return checked(
        "clCreateCommandQueue",
        device::toString,
        () ->
            new Handle(
                Handle.Kind.QUEUE,
                device.label(),
                clCreateCommandQueue(
                    (cl_context) context.raw(),
                    (cl_device_id) device.raw(),
                    CL_QUEUE_PROFILING_ENABLE,
                    null)));
  }

  @Override
  public Handle createProgram(Handle context, String name, String source) {
    return checked(
        "clCreateProgramWithSource",
        () -> "program " + name,
        () ->
            new Handle(
                Handle.Kind.PROGRAM,
                name,
                clCreateProgramWithSource(
                    (cl_context) context.raw(), 1, new String[] {source}, null, null)));
  }

  @Override
  public Handle createProgramWithBinary(Handle context, Handle device, String name, byte[] binary) {
    return checked(
        "clCreateProgramWithBinary",
        () -> "program " + name + ", " + binary.length + " bytes",
        () ->
            new Handle(
                Handle.Kind.PROGRAM,
                name,
                clCreateProgramWithBinary(
                    (cl_context) context.raw(),
                    1,
                    new cl_device_id[] {(cl_device_id) device.raw()},
                    new long[] {binary.length},
                    new byte[][] {binary},
                    null,
                    null)));
  }

  @Override
  public void buildProgram(Handle program, Handle device, String options) {
    check(
        "clBuildProgram",
        () -> program + ", options " + options,
        () ->
            clBuildProgram(
                (cl_program) program.raw(),
                1,
                new cl_device_id[] {(cl_device_id) device.raw()},
                options,
                null,
                null));
  }

  @Override
  public String buildLog(Handle program, Handle device) {
    return checked(
        "clGetProgramBuildInfo",
        program::toString,
        () -> {
          cl_program p = (cl_program) program.raw();
          cl_device_id d = (cl_device_id) device.raw();
          long[] size = new long[1];
          clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, 0, null, size);
          byte[] bytes = new byte[(int) size[0]];
          if (bytes.length > 0) {
            clGetProgramBuildInfo(
                p, d, CL_PROGRAM_BUILD_LOG, bytes.length, Pointer.to(bytes), null);
          }
          return text(bytes);
        });
  }

  @Override
  public byte[] programBinary(Handle program) {
    return checked(
        "clGetProgramInfo",
        program::toString,
        () -> {
          cl_program p = (cl_program) program.raw();
          long[] size = new long[1];
          clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, Sizeof.size_t, Pointer.to(size), null);
          byte[] binary = new byte[(int) size[0]];
          clGetProgramInfo(
              p, CL_PROGRAM_BINARIES, Sizeof.POINTER, Pointer.to(Pointer.to(binary)), null);
          return binary;
        });
  }

  @Override
  public Handle createKernel(Handle program, String entry) {
    return checked(
        "clCreateKernel",
        () -> "kernel " + entry,
        () ->
            new Handle(
                Handle.Kind.KERNEL,
                entry,
                clCreateKernel((cl_program) program.raw(), entry, null)));
  }

  @Override
  public long kernelWorkGroupSize(Handle kernel, Handle device) {
    return checked(
        "clGetKernelWorkGroupInfo",
        kernel::toString,
        () -> {
          long[] size = new long[1];
          clGetKernelWorkGroupInfo(
              (cl_kernel) kernel.raw(),
              (cl_device_id) device.raw(),
              CL_KERNEL_WORK_GROUP_SIZE,
              Sizeof.size_t,
              Pointer.to(size),
              null);
          return size[0];
        });
  }

  @Override
  public Handle createBuffer(Handle context, String name, long bytes) {
    return checked(
        "clCreateBuffer",
        () -> "buffer " + name + " of " + bytes + " bytes",
        () ->
            new Handle(
                Handle.Kind.BUFFER,
                name,
                clCreateBuffer((cl_context) context.raw(), CL_MEM_READ_WRITE, bytes, null, null)));
  }

  @Override
  public Handle createSubBuffer(Handle buffer, String name, long origin, long bytes) {
    return checked(
        "clCreateSubBuffer",
        () -> "part " + name + " of " + buffer + ", " + bytes + " bytes from " + origin,
        () ->
            new Handle(
                Handle.Kind.BUFFER,
                name,
                clCreateSubBuffer(
                    (cl_mem) buffer.raw(),
                    CL_MEM_READ_WRITE,
                    CL_BUFFER_CREATE_TYPE_REGION,
                    new cl_buffer_region(origin, bytes),
                    null)));
  }

  @Override
  public void release(Handle handle) {
    check(
        "release",
        handle::toString,
        () -> {
          switch (handle.kind()) {
            case CONTEXT -> clReleaseContext((cl_context) handle.raw());
            case QUEUE -> clReleaseCommandQueue((cl_command_queue) handle.raw());
            case PROGRAM -> clReleaseProgram((cl_program) handle.raw());
            case KERNEL -> clReleaseKernel((cl_kernel) handle.raw());
            case BUFFER -> clReleaseMemObject((cl_mem) handle.raw());
            case EVENT -> clReleaseEvent((cl_event) handle.raw());
            case PLATFORM, DEVICE -> throw new IllegalArgumentException(handle + " is not owned");
          }
        });
  }

  private static String text(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).trim();
  }
}
