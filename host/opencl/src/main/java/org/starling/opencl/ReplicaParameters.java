package org.starling.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.starling.core.model.Precision;
import org.starling.kernels.StateKernels;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/**
 * What differs between replicas, on the device: whether each is active, and its coefficients of a
 * linear combination. Writes are queued, not waited for.
 */
final class ReplicaParameters implements AutoCloseable {
  private final DeviceSession session;
  private final Precision precision;
  private DeviceBuffer active;
  private DeviceBuffer coefficients;
  private boolean[] written;

  ReplicaParameters(DeviceSession session, Precision precision) {
    this.session = session;
    this.precision = precision;
  }

  static long activeBytes(int replicas) {
    return replicas;
  }

  static long coefficientBytes(int replicas, Precision precision) {
    return (long) replicas * StateKernels.MOST_TERMS * 2 * (precision == Precision.DOUBLE ? 8 : 4);
  }

  /** Uchar {@code [R]}: 1 where active. */
  DeviceBuffer active(boolean[] which) {
    if (active == null || written == null || written.length != which.length) {
      close();
      active = session.allocate("active replicas", activeBytes(which.length));
      coefficients =
          session.allocate("coefficients", coefficientBytes(which.length, precision));
    }
    if (!Arrays.equals(written, which)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(which.length);
      for (boolean a : which) {
        bytes.put((byte) (a ? 1 : 0));
      }
      active.writeLater(0, bytes.rewind());
      written = which.clone();
    }
    return active;
  }

  /**
   * Pairs {@code [R][8]}: value and correction of {@code c[m][r]}. Call after {@link #active}, which
   * sizes the buffers.
   */
  DeviceBuffer coefficients(double[][] c) {
    int replicas = written.length;
    ByteBuffer bytes =
        ByteBuffer.allocateDirect((int) coefficients.bytes()).order(ByteOrder.nativeOrder());
    for (int r = 0; r < replicas; r++) {
      for (int m = 0; m < StateKernels.MOST_TERMS; m++) {
        double v = m < c.length ? c[m][r] : 0;
        if (precision == Precision.DOUBLE) {
          bytes.putDouble(v).putDouble(0);
        } else {
          float value = (float) v;
          bytes.putFloat(value).putFloat(correction(v, value));
        }
      }
    }
    coefficients.writeLater(0, bytes.rewind());
    return coefficients;
  }

  /** What is left of {@code exact} beyond its rounding; 0 beside an infinity, which stays one. */
  static float correction(double exact, float value) {
    return Float.isInfinite(value) ? 0 : (float) (exact - value);
  }

  @Override
  public void close() {
    if (active != null) {
      active.close();
      active = null;
    }
    if (coefficients != null) {
      coefficients.close();
      coefficients = null;
    }
    written = null;
  }
}
