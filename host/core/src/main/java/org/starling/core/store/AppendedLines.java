package org.starling.core.store;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A {@code .jsonl} file that only grows: one object a line. */
public final class AppendedLines {
  private final FileStore store;
  private final Path file;
  private long bytes;

  private AppendedLines(FileStore store, Path file, long bytes) {
    this.store = store;
    this.file = file;
    this.bytes = bytes;
  }

  /** A new empty file, replacing an old one. */
  public static AppendedLines create(FileStore store, Path file) {
    store.write(file, new byte[0]);
    return new AppendedLines(store, file, 0);
  }

  /**
   * Goes on with a file after its first {@code bytes} bytes; later ones are cut off.
   *
   * @throws StoreException of kind DAMAGED if the file is shorter
   */
  public static AppendedLines restore(FileStore store, Path file, long bytes) {
    if (bytes == 0) {
      return create(store, file);
    }
    long found = store.exists(file) ? store.size(file) : 0;
    if (found < bytes) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          file
              + " is damaged: the checkpoint knows "
              + bytes
              + " bytes, the file has "
              + found
              + "; restore it from a copy or start again with --force");
    }
    if (found > bytes) {
      store.truncate(file, bytes);
    }
    return new AppendedLines(store, file, bytes);
  }

  /** Bytes of a whole file with these objects. */
  public static byte[] encode(List<? extends Map<String, ?>> objects) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    objects.forEach(object -> all.writeBytes(Json.line(object)));
    return all.toByteArray();
  }

  /** Length of the file. */
  public long bytes() {
    return bytes;
  }

  public void append(Map<String, ?> object) {
    byte[] line = Json.line(object);
    store.append(file, line);
    bytes += line.length;
  }

  /** Makes everything appended so far durable. */
  public void force() {
    store.force(file);
  }

  /**
   * All whole lines of a file. A last line that a kill or a lost power supply left torn is not
   * read.
   *
   * @throws StoreException of kind DAMAGED with the number of an earlier line that is not JSON
   */
  public static List<Map<String, Object>> read(FileStore store, Path file) {
    List<Map<String, Object>> objects = new ArrayList<>();
    byte[] text = store.exists(file) ? store.read(file) : new byte[0];
    int begin = 0;
    for (int k = 0; k < text.length; k++) {
      if (text[k] == '\n') {
        try {
          objects.add(
              Json.read(
                  Arrays.copyOfRange(text, begin, k), file + ", line " + (objects.size() + 1)));
        } catch (StoreException torn) {
          if (k < text.length - 1) {
            throw torn;
          }
        }
        begin = k + 1;
      }
    }
    return objects;
  }
}
