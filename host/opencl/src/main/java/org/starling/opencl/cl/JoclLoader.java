package org.starling.opencl.cl;

import static org.jocl.CL.*;

import org.jocl.CL;
import org.jocl.CLException;

/** Finds out whether OpenCL can be called at all. */
public final class JoclLoader {
  private static final String NO_LOADER =
      "no OpenCL loader is installed, or it is broken. Install one and the driver of your device"
          + " (on Debian: ocl-icd-libopencl1, and pocl-opencl-icd for the CPU), or use --device"
          + " java";

  private JoclLoader() {}

  /**
   * Loads the binding and the system's OpenCL loader.
   *
   * @throws ClUnavailableException if either cannot be loaded, with what to do
   */
  public static ClApi load() throws ClUnavailableException {
    if (LoaderLibrary.absent()) {
      throw new ClUnavailableException(NO_LOADER, null);
    }
    try {
      CL.setExceptionsEnabled(true);
      int[] count = new int[1];
      clGetPlatformIDs(0, null, count);
      return new JoclApi();
    } catch (CLException e) {
      if (e.getStatus() == ClException.PLATFORM_NOT_FOUND) {
        throw new ClUnavailableException(
            "the OpenCL loader knows no driver that works (CL_PLATFORM_NOT_FOUND_KHR)."
                + " Install the driver of your device (for the CPU on Debian: pocl-opencl-icd; it"
                + " hides itself where it cannot write its cache, see POCL_CACHE_DIR),"
                + " or use --device java",
            e);
      }
      throw new ClUnavailableException(
          "the OpenCL loader refused to list platforms ("
              + stringFor_errorCode(e.getStatus())
              + "). Check the drivers with clinfo, or use --device java",
          e);
    } catch (LinkageError e) {
      throw new ClUnavailableException(explain(e), e);
    }
  }

  private static String explain(LinkageError e) {
    StringBuilder said = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) {
      said.append(t.getMessage()).append(' ');
    }
    String text = said.toString();
    if (text.contains("libOpenCL")
        || text.contains("OpenCL.dll")
        || text.contains("Implementation library could not be loaded")) {
      return NO_LOADER;
    }
    return "the OpenCL binding could not load its native part from "
        + System.getProperty("java.io.tmpdir")
        + " ("
        + String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given")
        + "). If that folder forbids execution or is full, name another one with"
        + " -Djava.io.tmpdir=FOLDER (JAVA_TOOL_OPTIONS), or use --device java";
  }
}
