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
 * linear combination.
 */
final class ReplicaParameters implements AutoCloseable {
  /** Up to so many runs of equal coefficients are sent by fills, which do not stop the queue. */
  private static final int MOST_FILLS = 8;

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
      coefficients = session.allocate("coefficients", coefficientBytes(which.length, precision));
    }
    if (!Arrays.equals(written, which)) {
      byte[] flags = new byte[which.length];
      for (int r = 0; r < which.length; r++) {
        flags[r] = (byte) (which[r] ? 1 : 0);
      }
      active.write(0, flags, 0, flags.length);
      written = which.clone();
    }
    return active;
  }

  /** Pairs {@code [R][8]} with whatever content; call after {@link #active}, which sizes it. */
  DeviceBuffer coefficients() {
    return coefficients;
  }

  /** The same with value and correction of {@code c[m][r]}. */
  DeviceBuffer coefficients(double[][] c) {
    int replicas = written.length;
    byte[][] rows = new byte[replicas][];
    int runs = 0;
    for (int r = 0; r < replicas; r++) {
      rows[r] = row(c, r);
      if (r == 0 || !Arrays.equals(rows[r], rows[r - 1])) {
        runs++;
      }
    }
    if (runs <= MOST_FILLS) {
      fillRuns(rows);
    } else {
      byte[] all = new byte[(int) coefficients.bytes()];
      for (int r = 0; r < replicas; r++) {
        System.arraycopy(rows[r], 0, all, r * rows[r].length, rows[r].length);
      }
      coefficients.write(0, all, 0, all.length);
    }
    return coefficients;
  }

  private void fillRuns(byte[][] rows) {
    int from = 0;
    for (int r = 1; r <= rows.length; r++) {
      if (r == rows.length || !Arrays.equals(rows[r], rows[from])) {
        long size = rows[from].length;
        coefficients.fill(from * size, (r - from) * size, rows[from]);
        from = r;
      }
    }
  }

  /** Eight pairs that all active replicas share; null if they differ. */
  ByteBuffer shared(double[][] c) {
    int first = -1;
    for (int r = 0; r < written.length; r++) {
      if (!written[r]) {
        continue;
      }
      if (first < 0) {
        first = r;
      }
      for (double[] each : c) {
        if (Double.doubleToLongBits(each[r]) != Double.doubleToLongBits(each[first])) {
          return null;
        }
      }
    }
    return first < 0 ? none() : ByteBuffer.wrap(row(c, first));
  }

  /** Eight pairs of zeros. */
  ByteBuffer none() {
    return ByteBuffer.wrap(new byte[(int) coefficientBytes(1, precision)]);
  }

  /** Eight pairs: 64 bytes, or 128 in double precision. */
  private byte[] row(double[][] c, int r) {
    boolean wide = precision == Precision.DOUBLE;
    ByteBuffer bytes =
        ByteBuffer.allocate((int) coefficientBytes(1, precision)).order(ByteOrder.nativeOrder());
    for (int m = 0; m < StateKernels.MOST_TERMS; m++) {
      double v = m < c.length ? c[m][r] : 0;
      if (wide) {
        bytes.putDouble(v).putDouble(0);
      } else {
        float value = (float) v;
        bytes.putFloat(value).putFloat(correction(v, value));
      }
    }
    return bytes.array();
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
