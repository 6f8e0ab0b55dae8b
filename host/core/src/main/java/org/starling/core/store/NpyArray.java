package org.starling.core.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An array read from a {@code .npy} file, row-major, immutable. */
public final class NpyArray {
  private final String name;
  private final ElementType type;
  private final int[] shape;
  private final ByteBuffer data;

  NpyArray(String name, ElementType type, int[] shape, ByteBuffer data) {
    this.name = name;
    this.type = type;
    this.shape = shape.clone();
    this.data = data;
  }

  public ElementType type() {
    return type;
  }

  public int[] shape() {
    return shape.clone();
  }

  /** Number of elements. */
  public int size() {
    return data.capacity() / type.bytes();
  }

  /**
   * All elements as float64, row-major; exact.
   *
   * @throws StoreException of kind BAD_FILE if an int64 is beyond 2^53
   */
  public double[] doubles() {
    double[] out = new double[size()];
    for (int k = 0; k < out.length; k++) {
      out[k] = type.doubleAt(data, k);
      if (type == ElementType.INT64 && (long) out[k] != data.getLong(8 * k)) {
        throw NpyHeader.bad(
            name, "element " + data.getLong(8 * k) + " at " + where(k) + " has no exact float64");
      }
    }
    return out;
  }

  /**
   * All elements of an integer array.
   *
   * @throws StoreException of kind BAD_FILE if the array holds floating-point numbers
   */
  public long[] longs() {
    if (type.floating()) {
      throw NpyHeader.bad(name, "integers are needed, the file holds " + type + "s");
    }
    long[] out = new long[size()];
    for (int k = 0; k < out.length; k++) {
      out[k] = type == ElementType.INT32 ? data.getInt(4 * k) : data.getLong(8 * k);
    }
    return out;
  }

  /** This array if its shape is the given one. */
  public NpyArray requireShape(int... wanted) {
    if (!java.util.Arrays.equals(shape, wanted)) {
      throw NpyHeader.bad(
          name,
          "its shape is "
              + NpyHeader.text(shape)
              + ", the experiment needs "
              + NpyHeader.text(wanted));
    }
    return this;
  }

  /** This array if all its elements are finite. */
  public NpyArray requireFinite() {
    for (int k = 0; type.floating() && k < size(); k++) {
      double v = type.doubleAt(data, k);
      if (!Double.isFinite(v)) {
        throw NpyHeader.bad(
            name,
            v
                + " at "
                + where(k)
                + " of shape "
                + NpyHeader.text(shape)
                + "; finite numbers are needed");
      }
    }
    return this;
  }

  private String where(int flat) {
    StringBuilder text = new StringBuilder();
    int rest = flat;
    for (int k = shape.length - 1; k >= 0; k--) {
      text.insert(0, "[" + rest % shape[k] + "]");
      rest /= shape[k];
    }
    return text.toString();
  }

  static ByteBuffer view(byte[] bytes, int offset, int length, ByteOrder order) {
    return ByteBuffer.wrap(bytes, offset, length).slice().order(order);
  }
}
