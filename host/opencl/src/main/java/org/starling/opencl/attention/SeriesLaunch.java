package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;
import org.starling.kernels.SeriesKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * Attention by a series, one replica at a time: sums over keys from moments, and pair by pair the
 * rows whose own bound is not good enough. Under the full mask a replica with many such rows is
 * left to the pair kernels, which are faster in float32.
 */
abstract class SeriesLaunch {
  /** Rows in doubt, one in so many, from which the pair kernels take the replica. */
  private static final int MANY = 8;

  final DeviceSession session;
  final Workspace work;
  final Precision precision;
  final boolean staged;
  final SumChoice choice;
  private final String name;
  private SummationReport report = SummationReport.PAIRS;

  SeriesLaunch(
      String name, DeviceSession session, Workspace work, Precision precision, SumChoice choice) {
    this.name = name;
    this.choice = choice;
    this.session = session;
    this.work = work;
    this.precision = precision;
    this.staged = !session.device().cpu();
  }

  /** Tokens of a block. */
  final int block() {
    return staged ? 64 : 256;
  }

  final int lanes() {
    Device device = session.device();
    return staged ? 1 : Math.max(2, Math.min(8, device.vectorBytes() / 8));
  }

  final Grid grid() {
    return Grid.items(staged ? 64 : 1);
  }

  /** What decides the bits. */
  String settings() {
    return "block=" + block() + " lanes=" + lanes();
  }

  /** What was computed so far. */
  final SummationReport report() {
    return report;
  }

  /** Rows of a unit of the pairs, of which tokens below range are counted. */
  final int rowsPerUnit() {
    return staged ? 1 : 64;
  }

  /** What the kernels of a series have in common. */
  abstract SeriesKernels common(Expansion series);

  /** Buffers beyond those of {@link #buffers}. */
  abstract List<MemoryPlan.Item> moments(Shape s, List<Expansion> series);

  /** Units of the launch that counts rows in doubt. */
  abstract long rowUnits(int keys);

  /**
   * Rows from {@code firstRow} on of the first {@code keys}, which see those keys, or with {@code
   * causal} the ones up to their own.
   *
   * @return rows in doubt
   */
  abstract long sums(Evaluation e, boolean causal, int keys, int firstRow);

  final List<MemoryPlan.Item> buffers(Shape s, List<Layer> layers) {
    List<MemoryPlan.Item> items =
        new ArrayList<>(moments(s, layers.stream().map(choice::series).toList()));
    items.add(new MemoryPlan.Item(name + " rows in doubt", 1, (long) s.replicas() * s.n()));
    items.add(new MemoryPlan.Item(name + " counts", 1, 4 * rowUnits(s.n())));
    return items;
  }

  final DeviceBuffer buffer(String what, long bytes) {
    return work.buffer(name + " " + what, bytes);
  }

  /** A buffer that may be larger. */
  final DeviceBuffer atLeast(String what, long bytes) {
    return work.atLeast(name + " " + what, bytes);
  }

  /** One replica's evaluation. */
  record Evaluation(
      ClState x,
      Expansion series,
      int replica,
      ClField out,
      DeviceBuffer table,
      AttentionPass.Operation operation) {
    int n() {
      return x.shape().n();
    }

    Call state(Call call) {
      return call.buffer(x.values()).buffer(x.corrections() == null ? x.values() : x.corrections());
    }
  }

  /**
   * Computes the field of the replicas.
   *
   * @param ranges see {@link RangeReports}
   * @return replicas left to the pair kernels
   */
  final int[] launch(
      ClState x,
      Layer[] layers,
      int[] replicas,
      ClField out,
      DeviceBuffer ranges,
      AttentionPass.Operation operation) {
    List<Integer> left = new ArrayList<>();
    for (int r : replicas) {
      Expansion series = choice.series(layers[r]);
      if (!replica(new Evaluation(x, series, r, out, table(series), operation), ranges)) {
        left.add(r);
      }
    }
    return left.stream().mapToInt(Integer::intValue).toArray();
  }

  private boolean replica(Evaluation e, DeviceBuffer ranges) {
    Mask mask = e.series.layer().mask();
    int n = e.n();
    int prefix = Math.min(mask.prefix(), n);
    boolean full = !mask.causal() && (mask.prefix() == Mask.NONE || prefix == n);
    long doubtful = 0;
    if (full) {
      doubtful = sums(e, false, n, 0);
      if (doubtful > n / MANY && precision != Precision.DOUBLE) {
        count(e, n);
        return false;
      }
    } else {
      // Rows below the prefix see the whole of it; the others are causal.
      int shared = mask.causal() || prefix < 2 ? 0 : prefix;
      if (shared > 0) {
        doubtful = sums(e, false, shared, 0);
      }
      doubtful += sums(e, true, n, shared);
    }
    if (doubtful > 0) {
      pairs(e, full ? Mask.FULL : mask, doubtful, ranges);
    }
    count(e, doubtful);
    return true;
  }

  private void count(Evaluation e, long byPairs) {
    Expansion s = e.series;
    report = report.and(new SummationReport(s.basis(), s.terms(), s.truncation(), e.n(), byPairs));
  }

  private DeviceBuffer table(Expansion s) {
    // Own speed: a fifth of the rule's median, and in double precision of its cap. In single
    // precision also 1/1024 of the rule's slack: float32 positions cannot tell such speeds from 0.
    double own = precision == Precision.DOUBLE ? 2e-12 : 4e-6;
    double others = precision == Precision.SINGLE ? 4 * 0x1p-24 / 1024 : 0;
    double[] t = s.table(common(s), own, others);
    DeviceBuffer table = buffer("table", 8L * t.length);
    table.write(0, t, 0, t.length);
    return table;
  }

  /** A byte a row of all replicas: whether it is in doubt. */
  final DeviceBuffer doubt(Evaluation e) {
    Shape s = e.x.shape();
    return buffer("rows in doubt", (long) s.replicas() * s.n());
  }

  final DeviceBuffer counts(Evaluation e) {
    return buffer("counts", 4 * rowUnits(e.n()));
  }

  private void pairs(Evaluation e, Mask mask, long doubtful, DeviceBuffer ranges) {
    int n = e.n();
    int rows = rowsPerUnit();
    long units = ((long) n + rows - 1) / rows;
    double each = Math.max(1, (double) doubtful / units);
    e.state(session.kernel(common(e.series).pairs(rows)).call())
        .buffer(e.out.values())
        .buffer(doubt(e))
        .buffer(ranges)
        .buffer(e.table)
        .int32(e.replica)
        .int32(n)
        .int32(mask.causal() ? 1 : 0)
        .int32(mask.prefix())
        .int32(e.operation.ordinal())
        .over(units, grid(), each * 60 * n);
  }
}
