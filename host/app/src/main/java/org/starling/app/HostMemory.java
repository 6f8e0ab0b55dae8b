package org.starling.app;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Precision;

/**
 * The Java heap that a run needs beside its engine: positions on their way between the device and
 * files. An engine of the JVM shares the heap with them.
 */
final class HostMemory {
  /** Float64 copies of the positions at the worst moment: the start, the end, a report. */
  private static final int COPIES = 3;

  /** What the loop keeps of a replica besides: its dynamics, clocks, outcome and last reading. */
  private static final long REPLICA = 1024;

  /** Bytes of the largest state: it passes through one Java array to its checkpoint. */
  private static final long LARGEST = Integer.MAX_VALUE - 4096;

  private HostMemory() {}

  /**
   * Refuses positions that the heap or a file cannot hold, before they are made.
   *
   * @param matrices bytes of matrices beside them, see {@link MatrixMemory}; 0 while they are
   *     unknown
   * @throws CommandException with the reason and the largest n that fits
   */
  static void require(Shape shape, Precision precision, long matrices) {
    long need = shape.size() * number(precision) + REPLICA * shape.replicas() + matrices;
    long most = LARGEST / stored(precision);
    String why = null;
    if (shape.size() > most) {
      why =
          "are more than "
              + most
              + " numbers, which is what one Java array can hold of a checkpoint in "
              + Specification.word(precision)
              + " precision"
              + (precision == Precision.SINGLE ? "." : " (twice as many in single).");
    } else if (need > usable()) {
      why =
          "do not fit the Java heap, where they need "
              + MemoryReport.bytes(need)
              + " of "
              + MemoryReport.bytes(usable())
              + " (STARLING_JAVA_OPTS=-Xmx... raises it).";
    }
    if (why != null) {
      throw new CommandException(
          ExitCode.USAGE,
          MemoryReport.subject(shape)
              + " "
              + why
              + " "
              + MemoryReport.largest(largestN(shape, precision, matrices)));
    }
  }

  /** Bytes of a number of a checkpoint. */
  private static int stored(Precision precision) {
    return precision == Precision.SINGLE ? Float.BYTES : Double.BYTES;
  }

  /** Bytes of the heap that a number needs: its copies, and one in a checkpoint. */
  private static int number(Precision precision) {
    return COPIES * Double.BYTES + stored(precision);
  }

  private static int largestN(Shape shape, Precision precision, long matrices) {
    long left = Math.max(0, usable() - REPLICA * shape.replicas() - matrices);
    long numbers = Math.min(left / number(precision), LARGEST / stored(precision));
    return (int) (numbers / ((long) shape.replicas() * shape.d()));
  }

  /** The plan with what the host holds: in the same memory where the engine is of the JVM. */
  static MemoryPlan include(
      MemoryPlan plan, Shape shape, Precision precision, long matrices, DeviceInfo device) {
    List<MemoryPlan.Item> items = new ArrayList<>(plan.items());
    long limit = plan.limitBytes();
    int largest = Math.min(plan.largestN(), largestN(shape, precision, matrices));
    if (device.type().equals("jvm")) {
      items.add(
          new MemoryPlan.Item("positions outside the engine", COPIES, shape.size() * Double.BYTES));
      items.add(
          new MemoryPlan.Item("positions in a checkpoint", 1, shape.size() * stored(precision)));
      items.add(new MemoryPlan.Item("what is kept of a replica", 1, REPLICA * shape.replicas()));
      long tokens = items.stream().mapToLong(MemoryPlan.Item::total).sum();
      if (matrices > 0) {
        items.add(new MemoryPlan.Item("matrices outside the engine", 1, matrices));
      }
      limit = Math.min(limit, usable());
      double left = Math.max(0, limit - matrices);
      largest = (int) Math.min(largest, left / tokens * shape.n());
    }
    return new MemoryPlan(items, plan.stateBytes(), limit, plan.allocationLimitBytes(), largest);
  }

  /** Long-lived arrays end in the old generation, two thirds of a heap by default. */
  private static long usable() {
    return Runtime.getRuntime().maxMemory() / 3 * 2;
  }
}
