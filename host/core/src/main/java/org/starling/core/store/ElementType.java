package org.starling.core.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/** Kind of number in a {@code .npy} file. */
public enum ElementType {
  FLOAT32("f4", 4),
  FLOAT64("f8", 8),
  INT32("i4", 4),
  INT64("i8", 8);

  /** Elements that are encoded at a time where there are many. */
  static final int PIECE = 1 << 22;

  private final String code;
  private final int bytes;

  ElementType(String code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** NumPy's type string, little-endian: {@code <f4}. */
  public String descr() {
    return "<" + code;
  }

  public boolean floating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /**
   * The type of a NumPy type string.
   *
   * @return null if it is none of the four kinds
   */
  static ElementType ofDescr(String descr) {
    if (descr.length() != 3 || "<>=|".indexOf(descr.charAt(0)) < 0) {
      return null;
    }
    for (ElementType t : values()) {
      if (descr.endsWith(t.code)) {
        return t;
      }
    }
    return null;
  }

  /**
   * Little-endian bytes of float64 values in this type.
   *
   * @throws IllegalArgumentException if a value is not an integer and the type is one
   */
  public byte[] encode(double[] values) {
    return encode(values, 0, values.length);
  }

  /** The same in pieces of bounded size, each made when it is asked for. */
  Iterable<byte[]> pieces(double[] values) {
    int count = (int) ((values.length + PIECE - 1L) / PIECE);
    return () ->
        IntStream.range(0, count)
            .mapToObj(k -> encode(values, k * PIECE, Math.min(PIECE, values.length - k * PIECE)))
            .iterator();
  }

  private byte[] encode(double[] values, int at, int count) {
    ByteBuffer out = buffer(count);
    for (int k = at; k < at + count; k++) {
      double v = values[k];
      switch (this) {
        case FLOAT32 -> out.putFloat((float) v);
        case FLOAT64 -> out.putDouble(v);
        case INT32 -> out.putInt(Math.toIntExact(exactLong(v)));
        case INT64 -> out.putLong(exactLong(v));
      }
    }
    return out.array();
  }

  /** Little-endian bytes of integers in this type. */
  public byte[] encode(long[] values) {
    ByteBuffer out = buffer(values.length);
    for (long v : values) {
      switch (this) {
        case FLOAT32 -> out.putFloat(v);
        case FLOAT64 -> out.putDouble(v);
        case INT32 -> out.putInt(Math.toIntExact(v));
        case INT64 -> out.putLong(v);
      }
    }
    return out.array();
  }

  /** Element {@code index} of a buffer of this type as float64. */
  double doubleAt(ByteBuffer data, int index) {
    return switch (this) {
      case FLOAT32 -> data.getFloat(4 * index);
      case FLOAT64 -> data.getDouble(8 * index);
      case INT32 -> data.getInt(4 * index);
      case INT64 -> data.getLong(8 * index);
    };
  }

  private ByteBuffer buffer(int elements) {
    return ByteBuffer.allocate(Math.multiplyExact(elements, bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long exactLong(double v) {
    long l = (long) v;
    if (l != v) {
      throw new IllegalArgumentException(v + " is not an integer");
    }
    return l;
  }
}
