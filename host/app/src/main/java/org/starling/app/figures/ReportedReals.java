package org.starling.app.figures;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.starling.core.store.ElementType;
import org.starling.core.store.FileStore;
import org.starling.core.store.NpyHeader;
import org.starling.core.store.StoreException;

/** A scalar of each replica that a run reports, read one report at a time. */
final class ReportedReals {
  private final Path file;
  private final NpyHeader header;
  private final int entries;

  private ReportedReals(Path file, NpyHeader header, int entries) {
    this.file = file;
    this.header = header;
    this.entries = entries;
  }

  /**
   * @param reports complete reports; entries beyond belong to one that is being written
   */
  static ReportedReals open(Path file, int reports) {
    FileStore store = FileStore.disk();
    int prefix = (int) Math.min(4096, store.size(file));
    NpyHeader header = NpyHeader.decode(store.read(file, 0, prefix), file.toString());
    if (header.type() != ElementType.FLOAT64 || header.shape().length != 2) {
      throw new StoreException(
          StoreException.Kind.DAMAGED,
          file + " does not hold one float64 a replica and report; run again with --force");
    }
    long whole = (store.size(file) - header.bytes()) / (8 * header.elementsPerEntry());
    return new ReportedReals(file, header, (int) Math.min(whole, reports));
  }

  int entries() {
    return entries;
  }

  /** The values of all replicas at a report; NaN where one failed. */
  double[] entry(int report) {
    if (report < 0 || report >= entries) {
      throw new IndexOutOfBoundsException("report " + report + " of " + entries);
    }
    int replicas = Math.toIntExact(header.elementsPerEntry());
    long offset = header.bytes() + 8L * report * replicas;
    double[] values = new double[replicas];
    ByteBuffer.wrap(FileStore.disk().read(file, offset, 8 * replicas))
        .order(header.order())
        .asDoubleBuffer()
        .get(values);
    return values;
  }
}
