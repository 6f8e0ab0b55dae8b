package org.starling.opencl.cl;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Device memory. Sizes and offsets are 64-bit bytes; transfers block until done. Closing it twice
 * is harmless.
 */
public final class DeviceBuffer implements AutoCloseable {
  private final DeviceSession session;
  private final String name;
  private final long bytes;
  private Handle handle;

  DeviceBuffer(DeviceSession session, String name, long bytes, Handle handle) {
    this.session = session;
    this.name = name;
    this.bytes = bytes;
    this.handle = handle;
  }

  public String name() {
    return name;
  }

  public long bytes() {
    return bytes;
  }

  Handle handle() {
    if (handle == null) {
      throw new IllegalStateException("buffer " + name + " is closed");
    }
    return handle;
  }

  /** Writes {@code count} floats from {@code from[at]} to byte {@code offset}. */
  public void write(long offset, float[] from, int at, int count) {
    write(offset, 4L * count, FloatBuffer.wrap(from, at, count));
  }

  public void write(long offset, double[] from, int at, int count) {
    write(offset, 8L * count, DoubleBuffer.wrap(from, at, count));
  }

  public void write(long offset, int[] from, int at, int count) {
    write(offset, 4L * count, IntBuffer.wrap(from, at, count));
  }

  public void write(long offset, long[] from, int at, int count) {
    write(offset, 8L * count, LongBuffer.wrap(from, at, count));
  }

  public void write(long offset, byte[] from, int at, int count) {
    write(offset, count, ByteBuffer.wrap(from, at, count));
  }

  /**
   * Queues copies of a pattern of 1, 2, 4, .. or 128 bytes over a range of which it is a divisor,
   * without waiting: the one way to send numbers that does not stop the queue.
   */
  public void fill(long offset, long count, byte[] pattern) {
    range(offset, count);
    session.api().fill(session.queue(), handle(), pattern, offset, count);
  }

  /** Reads {@code count} floats from byte {@code offset} into {@code to[at]}. */
  public void read(long offset, float[] to, int at, int count) {
    read(offset, 4L * count, FloatBuffer.wrap(to, at, count));
  }

  public void read(long offset, double[] to, int at, int count) {
    read(offset, 8L * count, DoubleBuffer.wrap(to, at, count));
  }

  public void read(long offset, int[] to, int at, int count) {
    read(offset, 4L * count, IntBuffer.wrap(to, at, count));
  }

  public void read(long offset, long[] to, int at, int count) {
    read(offset, 8L * count, LongBuffer.wrap(to, at, count));
  }

  public void read(long offset, byte[] to, int at, int count) {
    read(offset, count, ByteBuffer.wrap(to, at, count));
  }

  /** Sets a range of bytes to zero. */
  public void zero(long offset, long count) {
    fill(offset, count, new byte[1]);
  }

  public void zero() {
    zero(0, bytes);
  }

  /** Copies all of another buffer of the same size into this one. */
  public void copyFrom(DeviceBuffer from) {
    if (from.bytes != bytes) {
      throw new IllegalArgumentException(
          "cannot copy " + from.name + " of " + from.bytes + " bytes to " + name + " of " + bytes);
    }
    session.api().copy(session.queue(), from.handle(), handle(), 0, 0, bytes);
  }

  private void write(long offset, long count, Buffer from) {
    range(offset, count);
    if (count > 0) {
      Handle to = handle();
      session
          .schedule()
          .transfer(() -> session.api().write(session.queue(), to, offset, count, from));
    }
  }

  private void read(long offset, long count, Buffer to) {
    range(offset, count);
    if (count > 0) {
      Handle from = handle();
      session
          .schedule()
          .transfer(() -> session.api().read(session.queue(), from, offset, count, to));
    }
  }

  private void range(long offset, long count) {
    if (offset < 0 || count < 0 || offset > bytes - count) {
      throw new IndexOutOfBoundsException(
          count + " bytes at " + offset + " are outside buffer " + name + " of " + bytes);
    }
  }

  @Override
  public void close() {
    if (handle != null) {
      Handle h = handle;
      handle = null;
      session.released(this, h);
    }
  }
}
