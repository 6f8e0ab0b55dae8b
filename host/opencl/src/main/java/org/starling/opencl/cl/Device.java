package org.starling.opencl.cl;

import static org.jocl.CL.*;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Facts about one OpenCL device, asked once.
 *
 * @param platform its platform
 * @param handle the device
 * @param id {@code opencl:P:D}
 * @param type {@code gpu}, {@code cpu} or {@code accelerator}
 * @param fp64 whether float64 is supported
 * @param globalMemory bytes of device memory
 * @param maxAllocation bytes of the largest buffer, CL_DEVICE_MAX_MEM_ALLOC_SIZE
 * @param localMemory bytes of local memory a work-group
 * @param dedicatedLocalMemory whether local memory is real (GPUs) or emulated in global memory
 * @param computeUnits parallel compute units
 * @param maxWorkGroupSize largest work-group of any kernel
 * @param vectorBytes bytes of the vectors that the device works on best, at least 16
 * @param alignment bytes a part of a buffer must be aligned to
 * @param unusable why kernels cannot be built or run here, or null
 */
public record Device(
    Handle platform,
    Handle handle,
    String id,
    String name,
    String vendor,
    String driver,
    String platformName,
    String platformVersion,
    String version,
    String type,
    boolean fp64,
    long globalMemory,
    long maxAllocation,
    long localMemory,
    boolean dedicatedLocalMemory,
    int computeUnits,
    long maxWorkGroupSize,
    int vectorBytes,
    int alignment,
    String unusable) {

  /** Asks the driver for everything. */
  public static Device read(ClApi api, Handle platform, Handle device) {
    Query q = new Query(api, device);
    String version = q.text(CL_DEVICE_VERSION);
    return new Device(
        platform,
        device,
        "opencl:" + device.label(),
        q.text(CL_DEVICE_NAME),
        q.text(CL_DEVICE_VENDOR),
        q.text(CL_DRIVER_VERSION),
        api.platformInfo(platform, CL_PLATFORM_NAME),
        api.platformInfo(platform, CL_PLATFORM_VERSION),
        version,
        type(q.number(CL_DEVICE_TYPE)),
        q.number(CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
        q.number(CL_DEVICE_GLOBAL_MEM_SIZE),
        q.number(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        q.number(CL_DEVICE_LOCAL_MEM_SIZE),
        q.number(CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL,
        (int) q.number(CL_DEVICE_MAX_COMPUTE_UNITS),
        q.number(CL_DEVICE_MAX_WORK_GROUP_SIZE),
        (int) Math.max(16, 4 * q.number(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT)),
        (int) Math.max(1, q.number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8),
        unusable(q, version));
  }

  /** True where local memory and large work-groups cost more than they save. */
  public boolean cpu() {
    return type.equals("cpu");
  }

  /**
   * True for a driver with a cache of its own. PoCL has one, of kernels as they are launched; asked
   * for a program's binary it would compile every kernel once more, for no launch in particular.
   */
  boolean keepsPrograms() {
    return platformName.startsWith("Portable Computing Language");
  }

  /** Facts for {@code devices} and {@code doctor}, in order. */
  public Map<String, String> properties() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("platform", platformName);
    facts.put("platform version", platformVersion);
    facts.put("vendor", vendor);
    facts.put("driver", driver);
    facts.put("OpenCL", version);
    facts.put("compute units", Integer.toString(computeUnits));
    facts.put("vector registers", vectorBytes + " B");
    facts.put("largest work-group", Long.toString(maxWorkGroupSize));
    facts.put("local memory", localMemory + (dedicatedLocalMemory ? " B" : " B (emulated)"));
    return facts;
  }

  private static String type(long bits) {
    if ((bits & CL_DEVICE_TYPE_GPU) != 0) {
      return "gpu";
    }
    return (bits & CL_DEVICE_TYPE_CPU) != 0 ? "cpu" : "accelerator";
  }

  private static String unusable(Query q, String version) {
    if (q.number(CL_DEVICE_AVAILABLE) == 0) {
      return "the driver says the device is not available; close what else uses it";
    }
    if (q.number(CL_DEVICE_COMPILER_AVAILABLE) == 0) {
      return "the driver has no kernel compiler; install the vendor's full OpenCL package";
    }
    if (q.number(CL_DEVICE_ENDIAN_LITTLE) == 0) {
      return "big-endian devices are not supported; use --device java";
    }
    if (version.startsWith("OpenCL 1.0") || version.startsWith("OpenCL 1.1")) {
      return "it offers " + version + " but OpenCL 1.2 is needed; update the driver";
    }
    long single = q.number(CL_DEVICE_SINGLE_FP_CONFIG);
    if ((single & CL_FP_ROUND_TO_NEAREST) == 0 || (single & CL_FP_INF_NAN) == 0) {
      return "its float32 lacks round-to-nearest or infinities; use --device java";
    }
    return null;
  }

  private record Query(ClApi api, Handle device) {
    String text(int parameter) {
      byte[] bytes = api.deviceInfo(device, parameter);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] == 0) {
        end--;
      }
      return new String(bytes, 0, end, StandardCharsets.UTF_8).trim();
    }

    /** A scalar of 4 or 8 bytes; 0 where the driver has no answer (an absent extension). */
    long number(int parameter) {
      byte[] bytes;
      try {
        bytes = api.deviceInfo(device, parameter);
      } catch (ClException e) {
        // OpenCL 1.2 drivers without float64 need not know the question.
        if (parameter == CL_DEVICE_DOUBLE_FP_CONFIG && e.code() == ClException.INVALID_VALUE) {
          return 0;
        }
        throw e;
      }
      ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
      return bytes.length >= 8 ? b.getLong() : Integer.toUnsignedLong(b.getInt());
    }
  }
}
