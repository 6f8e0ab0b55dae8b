package org.starling.opencl.cl;

/** A failed OpenCL call: which one, on what, and the driver's code by name. */
public final class ClException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public static final int DEVICE_NOT_FOUND = -1;
  public static final int MEM_OBJECT_ALLOCATION_FAILURE = -4;
  public static final int OUT_OF_RESOURCES = -5;
  public static final int OUT_OF_HOST_MEMORY = -6;
  public static final int BUILD_PROGRAM_FAILURE = -11;
  public static final int INVALID_VALUE = -30;
  public static final int INVALID_BUFFER_SIZE = -61;
  public static final int PLATFORM_NOT_FOUND = -1001;

  private final String call;
  private final int code;
  private final String detail;

  /**
   * @param call the OpenCL function
   * @param code the driver's error code
   * @param codeName its name
   * @param detail what it was called on, with sizes
   */
  public ClException(String call, int code, String codeName, String detail, Throwable cause) {
    super(call + " failed with " + codeName + " (" + code + "): " + detail, cause);
    this.call = call;
    this.code = code;
    this.detail = detail;
  }

  public String call() {
    return call;
  }

  public int code() {
    return code;
  }

  public String detail() {
    return detail;
  }

  /** True where the device ran out of memory rather than broke. */
  public boolean outOfMemory() {
    return code == MEM_OBJECT_ALLOCATION_FAILURE
        || code == OUT_OF_HOST_MEMORY
        || code == INVALID_BUFFER_SIZE;
  }
}
