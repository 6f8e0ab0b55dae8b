package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Observations.Clusters;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Observations.PairStatistics;
import org.starling.core.engine.Shape;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.kernels.AttentionKernels;
import org.starling.kernels.KernelVariant;
import org.starling.kernels.PairKernels;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Observables over pairs of tokens: partial results per row block, added here in a fixed order. */
final class PairPass {
  /** Numbers moved at a time. */
  private static final int PIECE = 1 << 22;

  private final DeviceSession session;
  private final Workspace work;
  private final boolean fp64;
  private final Numbers numbers;

  PairPass(DeviceSession session, Workspace work, boolean fp64) {
    this.session = session;
    this.work = work;
    this.fp64 = fp64;
    this.numbers = new Numbers(fp64);
  }

  /** Buffers that attention itself does not need, for the largest of the observables. */
  List<MemoryPlan.Item> buffers(Shape s) {
    long tokens = (long) s.replicas() * padded(s);
    List<MemoryPlan.Item> items = new ArrayList<>();
    items.add(new MemoryPlan.Item("token norms", 1, tokens * numbers.bytes()));
    items.add(new MemoryPlan.Item("cluster labels", 3, tokens * 4));
    return items;
  }

  /** Bytes of packed keys. */
  long keyBytes(Shape s) {
    return (long) s.replicas() * padded(s) * s.d() * numbers.bytes();
  }

  private int width() {
    return AttentionKernels.packWidth(fp64);
  }

  private int padded(Shape s) {
    return Math.multiplyExact((s.n() + width() - 1) / width(), width());
  }

  private boolean cpu() {
    return session.device().cpu();
  }

  private long blocks(Shape s) {
    int rows = PairKernels.blockRows(fp64, s.d(), cpu());
    return (s.n() + rows - 1) / rows;
  }

  /** A block a work-item; on GPUs several side by side fill a compute unit. */
  private Grid grid() {
    return Grid.items(cpu() ? 1 : 32);
  }

  private double workPerBlock(Shape s) {
    return (double) PairKernels.blockRows(fp64, s.d(), cpu()) * s.n() * (s.d() + 20);
  }

  private static int[] everyReplica(Shape s) {
    return IntStream.range(0, s.replicas()).toArray();
  }

  double[] energy(ClState x, Layer[] layers) {
    double[] sums = layerSums(x, layers, PairKernels.energy(fp64, x.shape().d(), cpu()));
    double n = x.shape().n();
    for (int r = 0; r < sums.length; r++) {
      sums[r] /= n * n * layers[r].heads().size();
    }
    return sums;
  }

  double[] attentionEntropy(ClState x, Layer[] layers) {
    double[] sums = layerSums(x, layers, PairKernels.entropy(fp64, x.shape().d(), cpu()));
    for (int r = 0; r < sums.length; r++) {
      // One weight is 1 there; a NaN among the scores still shows.
      boolean hardmax = layers[r].normalisation() == Normalisation.HARDMAX;
      double rows = (double) x.shape().n() * layers[r].heads().size();
      sums[r] = hardmax && !Double.isNaN(sums[r]) ? 0 : sums[r] / rows;
    }
    return sums;
  }

  /** Per replica, the sum of what a kernel over row blocks of a layer finds. */
  private double[] layerSums(ClState x, Layer[] layers, KernelVariant variant) {
    Shape s = x.shape();
    DeviceBuffer keys = packKeys(x);
    LayerTables tables = LayerTables.of(layers, everyReplica(s), fp64, width());
    long units = s.replicas() * blocks(s);
    DeviceBuffer sums = work.buffer("block sums", 2 * units * numbers.bytes());
    Call call = session.kernel(variant).call().buffer(x.values()).buffer(keys).buffer(sums);
    layer(call, tables)
        .int32(tables.planStride())
        .int32(tables.scaleStride())
        .int32(s.n())
        .over(units, grid(), workPerBlock(s));
    double[] parts = numbers.read(sums, 0, Math.toIntExact(2 * units));
    double[] result = new double[s.replicas()];
    for (int u = 0; u < units; u++) {
      result[(int) (u / blocks(s))] += sumOf(parts[2 * u], parts[2 * u + 1]);
    }
    return result;
  }

  /** An unevaluated sum; the rounding of an infinite sum is not a number and means nothing. */
  private static double sumOf(double hi, double lo) {
    return Double.isInfinite(hi) ? hi : hi + lo;
  }

