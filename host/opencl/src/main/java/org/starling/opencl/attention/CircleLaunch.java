package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;
import org.starling.kernels.CircleKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.Device;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/**
 * Attention on the circle by Fourier series, one replica at a time: moments of the keys, their sums
 * over blocks, the rows, and pair by pair the rows whose own bound is not good enough
 * (circle_rows.cl). Under the full mask a replica with many such rows is left to the pair kernels,
 * which are faster in float32.
 */
final class CircleLaunch {
  /** Rows in doubt, one in so many, from which the pair kernels take the replica. */
  private static final int MANY = 8;

  /** Memory of moments is taken for a multiple of so many frequencies. */
  private static final int FREQUENCIES = 16;

  private final DeviceSession session;
  private final Workspace work;
  private final Precision precision;
  private final boolean staged;
  private final SumChoice choice;
  private SummationReport report = SummationReport.PAIRS;

  CircleLaunch(DeviceSession session, Workspace work, Precision precision, SumChoice choice) {
    this.choice = choice;
    this.session = session;
    this.work = work;
    this.precision = precision;
    this.staged = !session.device().cpu();
  }

  /** What decides the bits. */
  String settings() {
    return "block=" + block() + " lanes=" + lanes();
  }

  /** What was computed so far. */
  SummationReport report() {
    return report;
  }

  private int block() {
    return staged ? 64 : 256;
  }

  private int lanes() {
    Device device = session.device();
    return staged ? 1 : Math.max(2, Math.min(8, device.vectorBytes() / 8));
  }

  /** Rows of a unit of the pairs, of which tokens below range are counted. */
  int rowsPerUnit() {
    return staged ? 1 : 64;
  }

  private Grid grid() {
    return Grid.items(staged ? 64 : 1);
  }

  private CircleKernels kernels(int limit) {
    return new CircleKernels(
        precision == Precision.DOUBLE, precision == Precision.MIXED, lanes(), block(), limit);
  }

  private long units(int keys) {
    long blocks = (keys + (long) block() - 1) / block();
    return (blocks + lanes() - 1) / lanes();
  }

  /** A lane more than there are blocks holds what all blocks have together. */
  private int padded(int n) {
    return Math.toIntExact((units(n) + 1) * lanes());
  }

  private long momentBytes(int terms, int n) {
    long frequencies = (terms + (long) FREQUENCIES) / FREQUENCIES * FREQUENCIES;
    return 8L * 2 * CircleKernels.POWERS * frequencies * padded(n);
  }

  List<MemoryPlan.Item> buffers(Shape s, List<Layer> layers) {
    long moments = 0;
    for (Layer layer : layers) {
      moments = Math.max(moments, momentBytes(choice.series(layer).terms(), s.n()));
    }
    return List.of(
        new MemoryPlan.Item("circle moments", 1, moments),
        new MemoryPlan.Item("circle radii", 1, 8L * padded(s.n())),
        new MemoryPlan.Item("circle rows in doubt", 1, (long) s.replicas() * s.n()),
        new MemoryPlan.Item("circle counts", 1, 4 * units(s.n())));
  }

  /**
   * Computes the field of the replicas.
   *
   * @param ranges see {@link RangeReports}
   * @return replicas left to the pair kernels
   */
  int[] launch(
      ClState x,
      Layer[] layers,
      int[] replicas,
      ClField out,
      DeviceBuffer ranges,
      AttentionPass.Operation operation) {
    List<Integer> left = new ArrayList<>();
    for (int r : replicas) {
      if (!replica(new Evaluation(x, choice.series(layers[r]), r, out, operation), ranges)) {
        left.add(r);
      }
    }
    return left.stream().mapToInt(Integer::intValue).toArray();
  }

  /** One replica's evaluation. */
  private record Evaluation(
      ClState x, CircleSeries series, int replica, ClField out, AttentionPass.Operation operation) {
    int n() {
      return x.shape().n();
    }

    Call state(Call call) {
      return call.buffer(x.values()).buffer(x.corrections() == null ? x.values() : x.corrections());
    }
  }

  private boolean replica(Evaluation e, DeviceBuffer ranges) {
    Mask mask = e.series.layer().mask();
    int n = e.n();
    int prefix = Math.min(mask.prefix(), n);
    boolean full = !mask.causal() && (mask.prefix() == Mask.NONE || prefix == n);
    DeviceBuffer table = table(e.series);
    long doubtful = 0;
    if (full) {
      doubtful = sums(e, table, false, n, 0);
      if (doubtful > n / MANY && precision != Precision.DOUBLE) {
        count(e, n);
        return false;
      }
    } else {
      // Rows below the prefix see the whole of it; the others are causal.
      int shared = mask.causal() || prefix < 2 ? 0 : prefix;
      if (shared > 0) {
        doubtful = sums(e, table, false, shared, 0);
      }
      doubtful += sums(e, table, true, n, shared);
    }
    if (doubtful > 0) {
      pairs(e, table, full ? Mask.FULL : mask, doubtful, ranges);
    }
    count(e, doubtful);
    return true;
  }

