package org.starling.core.store;

import java.nio.file.Path;
import java.util.List;

/**
 * Every file operation of a run, so that a test can make the n-th one fail. All methods throw
 * {@link StoreException} of kind IO with the path when the file system fails. Nothing is durable
 * before {@link #force} (content) and {@link #forceDirectory} (names) return.
 */
public interface FileStore {
  /** The file system of this machine. */
  static FileStore disk() {
    return DiskFileStore.INSTANCE;
  }

  boolean exists(Path file);

  long size(Path file);

  /** The whole file. */
  byte[] read(Path file);

  /** Bytes from {@code offset}; fewer than {@code length} at the end of the file. */
  byte[] read(Path file, long offset, int length);

  /** Names in a directory, sorted; empty if there is none. */
  List<String> list(Path directory);

  void createDirectories(Path directory);

  /** Creates or replaces a file in place (not atomic). */
  void write(Path file, byte[] content);

  /** Adds to the end of a file, which is created if missing. */
  void append(Path file, byte[] content);

  /** Overwrites bytes inside a file. */
  void overwrite(Path file, long offset, byte[] content);

  void truncate(Path file, long size);

  /** Makes the content of a file durable. */
  void force(Path file);

  /** Makes creations, renames and deletions in a directory durable. */
  void forceDirectory(Path directory);

  /** Renames within a directory, replacing the target in one step. */
  void move(Path from, Path to);

  /** Deletes a file if it is there. */
  void delete(Path file);

  /**
   * Takes a lock that dies with the process.
   *
   * @return the lock, to be closed; null if another holder has it
   */
  Lock lock(Path file);

  /** A lock held. */
  interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Replaces a file so that a reader or a crash sees the old or the new content, never a mixture.
   */
  default void replace(Path file, byte[] content) {
    replace(file, content, List.of());
  }

  /**
   * The same.
   *
   * @param more what follows the content, piece by piece
   */
  default void replace(Path file, byte[] content, Iterable<byte[]> more) {
    Path draft = file.resolveSibling("." + file.getFileName() + ".new");
    write(draft, content);
    for (byte[] piece : more) {
      append(draft, piece);
    }
    force(draft);
    move(draft, file);
    forceDirectory(directory(file));
  }

  /** The directory a file is in. */
  static Path directory(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of(".") : parent;
  }
}
