package org.starling.opencl;

import org.starling.core.engine.EngineException;
import org.starling.core.engine.Requests;
import org.starling.opencl.cl.DeviceBuffer;

/** Moves states between host float64 and the device, in pieces of bounded size. */
final class Transfers {
  private static final int PIECE = 1 << 20;

  private Transfers() {}

  /** Rounds to float; what the rounding lost goes to {@code low}, if there is one. */
  static void uploadFloats(double[] from, DeviceBuffer to, DeviceBuffer low) {
    float[] value = new float[Math.min(PIECE, from.length)];
    float[] rest = low == null ? null : new float[value.length];
    for (int at = 0; at < from.length; at += PIECE) {
      int count = Math.min(PIECE, from.length - at);
      for (int i = 0; i < count; i++) {
        value[i] = (float) from[at + i];
        if (rest != null) {
          rest[i] = ReplicaParameters.correction(from[at + i], value[i]);
        }
      }
      to.write(4L * at, value, 0, count);
      if (rest != null) {
        low.write(4L * at, rest, 0, count);
      }
    }
  }

  /** Values as float64, corrections added where there are any. */
  static double[] downloadFloats(DeviceBuffer from, DeviceBuffer low, int size) {
    double[] to = new double[size];
    float[] value = new float[Math.min(PIECE, size)];
    float[] rest = low == null ? null : new float[value.length];
    for (int at = 0; at < size; at += PIECE) {
      int count = Math.min(PIECE, size - at);
      from.read(4L * at, value, 0, count);
      if (rest != null) {
        low.read(4L * at, rest, 0, count);
      }
      for (int i = 0; i < count; i++) {
        to[at + i] = rest == null ? value[i] : (double) value[i] + rest[i];
      }
    }
    return to;
  }

  /** Bytes of the buffers one after the other, little-endian (devices are). */
  static byte[] snapshot(DeviceBuffer... buffers) {
    long size = 0;
    for (DeviceBuffer b : buffers) {
      size += b.bytes();
    }
    if (size > Integer.MAX_VALUE - 16) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "a checkpoint of "
              + size
              + " bytes is larger than one array can hold (2147483631); use fewer tokens or"
              + " replicas");
    }
    byte[] bytes = new byte[(int) size];
    int at = 0;
    for (DeviceBuffer b : buffers) {
      b.read(0, bytes, at, (int) b.bytes());
      at += (int) b.bytes();
    }
    return bytes;
  }

  static void restore(byte[] snapshot, DeviceBuffer... buffers) {
    long size = 0;
    for (DeviceBuffer b : buffers) {
      size += b.bytes();
    }
    Requests.snapshot(size, snapshot.length);
    int at = 0;
    for (DeviceBuffer b : buffers) {
      b.write(0, snapshot, at, (int) b.bytes());
      at += (int) b.bytes();
    }
  }
}
