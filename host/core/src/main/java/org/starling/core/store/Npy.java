package org.starling.core.store;

import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads and writes NumPy's {@code .npy} files: float32, float64, int32, int64, C order; either byte
 * order in, little-endian out.
 */
public final class Npy {
  private Npy() {}

  /**
   * Reads a whole file.
   *
   * @throws StoreException of kind BAD_FILE with the file and what is wrong with it, or IO
   */
  public static NpyArray read(Path file) {
    return decode(FileStore.disk().read(file), file.toString());
  }

  /**
   * Reads an input array of an experiment: shape and finiteness are checked.
   *
   * @return elements, row-major
   */
  public static double[] readInput(Path file, int... shape) {
    return read(file).requireShape(shape).requireFinite().doubles();
  }

  /** The array in the bytes of a file; {@code name} is used in messages. */
  public static NpyArray decode(byte[] file, String name) {
    NpyHeader header = NpyHeader.decode(file, name);
    long found = file.length - (long) header.bytes();
    if (found < header.dataBytes()) {
      throw NpyHeader.bad(
          name,
          "the file is truncated: shape "
              + NpyHeader.text(header.shape())
              + " of "
              + header.type()
              + " needs "
              + header.dataBytes()
              + " bytes of data, there are "
              + found);
    }
    return new NpyArray(
        name,
        header.type(),
        header.shape(),
        NpyArray.view(file, header.bytes(), (int) header.dataBytes(), header.order()));
  }

  /** Bytes of a file. */
  public static byte[] encode(ElementType type, double[] values, int... shape) {
    return join(NpyHeader.encode(type, shape), type.encode(values), values.length, shape);
  }

  /** Bytes of a file. */
  public static byte[] encode(ElementType type, long[] values, int... shape) {
    return join(NpyHeader.encode(type, shape), type.encode(values), values.length, shape);
  }

  /** Writes a file, replacing it atomically. */
  public static void write(Path file, ElementType type, double[] values, int... shape) {
    write(FileStore.disk(), file, type, values, shape);
  }

  /** Writes a file, replacing it atomically; in pieces, since one array cannot hold 2 GiB. */
  public static void write(
      FileStore store, Path file, ElementType type, double[] values, int... shape) {
    if (values.length <= ElementType.PIECE) {
      store.replace(file, encode(type, values, shape));
      return;
    }
    requireElements(values.length, shape);
    store.replace(file, NpyHeader.encode(type, shape), type.pieces(values));
  }

  private static byte[] join(byte[] header, byte[] data, int elements, int[] shape) {
    requireElements(elements, shape);
    byte[] all = Arrays.copyOf(header, header.length + data.length);
    System.arraycopy(data, 0, all, header.length, data.length);
    return all;
  }

  private static void requireElements(int elements, int... shape) {
    long wanted = 1;
    for (int s : shape) {
      wanted = Math.multiplyExact(wanted, (long) s);
    }
    if (wanted != elements) {
      throw new IllegalArgumentException(
          elements + " elements do not have the shape " + NpyHeader.text(shape));
    }
  }
}