  /** Uploads tables and passes them: plan, scale, matrices. */
  private Call layer(Call call, LayerTables tables) {
    DeviceBuffer plan = work.buffer("plan of pairs", 8L * tables.plan().length);
    plan.write(0, tables.plan(), 0, tables.plan().length);
    DeviceBuffer scale =
        work.buffer("scale of pairs", (long) numbers.bytes() * tables.scale().length);
    numbers.write(scale, 0, tables.scale());
    DeviceBuffer matrices =
        work.buffer("weight matrices of pairs", tables.matrixNumbers() * numbers.bytes());
    long at = 0;
    for (double[] m : tables.matrices()) {
      numbers.write(matrices, at, m);
      at += m.length;
    }
    return call.buffer(plan).buffer(scale).buffer(matrices);
  }

  PairStatistics[] innerProducts(ClState x, int bins) {
    Shape s = x.shape();
    DeviceBuffer keys = packKeys(x);
    DeviceBuffer norms = norms(x);
    long units = s.replicas() * blocks(s);
    DeviceBuffer extremes = work.buffer("block extremes", 4 * units * numbers.bytes());
    DeviceBuffer counts = work.buffer("block histograms", 4 * units * bins);
    session
        .kernel(PairKernels.statistics(fp64, s.d(), cpu()))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(norms)
        .buffer(extremes)
        .buffer(counts)
        .int32(s.n())
        .int32(bins)
        .over(units, grid(), workPerBlock(s));
    PairStatistics[] result = new PairStatistics[s.replicas()];
    int blocks = (int) blocks(s);
    int entries = Math.multiplyExact(blocks, bins);
    // Many replicas at a time, for every reading waits for the device.
    int together = Math.max(1, PIECE / entries);
    for (int from = 0; from < result.length; from += together) {
      int count = Math.min(together, result.length - from);
      double[] e = numbers.read(extremes, 4L * from * blocks, 4 * count * blocks);
      int[] c = new int[count * entries];
      counts.read(4L * from * entries, c, 0, c.length);
      for (int r = 0; r < count; r++) {
        result[from + r] =
            statistics(
                Arrays.copyOfRange(e, 4 * r * blocks, 4 * (r + 1) * blocks),
                Arrays.copyOfRange(c, r * entries, (r + 1) * entries),
                bins,
                s.n());
      }
    }
    return result;
  }

  private static PairStatistics statistics(double[] extremes, int[] counts, int bins, long n) {
    long[] histogram = new long[bins];
    for (int i = 0; i < counts.length; i++) {
      histogram[i % bins] += counts[i];
    }
    if (n == 1) {
      return new PairStatistics(Double.NaN, Double.NaN, Double.NaN, histogram);
    }
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    for (int u = 0; u < extremes.length; u += 4) {
      min = Math.min(min, extremes[u]);
      max = Math.max(max, extremes[u + 1]);
      sum += sumOf(extremes[u + 2], extremes[u + 3]);
    }
    return new PairStatistics(min, sum / ((double) n * (n - 1)), max, histogram);
  }

