package org.starling.opencl.cl;

/** OpenCL cannot be used here at all; the message says why and what to do. */
public final class ClUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public ClUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
