package org.starling.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.Engine;

/**
 * Repeated executions of one operation.
 *
 * @param laps in the order in which they were made
 */
record Timing(List<Lap> laps) {
  /** Short operations are repeated inside a lap until it is this long. */
  private static final double SHORTEST_LAP = 0.02;

  /** The same for operations that are queued. */
  private static final double QUEUED_LAP = 0.1;

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean s ? s : null;

  Timing {
    laps = List.copyOf(laps);
  }

  double[] wall() {
    return laps.stream().mapToDouble(Lap::wall).toArray();
  }

  double median() {
    return Statistics.median(wall());
  }

  double medianCpu() {
    return Statistics.median(laps.stream().mapToDouble(Lap::cpu).toArray());
  }

  /** Repetition by repetition: seconds of this over seconds of the other. */
  double[] over(Timing other) {
    double[] ratio = new double[laps.size()];
    for (int r = 0; r < ratio.length; r++) {
      ratio[r] = laps.get(r).wall() / other.laps.get(r).wall();
    }
    return ratio;
  }

  /** Repetition by repetition: an amount of work over the seconds. */
  double[] rates(double work) {
    double[] rate = wall();
    for (int r = 0; r < rate.length; r++) {
      rate[r] = work / rate[r];
    }
    return rate;
  }

  /** A Java operation that has ended when it returns, timed by wall clock and processor time. */
  static Lap.Timed clocked(Runnable operation) {
    return new Lap.Timed() {
      private int inner;

      @Override
      public Lap run() {
        if (inner == 0) {
          // Its first execution is the warm-up: kernels are built in it.
          time(operation, 1);
          double once = time(operation, 1).wall();
          inner = (int) Math.max(1, Math.min(1e5, Math.ceil(SHORTEST_LAP / once)));
        }
        return time(operation, inner);
      }
    };
  }

  /**
   * Work that is queued on an engine, one operation behind the other as in a run, and waited for
   * once a lap: the threads of a device sleep while nobody wants anything, and waking them takes up
   * to some milliseconds.
   */
  static Lap.Timed queued(Engine engine, Runnable operation) {
    return new Lap.Timed() {
      private int inner;

      @Override
      public Lap run() {
        if (inner == 0) {
          time(operation, 1, engine::finish);
          double once = time(operation, 1, engine::finish).wall();
          inner = (int) Math.max(1, Math.min(1e5, Math.ceil(QUEUED_LAP / once)));
        }
        return time(operation, inner, engine::finish);
      }
    };
  }

  private static Lap time(Runnable operation, int count) {
    return time(operation, count, () -> {});
  }

  private static Lap time(Runnable operation, int count, Runnable wait) {
    long cpu = cpuNanos();
    long wall = System.nanoTime();
    for (int k = 0; k < count; k++) {
      operation.run();
    }
    wait.run();
    double seconds = (System.nanoTime() - wall) * 1e-9;
    double computed = cpu < 0 ? Double.NaN : (cpuNanos() - cpu) * 1e-9;
    return new Lap(seconds / count, computed / count);
  }

  private static long cpuNanos() {
    return SYSTEM == null ? -1 : SYSTEM.getProcessCpuTime();
  }

  /**
   * Times operations in turn, so that whatever else the machine does meets all of them: first each
   * once as a warm-up, then {@code repetitions} rounds.
   */
  static List<Timing> interleaved(int repetitions, List<Lap.Timed> operations) {
    List<List<Lap>> laps = new ArrayList<>();
    for (Lap.Timed operation : operations) {
      operation.run();
      laps.add(new ArrayList<>());
    }
    for (int r = 0; r < repetitions; r++) {
      for (int k = 0; k < operations.size(); k++) {
        laps.get(k).add(operations.get(k).run());
      }
    }
    return laps.stream().map(Timing::new).toList();
  }
}
