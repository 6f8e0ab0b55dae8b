package org.starling.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.core.model.Philox;
import org.starling.core.model.Precision;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Keys, step numbers and scales of the replicas' noise, on the device: noise.cl has the layout. */
final class NoiseStreams implements AutoCloseable {
  /** Bytes of a replica. */
  static final int BYTES = 32;

  private static final int LARGEST_PATTERN = 128;

  private final DeviceSession session;
  private final Precision precision;
  private DeviceBuffer buffer;

  NoiseStreams(DeviceSession session, Precision precision) {
    this.session = session;
    this.precision = precision;
  }

  DeviceBuffer of(Philox[] streams, long[] step, double[] scale) {
    long bytes = (long) BYTES * streams.length;
    if (buffer == null || buffer.bytes() != bytes) {
      close();
      buffer = session.allocate("noise of replicas", bytes);
    }
    ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    for (int r = 0; r < streams.length; r++) {
      all.position(r * BYTES);
      all.putInt(streams[r].key0()).putInt(streams[r].key1());
      all.putInt((int) step[r]).putInt((int) (step[r] >>> 32));
      if (precision == Precision.DOUBLE) {
        long bits = Double.doubleToRawLongBits(scale[r]);
        all.putInt((int) bits).putInt((int) (bits >>> 32));
      } else {
        all.putFloat((float) scale[r]);
      }
    }
    // One pattern is sent by a fill, which does not stop the queue.
    if (bytes <= LARGEST_PATTERN && Long.bitCount(bytes) == 1) {
      buffer.fill(0, bytes, all.array());
    } else {
      buffer.write(0, all.array(), 0, all.capacity());
    }
    return buffer;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
