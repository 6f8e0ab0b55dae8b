package org.starling.opencl.attention;

import java.util.EnumMap;
import java.util.Map;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Shape;
import org.starling.opencl.cl.DeviceBuffer;

/**
 * Tokens below range, added up on the device by all launches since they were last asked for: int
 * {@code [R][blocks][2]} per family of kernels, count and first such token of a block of rows. A
 * count of 0 is clean, whatever the token.
 */
final class RangeReports {
  private record Counts(DeviceBuffer buffer, Shape shape, int rows) {}

  private final Workspace work;
  private final Map<Family, Counts> known = new EnumMap<>(Family.class);

  /** Families launched since the last taking. */
  private final Map<Family, Counts> pending = new EnumMap<>(Family.class);

  /** Taken from the device when a buffer had to serve another shape. */
  private FieldReport carried = FieldReport.CLEAN;

  RangeReports(Workspace work) {
    this.work = work;
  }

  static long bytes(Shape s, int rows) {
    return 8L * s.replicas() * blocks(s, rows);
  }

  private static long blocks(Shape s, int rows) {
    return ((long) s.n() + rows - 1) / rows;
  }

  /** Where a launch of this family adds its counts, {@code rows} rows to a block. */
  DeviceBuffer counts(Family family, Shape s, int rows) {
    Counts c = known.get(family);
    if (c == null || !c.shape().equals(s) || c.rows() != rows) {
      Counts before = pending.remove(family);
      if (before != null) {
        carried = carried.and(taken(before));
      }
      DeviceBuffer buffer = work.buffer("range reports " + family, bytes(s, rows));
      buffer.zero();
      c = new Counts(buffer, s, rows);
      known.put(family, c);
    }
    pending.put(family, c);
    return c.buffer();
  }

  /** Adds what a launch has reported in its own way. */
  void add(FieldReport found) {
    carried = carried.and(found);
  }

  /** All counts since the last taking; waits for the launches. */
  FieldReport take() {
    FieldReport all = carried;
    for (Counts c : pending.values()) {
      all = all.and(taken(c));
    }
    pending.clear();
    carried = FieldReport.CLEAN;
    return all;
  }

  /** Forgets the counts so far; waits for nothing. */
  void drop() {
    pending.values().forEach(c -> c.buffer().zero());
    pending.clear();
    carried = FieldReport.CLEAN;
  }

  private static FieldReport taken(Counts c) {
    int[] found = new int[Math.toIntExact(bytes(c.shape(), c.rows()) / 4)];
    c.buffer().read(0, found, 0, found.length);
    long blocks = blocks(c.shape(), c.rows());
    long count = 0;
    long first = -1;
    for (int u = 0; u < found.length / 2; u++) {
      if (found[2 * u] > 0) {
        count += found[2 * u];
        long token = u / blocks * c.shape().n() + found[2 * u + 1];
        first = first < 0 ? token : Math.min(first, token);
      }
    }
    if (count > 0) {
      c.buffer().zero();
    }
    return new FieldReport(0, -1, count, first);
  }
}
