package org.starling.app.doctor;

import java.awt.HeadlessException;
import java.util.Locale;
import java.util.Optional;

/** What can be wrong with a machine, in a sentence, and what to do about it. */
public enum EnvironmentFault {
  NO_LOADER(
      "the OpenCL loader library (libOpenCL) is not installed",
      "Debian, Ubuntu: apt-get install ocl-icd-libopencl1 pocl-opencl-icd; Fedora: dnf install"
          + " ocl-icd pocl; Windows and macOS bring it with the graphics driver. Until then use"
          + " --device java."),
  NO_ICD(
      "the OpenCL loader is there, but no driver (ICD) is registered with it",
      "Install the driver of your GPU's vendor, or for the CPU: apt-get install pocl-opencl-icd"
          + " (Fedora: dnf install pocl). Until then use --device java."),
  PLATFORM_NOT_FOUND(
      "OpenCL error -1001 (CL_PLATFORM_NOT_FOUND_KHR): the loader found no driver that works",
      "Check that /etc/OpenCL/vendors holds a .icd file naming a library that exists, that"
          + " OCL_ICD_VENDORS (if set) points to such a folder, and that you may open the device"
          + " files (groups video and render). PoCL hides itself where it cannot write its cache:"
          + " point POCL_CACHE_DIR at a folder that you may write. Until then use --device java."),
  NOEXEC_TEMPORARY(
      "programs cannot be run from the temporary folder (mounted noexec?), so the OpenCL binding"
          + " cannot load its native library from there",
      "Give another folder: STARLING_JAVA_OPTS=-Djava.io.tmpdir=$HOME/.cache/starling-tmp (create"
          + " it first). Until then use --device java."),
  NO_SIGNALS(
      "this JVM runs without libjsig, so that the compiler of an OpenCL driver may take its signals:"
          + " the process can end with a segmentation fault, or a kernel's build fail, now and then",
      "Start Starling by its script (./starling), or set LD_PRELOAD to lib/libjsig.so of the JDK."),
  NO_FP64(
      "no OpenCL device here has fp64 (float64)",
      "Use --precision mixed (float32 scores, compensated state), or --device java --precision"
          + " double."),
  HEADLESS(
      "a window was asked for, but this Java runs without a display",
      "Figures are written to files and need none: start with"
          + " STARLING_JAVA_OPTS=-Djava.awt.headless=true, and install fonts if text is missing"
          + " (apt-get install fontconfig fonts-dejavu-core)."),
  NO_FONTS(
      "this Java cannot draw text, since no fonts are installed; figures will fail",
      "Debian, Ubuntu: apt-get install fontconfig fonts-dejavu-core."),
  LITTLE_MEMORY(
      "the Java heap is too small",
      "Raise it, e.g. STARLING_JAVA_OPTS=-Xmx4g, or make tokens.n or tokens.replicas smaller."),
  OLD_JAVA(
      "this Java is older than 17",
      "Install OpenJDK 17 or newer (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless) or"
          + " point JAVA_HOME at one."),
  NO_CACHE(
      "the folder for certificates and logs cannot be written",
      "Point STARLING_HOME at a folder that you may write.");

  private final String what;
  private final String next;

  EnvironmentFault(String what, String next) {
    this.what = what;
    this.next = next;
  }

  public String what() {
    return what;
  }

  /** The next step. */
  public String next() {
    return next;
  }

  /** Both as one line. */
  public String sentence() {
    return what + ". " + next;
  }

  /** Recognises a fault of the machine behind an exception or error, its causes included. */
  public static Optional<EnvironmentFault> behind(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      EnvironmentFault fault = of(t);
      if (fault != null) {
        return Optional.of(fault);
      }
    }
    return Optional.empty();
  }

  private static EnvironmentFault of(Throwable t) {
    String m = t.getMessage() == null ? "" : t.getMessage().toLowerCase(Locale.ROOT);
    if (m.contains("cl_platform_not_found") || m.matches("(?s).*\\berror -1001\\b.*")) {
      return PLATFORM_NOT_FOUND;
    }
    if (t instanceof HeadlessException) {
      return HEADLESS;
    }
    if (t instanceof OutOfMemoryError) {
      return LITTLE_MEMORY;
    }
    if (t instanceof UnsupportedClassVersionError) {
      return OLD_JAVA;
    }
    if (t instanceof LinkageError) {
      if (m.contains("failed to map segment") || m.contains("operation not permitted")) {
        return NOEXEC_TEMPORARY;
      }
      if (m.contains("libopencl") || m.contains("opencl.dll")) {
        return NO_LOADER;
      }
      if (m.contains("fontmanager") || m.contains("freetype") || m.contains("fontconfig")) {
        return NO_FONTS;
      }
    }
    if (m.contains("fontconfig head is null")) {
      return NO_FONTS;
    }
    return null;
  }
}
