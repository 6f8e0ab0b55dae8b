package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JVM takes null checks and safepoints as signals; so must it still while a driver compiles.
 * LLVM in the driver puts handlers of its own before the JVM's, and two threads that meet them at
 * once end the process without a word: libjsig, which the start script and the build preload, keeps
 * the JVM's first.
 */
class SignalsTest {
  private static final Path LIBRARY = Path.of(System.getProperty("java.home"), "lib/libjsig.so");

  @TempDir Path folder;

  @Test
  void threadsMayFaultWhileTheDriverCompiles() throws Exception {
    assumeTrue(Files.exists(LIBRARY), "libjsig.so is part of a JDK for Linux");
    TestDevices.api();
    String said =
        ForkedJvm.run(
            Faults.class,
            folder,
            // Interpreted code takes every null check as a signal; compiled code soon asks instead.
            Map.of(
                "JDK_JAVA_OPTIONS", "-Xint", "POCL_CACHE_DIR", folder.resolve("pocl").toString()));
    assertTrue(said.contains("all built"), said);
  }

  /** Two threads that fault all the time, beside one that compiles. */
  static final class Faults {
    private static final int BUILDS = 12;
    private static final AtomicLong FAULTS = new AtomicLong();

    private int field;

    public static void main(String[] arguments) {
      for (int t = 0; t < 2; t++) {
        Thread thread = new Thread(Faults::fault);
        thread.setDaemon(true);
        thread.start();
      }
      CL.setExceptionsEnabled(true);
      cl_platform_id[] platform = new cl_platform_id[1];
      CL.clGetPlatformIDs(1, platform, null);
      cl_device_id[] device = new cl_device_id[1];
      CL.clGetDeviceIDs(platform[0], CL.CL_DEVICE_TYPE_ALL, 1, device, null);
      cl_context context = CL.clCreateContext(null, 1, device, null, null, null);
      cl_command_queue queue =
          CL.clCreateCommandQueueWithProperties(context, device[0], null, null);
      cl_mem buffer = CL.clCreateBuffer(context, CL.CL_MEM_READ_WRITE, 256, null, null);
      for (int i = 0; i < BUILDS; i++) {
        String source = "kernel void f(global float *x) { x[get_global_id(0)] = " + i + "; }";
        cl_program program =
            CL.clCreateProgramWithSource(context, 1, new String[] {source}, null, null);
        CL.clBuildProgram(program, 1, device, "", null, null);
        cl_kernel kernel = CL.clCreateKernel(program, "f", null);
        CL.clSetKernelArg(kernel, 0, Sizeof.cl_mem, Pointer.to(buffer));
        CL.clEnqueueNDRangeKernel(queue, kernel, 1, null, new long[] {64}, null, 0, null, null);
        CL.clFinish(queue);
      }
      if (FAULTS.get() == 0) {
        throw new IllegalStateException("nothing faulted");
      }
      System.out.println("all built");
    }

    private static void fault() {
      Faults none = null;
      while (true) {
        try {
          none.field++;
        } catch (NullPointerException e) {
          FAULTS.incrementAndGet();
        }
      }
    }
  }
}