  Clusters[] clusters(ClState x, Linkage linkage, double threshold) {
    Shape s = x.shape();
    int padded = padded(s);
    DeviceBuffer keys = packKeys(x);
    DeviceBuffer norms = norms(x);
    long bytes = 4L * s.replicas() * padded;
    DeviceBuffer label = work.buffer("cluster labels", bytes);
    DeviceBuffer lowest = work.buffer("lowest linked labels", bytes);
    DeviceBuffer parent = work.buffer("parent labels", bytes);
    DeviceBuffer changed = work.buffer("labels changed", 4);
    int together = Math.min(s.replicas(), Math.max(1, PIECE / padded));
    int[] own = new int[together * padded];
    Arrays.setAll(own, i -> i % padded);
    for (int from = 0; from < s.replicas(); from += together) {
      int count = Math.min(together, s.replicas() - from);
      label.write(4L * from * padded, own, 0, count * padded);
    }
    boolean cosine = linkage == Linkage.COSINE;
    int[] flag = {1};
    while (flag[0] != 0) {
      Call link =
          session
              .kernel(PairKernels.link(fp64, s.d(), cpu()))
              .call()
              .buffer(x.values())
              .buffer(keys)
              .buffer(norms)
              .buffer(label)
              .buffer(lowest);
      numbers
          .argument(link, cosine ? 1 - threshold : threshold)
          .int32(cosine ? 1 : 0)
          .int32(s.n())
          .over(s.replicas() * blocks(s), grid(), workPerBlock(s));
      parent.copyFrom(label);
      session
          .kernel(PairKernels.hook())
          .call()
          .buffer(label)
          .buffer(lowest)
          .buffer(parent)
          .int32(s.n())
          .int32(padded)
          .over((long) s.replicas() * s.n(), Grid.items(16), 4);
      changed.zero();
      session
          .kernel(PairKernels.flatten())
          .call()
          .buffer(parent)
          .buffer(label)
          .buffer(changed)
          .int32(s.n())
          .int32(padded)
          .over((long) s.replicas() * s.n(), Grid.items(16), 16);
      changed.read(0, flag, 0, 1);
    }
    Clusters[] result = new Clusters[s.replicas()];
    for (int from = 0; from < result.length; from += together) {
      int replicas = Math.min(together, result.length - from);
      int[] all = new int[replicas * padded];
      label.read(4L * from * padded, all, 0, all.length);
      for (int r = 0; r < replicas; r++) {
        result[from + r] = clusters(Arrays.copyOfRange(all, r * padded, r * padded + s.n()));
      }
    }
    return result;
  }

  private static Clusters clusters(int[] labels) {
    int count = 0;
    for (int i = 0; i < labels.length; i++) {
      count += labels[i] == i ? 1 : 0;
    }
    return new Clusters(count, labels);
  }

  double[][] attentionRows(ClState x, Layer layer, int head, int replica, int[] rows) {
    Shape s = x.shape();
    if (rows.length == 0) {
      return new double[0][];
    }
    DeviceBuffer keys = packKeys(x);
    Layer[] layers = new Layer[s.replicas()];
    layers[replica] = layer;
    LayerTables tables = LayerTables.of(layers, new int[] {replica}, fp64, width());
    DeviceBuffer chosen = work.buffer("chosen rows", 4L * rows.length);
    chosen.write(0, rows, 0, rows.length);
    int padded = padded(s);
    DeviceBuffer scores =
        work.buffer("scores of rows", (long) rows.length * padded * numbers.bytes());
    DeviceBuffer own = work.buffer("self scores of rows", (long) rows.length * numbers.bytes());
    Call call =
        session
            .kernel(PairKernels.scoreRows(fp64, s.d()))
            .call()
            .buffer(x.values())
            .buffer(keys)
            .buffer(chosen)
            .buffer(scores)
            .buffer(own);
    int tile = AttentionKernels.TILE_ROWS;
    layer(call, tables)
        .int32(head)
        .int32(rows.length)
        .int32(s.n())
        .over((rows.length + tile - 1) / tile, grid(), (double) tile * s.n() * (s.d() + 20));
    double[] self = numbers.read(own, 0, rows.length);
    double[][] weights = new double[rows.length][];
    for (int k = 0; k < rows.length; k++) {
      double[] row = numbers.read(scores, (long) k * padded, s.n());
      weights[k] = RowWeights.of(layer, head, rows[k], row, self[k]);
    }
    return weights;
  }

  private DeviceBuffer packKeys(ClState x) {
    Shape s = x.shape();
    long groups = padded(s) / width();
    DeviceBuffer keys = work.atLeast("packed keys", keyBytes(s));
    DeviceBuffer replicas = work.buffer("replicas", 8L * s.replicas());
    long[] all = new long[s.replicas()];
    Arrays.setAll(all, r -> r);
    replicas.write(0, all, 0, all.length);
    session
        .kernel(AttentionKernels.pack(fp64, s.d()))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(replicas)
        .int32(1)
        .int32(s.n())
        .over(s.replicas() * groups, Grid.items(1), 32.0 * s.d());
    return keys;
  }

  private DeviceBuffer norms(ClState x) {
    Shape s = x.shape();
    long entries = (long) s.replicas() * padded(s);
    DeviceBuffer norms = work.buffer("token norms", entries * numbers.bytes());
    session
        .kernel(PairKernels.norms(fp64, s.d()))
        .call()
        .buffer(x.values())
        .buffer(norms)
        .int32(s.n())
        .over(entries, Grid.items(16), 8.0 * s.d());
    return norms;
  }
}
