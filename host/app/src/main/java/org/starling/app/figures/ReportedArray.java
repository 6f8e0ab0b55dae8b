package org.starling.app.figures;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.starling.core.store.ElementType;
import org.starling.core.store.FileStore;
import org.starling.core.store.NpyHeader;
import org.starling.core.store.StoreException;

/** An array of integers that a run reports, read one report at a time. */
final class ReportedArray {
  private final Path file;
  private final NpyHeader header;
  private final int entries;

  private ReportedArray(Path file, NpyHeader header, int entries) {
    this.file = file;
    this.header = header;
    this.entries = entries;
  }

  /**
   * @param reports complete reports; entries beyond belong to one that is being written
   */
  static ReportedArray open(Path file, int reports) {
    FileStore store = FileStore.disk();
    int prefix = (int) Math.min(4096, store.size(file));
    NpyHeader header = NpyHeader.decode(store.read(file, 0, prefix), file.toString());
    if (header.type().floating() || header.shape().length < 2) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          file + " does not hold one array of integers a report; run again with --force");
    }
    long entry = header.elementsPerEntry() * header.type().bytes();
    long whole = (store.size(file) - header.bytes()) / entry;
    return new ReportedArray(file, header, (int) Math.min(whole, reports));
  }

  int entries() {
    return entries;
  }

  /** Length of the array of one replica. */
  int length() {
    int[] shape = header.shape();
    return shape[shape.length - 1];
  }

  /**
   * The arrays of all replicas at a report, {@code [R][length]}; -1 throughout where one failed.
   */
  long[] entry(int report) {
    if (report < 0 || report >= entries) {
      throw new IndexOutOfBoundsException("report " + report + " of " + entries);
    }
    int elements = Math.toIntExact(header.elementsPerEntry());
    ElementType type = header.type();
    long offset = header.bytes() + (long) report * elements * type.bytes();
    ByteBuffer raw =
        ByteBuffer.wrap(FileStore.disk().read(file, offset, elements * type.bytes()))
            .order(header.order());
    long[] values = new long[elements];
    for (int k = 0; k < elements; k++) {
      values[k] = type == ElementType.INT32 ? raw.getInt(4 * k) : raw.getLong(8 * k);
    }
    return values;
  }
}