  private void count(Evaluation e, long byPairs) {
    report =
        report.and(new SummationReport(e.series.terms(), e.series.truncation(), e.n(), byPairs));
  }

  private DeviceBuffer table(CircleSeries s) {
    // Own speed: a fifth of the rule's median, and in double precision of its cap. In single
    // precision also 1/1024 of the rule's slack: float32 positions cannot tell such speeds from 0.
    double[] t =
        precision == Precision.DOUBLE
            ? s.table(2e-12, 0)
            : s.table(4e-6, precision == Precision.SINGLE ? 4 * 0x1p-24 / 1024 : 0);
    DeviceBuffer table = work.buffer("circle table", 8L * t.length);
    table.write(0, t, 0, t.length);
    return table;
  }

  /**
   * Rows from {@code firstRow} on of the first {@code keys}, which see those keys, or with {@code
   * causal} the ones up to their own.
   *
   * @return rows in doubt
   */
  private long sums(Evaluation e, DeviceBuffer table, boolean causal, int keys, int firstRow) {
    CircleKernels kernels = kernels(e.series.limit());
    int n = e.n();
    int padded = padded(n);
    int blocks = (keys + block() - 1) / block();
    long units = units(keys);
    double tokens = (double) block() * lanes();
    DeviceBuffer radii = work.buffer("circle radii", 8L * padded);
    e.state(session.kernel(kernels.radii()).call())
        .buffer(radii)
        .int32(e.replica)
        .int32(n)
        .int32(keys)
        .over(units, grid(), 8 * tokens);
    double[] excess = new double[blocks];
    radii.read(0, excess, 0, blocks);
    double worst = Arrays.stream(excess).max().getAsDouble();
    int powers = 1;
    while (powers < CircleKernels.POWERS && worst > e.series.largest()[powers - 1]) {
      powers++;
    }
    int filled =
        powers <= CircleKernels.FEW_POWERS ? CircleKernels.FEW_POWERS : CircleKernels.POWERS;
    int frequencies = e.series.terms() + 1;
    int columns = 2 * CircleKernels.POWERS * frequencies;
    DeviceBuffer moments = work.buffer("circle moments", momentBytes(e.series.terms(), n));
    e.state(session.kernel(kernels.moments()).call())
        .buffer(table)
        .buffer(moments)
        .int32(padded)
        .int32(e.replica)
        .int32(n)
        .int32(keys)
        .int32(powers)
        .int32(filled)
        .over(units, grid(), 8 * tokens * powers * frequencies);
    session
        .kernel(kernels.prefix())
        .call()
        .buffer(moments)
        .buffer(radii)
        .int32(columns)
        .int32(padded)
        .int32(blocks)
        .int32(filled)
        .over((columns + lanes() - 1L) / lanes() + 1, grid(), 8.0 * lanes() * blocks);
    DeviceBuffer counts = work.buffer("circle counts", 4 * units(n));
    int heads = e.series.layer().heads().size();
    e.state(session.kernel(kernels.rows(causal, filled)).call())
        .buffer(e.out.values())
        .buffer(doubt(e.x.shape()))
        .buffer(counts)
        .buffer(table)
        .buffer(moments)
        .buffer(radii)
        .int32(padded)
        .int32(e.replica)
        .int32(n)
        .int32(keys)
        .int32(firstRow)
        .int32(e.operation.ordinal())
        .over(units, grid(), 16 * tokens * filled * frequencies * heads);
    int[] inDoubt = new int[Math.toIntExact(units)];
    counts.read(0, inDoubt, 0, inDoubt.length);
    return Arrays.stream(inDoubt).asLongStream().sum();
  }

  private DeviceBuffer doubt(Shape s) {
    return work.buffer("circle rows in doubt", (long) s.replicas() * s.n());
  }

  private void pairs(
      Evaluation e, DeviceBuffer table, Mask mask, long doubtful, DeviceBuffer ranges) {
    int n = e.n();
    int rows = rowsPerUnit();
    long units = ((long) n + rows - 1) / rows;
    double each = Math.max(1, (double) doubtful / units);
    e.state(session.kernel(kernels(e.series.limit()).pairs(rows)).call())
        .buffer(e.out.values())
        .buffer(doubt(e.x.shape()))
        .buffer(ranges)
        .buffer(table)
        .int32(e.replica)
        .int32(n)
        .int32(mask.causal() ? 1 : 0)
        .int32(mask.prefix())
        .int32(e.operation.ordinal())
        .over(units, grid(), each * 60 * n);
  }
}
