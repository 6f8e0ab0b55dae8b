package org.starling.opencl;

import org.starling.core.engine.EngineException;
import org.starling.core.engine.Requests;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;
import org.starling.opencl.cl.DeviceBuffer;

/** Moves states and fields between host float64 and the device, in pieces of bounded size. */
final class Transfers {
  private static final int PIECE = 1 << 20;

  private final Precision precision;

  Transfers(Precision precision) {
    this.precision = precision;
  }

  /**
   * Rounds to the working precision; what the rounding lost goes to {@code low}, if there is one.
   */
  void upload(double[] from, DeviceBuffer to, DeviceBuffer low) {
    if (precision == Precision.DOUBLE) {
      to.write(0, from, 0, from.length);
    } else {
      uploadFloats(from, to, low);
    }
  }

  /** Values as float64, corrections added where there are any. */
  double[] download(Shape shape, DeviceBuffer from, DeviceBuffer low) {
    return download((int) shape.size(), from, low);
  }

  /** The first {@code size} values, likewise. */
  double[] download(int size, DeviceBuffer from, DeviceBuffer low) {
    if (precision != Precision.DOUBLE) {
      return downloadFloats(from, low, size);
    }
    double[] to = new double[size];
    from.read(0, to, 0, size);
    return to;
  }

  private static void uploadFloats(double[] from, DeviceBuffer to, DeviceBuffer low) {
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

  private static double[] downloadFloats(DeviceBuffer from, DeviceBuffer low, int size) {
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
  byte[] snapshot(ClState x) {
    DeviceBuffer[] buffers = buffers(x);
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

  void restore(byte[] snapshot, ClState x) {
    DeviceBuffer[] buffers = buffers(x);
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

  private static DeviceBuffer[] buffers(ClState x) {
    return x.corrections() == null
        ? new DeviceBuffer[] {x.values()}
        : new DeviceBuffer[] {x.values(), x.corrections()};
  }
}
