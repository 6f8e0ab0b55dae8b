package org.starling.core.store;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A {@code .npy} file that grows along its first axis. Data are appended first and the header is
 * rewritten after, at a constant length: a reader always finds at least what the header promises,
 * except after a lost power supply, where {@link #restore} cuts the file to what a checkpoint
 * knows.
 */
public final class NpyAppender {
  private final FileStore store;
  private final Path file;
  private final ElementType type;
  private final int[] shape;
  private final int headerBytes;
  private final long entryBytes;

  private NpyAppender(
      FileStore store, Path file, ElementType type, int entries, int... entryShape) {
    this.store = store;
    this.file = file;
    this.type = type;
    this.shape = new int[entryShape.length + 1];
    System.arraycopy(entryShape, 0, shape, 1, entryShape.length);
    shape[0] = entries;
    long bytes = type.bytes();
    for (int s : entryShape) {
      bytes = Math.multiplyExact(bytes, (long) s);
    }
    entryBytes = bytes;
    headerBytes = NpyHeader.encode(type, shape).length;
  }

  /**
   * A new file without entries, replacing an old one.
   *
   * @param entryShape shape of one entry; none for a scalar
   */
  public static NpyAppender create(
      FileStore store, Path file, ElementType type, int... entryShape) {
    NpyAppender appender = new NpyAppender(store, file, type, 0, entryShape);
    store.write(file, NpyHeader.encode(type, appender.shape));
    return appender;
  }

  /**
   * Goes on with a file after its first {@code entries} entries; later ones are cut off.
   *
   * @throws StoreException of kind DAMAGED if the file holds fewer
   */
  public static NpyAppender restore(
      FileStore store, Path file, ElementType type, int entries, int... entryShape) {
    if (entries == 0) {
      return create(store, file, type, entryShape);
    }
    NpyAppender appender = new NpyAppender(store, file, type, entries, entryShape);
    long wanted = appender.headerBytes + entries * appender.entryBytes;
    long found = store.exists(file) ? store.size(file) : 0;
    if (found < wanted) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          file
              + " is damaged: the checkpoint knows "
              + entries
              + " entries of shape "
              + NpyHeader.text(entryShape)
              + " ("
              + wanted
              + " bytes), the file has "
              + found
              + " bytes; restore it from a copy or start again with --force");
    }
    if (found > wanted) {
      store.truncate(file, wanted);
    }
    store.overwrite(file, 0, NpyHeader.encode(type, appender.shape));
    return appender;
  }

  /** Entries in the file. */
  public int entries() {
    return shape[0];
  }

  /** Bytes of one entry. */
  public long entryBytes() {
    return entryBytes;
  }

  public Path file() {
    return file;
  }

  /** Adds one entry, row-major. */
  public void append(double[] entry) {
    append(entry, piece -> {});
  }

  /** The same; {@code written} is told the bytes of the entry, in pieces. */
  void append(double[] entry, Consumer<byte[]> written) {
    requireEntry((long) entry.length * type.bytes());
    for (byte[] piece : type.pieces(entry)) {
      store.append(file, piece);
      written.accept(piece);
    }
    added();
  }

  /** Adds one entry of integers, row-major. */
  public void append(long[] entry) {
    byte[] bytes = type.encode(entry);
    requireEntry(bytes.length);
    store.append(file, bytes);
    added();
  }

  private void requireEntry(long found) {
    if (found != entryBytes) {
      throw new IllegalArgumentException(
          "an entry of "
              + file
              + " has shape "
              + NpyHeader.text(Arrays.copyOfRange(shape, 1, shape.length))
              + ", got "
              + found / type.bytes()
              + " elements");
    }
  }

  private void added() {
    shape[0]++;
    store.overwrite(file, 0, NpyHeader.encode(type, shape));
  }

  /** Hash of the entries in the file, its header apart. */
  Sha256 hash() {
    Sha256 hash = new Sha256();
    long end = headerBytes + entries() * entryBytes;
    hash.add(store, file, headerBytes, end);
    return hash;
  }

  /** Makes everything appended so far durable. */
  public void force() {
    store.force(file);
  }
}
