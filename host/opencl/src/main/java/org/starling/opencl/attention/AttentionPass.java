package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.kernels.AttentionKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.Call;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;
import org.starling.opencl.cl.Grid;

/** Attention outputs and velocities: packs the positions once, then launches row blocks. */
final class AttentionPass {
  /** Value of the kernels' {@code op} argument. */
  enum Operation {
    ATTEND,
    VELOCITY
  }

  /** How scores are formed and used; each has its own variant. */
  enum Family {
    /** Inner products (d &gt; 8) or products with differences (d &lt;= 8). */
    PLAIN,
    /** Products with differences (d &gt; 8), carried in two numbers (d &lt;= 8). */
    CAREFUL,
    /** The largest score alone counts. */
    HARDMAX
  }

  /**
   * Inner products that may reach this are formed relative to self. Below it their rounding, 2^-24
   * of it at the largest, stays within half the tolerance's median error, 2e-5 of a weight; tokens
   * far apart, whose products are small, are better served by them.
   */
  private static final double LARGEST_PRODUCT = 160;

  /** Differences of scores that may reach this are carried in two numbers. */
  private static final double LARGEST_SCORE = 32;

  private final DeviceSession session;
  private final Workspace work;
  private final boolean fp64;
  private final Numbers numbers;
  private final Map<Family, Loaded> loaded = new EnumMap<>(Family.class);

  /** Layers on the device, and what they were made from. */
  private record Loaded(Layer[] layers, LayerTables tables) {
    boolean holds(Layer[] wanted, int[] slots) {
      if (!Arrays.equals(slots, tables.slots())) {
        return false;
      }
      for (int r : slots) {
        if (wanted[r] != layers[r]) {
          return false;
        }
      }
      return true;
    }
  }

  AttentionPass(DeviceSession session, Workspace work, boolean fp64) {
    this.session = session;
    this.work = work;
    this.fp64 = fp64;
    this.numbers = new Numbers(fp64);
  }

  /** The family that computes a layer. */
  Family family(Layer layer) {
    if (layer.normalisation() == Normalisation.HARDMAX) {
      return Family.HARDMAX;
    }
    if (fp64) {
      return Family.PLAIN;
    }
    double strength = 0;
    boolean nearest = layer.geometry() == Geometry.SPHERE;
    for (Layer.LayerHead head : layer.heads()) {
      strength = Math.max(strength, Math.abs(layer.beta()) * norm(head.s()));
      nearest &= head.s() instanceof Weight.Scalar c && c.c() * layer.beta() >= 0;
    }
    if (layer.d() <= AttentionKernels.SMALL_DIMENSION) {
      // Scores are differences already; where the nearest key has the largest one, it is small.
      return nearest || strength <= LARGEST_SCORE ? Family.PLAIN : Family.CAREFUL;
    }
    // Positions off the sphere have no scale of their own, and rescaled fields are differences.
    return layer.geometry() == Geometry.RESCALED || strength > LARGEST_PRODUCT
        ? Family.CAREFUL
        : Family.PLAIN;
  }

  /** A bound of the spectral norm: geometric mean of the largest row and column sums. */
  private static double norm(Weight w) {
    if (w instanceof Weight.Scalar s) {
      return Math.abs(s.c());
    }
    double[] m = w.dense();
    int d = w.columns();
    double[] column = new double[d];
    double largestRow = 0;
    double largestColumn = 0;
    for (int i = 0; i < w.rows(); i++) {
      double row = 0;
      for (int j = 0; j < d; j++) {
        double a = Math.abs(m[i * d + j]);
        row += a;
        column[j] += a;
      }
      largestRow = Math.max(largestRow, row);
    }
    for (double c : column) {
      largestColumn = Math.max(largestColumn, c);
    }
    return Math.sqrt(largestRow * largestColumn);
  }

  List<MemoryPlan.Item> buffers(Shape shape, List<Layer> layers) {
    List<MemoryPlan.Item> items = new ArrayList<>();
    if (!small(shape)) {
      items.add(new MemoryPlan.Item("packed keys", 1, keyNumbers(shape) * numbers.bytes()));
      items.add(new MemoryPlan.Item("packed values", 1, valueNumbers(shape) * numbers.bytes()));
    }
    long matrices =
        LayerTables.matrixNumbers(layers, AttentionKernels.packWidth(fp64)) * numbers.bytes();
    if (matrices > 0) {
      items.add(new MemoryPlan.Item("weight matrices", 1, matrices));
    }
    items.add(new MemoryPlan.Item("range reports", 1, 8 * units(shape, shape.replicas())));
    return items;
  }

  private long groups(Shape s) {
    int width = AttentionKernels.packWidth(fp64);
    return (s.n() + width - 1) / width;
  }

  private long keyNumbers(Shape s) {
    return s.replicas() * groups(s) * AttentionKernels.packWidth(fp64) * s.d();
  }

  private long valueNumbers(Shape s) {
    return s.replicas()
        * groups(s)
        * AttentionKernels.packWidth(fp64)
        * AttentionKernels.paddedDimension(fp64, s.d());
  }

  /** Which kernels this device gets. */
  String settings() {
    return staged() ? "work-groups" : "row blocks";
  }

  private static boolean small(Shape s) {
    return s.d() <= AttentionKernels.SMALL_DIMENSION;
  }

  private boolean staged() {
    return !session.device().cpu();
  }

  private int rows(Shape s) {
    return small(s)
        ? AttentionKernels.smallRows(fp64, staged())
        : AttentionKernels.blockRows(fp64, s.d());
  }

  private long units(Shape s, int slots) {
    return slots * (((long) s.n() + rows(s) - 1) / rows(s));
  }

  FieldReport run(
      ClState x, Layer[] layers, boolean[] active, ClField out, Operation operation) {
    Map<Family, List<Integer>> members = new EnumMap<>(Family.class);
    for (int r = 0; r < layers.length; r++) {
      if (active[r]) {
        members.computeIfAbsent(family(layers[r]), f -> new ArrayList<>()).add(r);
      }
    }
    FieldReport report = FieldReport.CLEAN;
    for (Map.Entry<Family, List<Integer>> e : members.entrySet()) {
      int[] slots = e.getValue().stream().mapToInt(Integer::intValue).toArray();
      report = report.and(launch(x, layers, slots, out, operation, e.getKey()));
    }
    return report;
  }

  private FieldReport launch(
      ClState x, Layer[] layers, int[] slots, ClField out, Operation operation, Family family) {
    Shape s = x.shape();
    LayerTables tables = load(layers, slots, family);
    long units = units(s, slots.length);
    DeviceBuffer ranges = work.buffer("range reports " + family, 8 * units);
    DeviceBuffer plan = work.buffer("plan " + family, 8L * tables.plan().length);
    Call call = small(s) ? startSmall(x, family) : startBlocks(x, slots.length, tables, plan, family);
    call.buffer(out.values())
        .buffer(ranges)
        .buffer(plan)
        .buffer(work.buffer("scale " + family, (long) numbers.bytes() * tables.scale().length))
        .buffer(matrices(tables.matrixNumbers(), family))
        .int32(tables.planStride())
        .int32(tables.scaleStride())
        .int32(s.n())
        .int32(operation == Operation.VELOCITY ? 1 : 0)
        .over(units, grid(s), work(s, layers[slots[0]]));
    return report(ranges, units, s, slots);
  }

  private Grid grid(Shape s) {
    return Grid.groups(small(s) && staged() ? AttentionKernels.STAGED_ROWS : 1);
  }

  private Call startSmall(ClState x, Family family) {
    boolean mixed = x.corrections() != null;
    return session
        .kernel(
            AttentionKernels.attendSmall(
                fp64,
                x.shape().d(),
                mixed,
                family == Family.CAREFUL,
                family == Family.HARDMAX,
                staged()))
        .call()
        .buffer(x.values())
        .buffer(mixed ? x.corrections() : x.values());
  }

  private Call startBlocks(
      ClState x, int slots, LayerTables tables, DeviceBuffer plan, Family family) {
    Shape s = x.shape();
    DeviceBuffer keys = work.buffer("packed keys", keyNumbers(s) * numbers.bytes());
    DeviceBuffer values = work.buffer("packed values", valueNumbers(s) * numbers.bytes());
    session
        .kernel(AttentionKernels.pack(fp64, s.d(), true))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(values)
        .buffer(plan)
        .int32(tables.planStride())
        .int32(s.n())
        .over(slots * groups(s), Grid.items(1), 32.0 * s.d());
    return session
        .kernel(
            AttentionKernels.attendBlocks(
                fp64, s.d(), family != Family.PLAIN, family == Family.HARDMAX))
        .call()
        .buffer(x.values())
        .buffer(keys)
        .buffer(values);
  }

  private double work(Shape s, Layer layer) {
    double keys = layer.mask().causal() ? (s.n() + 1) / 2.0 : s.n();
    if (layer.mask().window() > 0) {
      keys = Math.min(keys, 2.0 * layer.mask().window());
    }
    return layer.heads().size() * (keys + s.d()) * (2.0 * s.d() + 20) * rows(s);
  }

  private LayerTables load(Layer[] layers, int[] slots, Family family) {
    Loaded known = loaded.get(family);
    if (known != null && known.holds(layers, slots)) {
      return known.tables();
    }
    loaded.remove(family);
    LayerTables tables = LayerTables.of(layers, slots, fp64);
    work.buffer("plan " + family, 8L * tables.plan().length)
        .write(0, tables.plan(), 0, tables.plan().length);
    numbers.write(
        work.buffer("scale " + family, (long) numbers.bytes() * tables.scale().length),
        0,
        tables.scale());
    DeviceBuffer matrices = matrices(tables.matrixNumbers(), family);
    long at = 0;
    for (double[] m : tables.matrices()) {
      numbers.write(matrices, at, m);
      at += m.length;
    }
    LayerTables kept = tables.withoutMatrices();
    loaded.put(family, new Loaded(layers.clone(), kept));
    return kept;
  }

  private DeviceBuffer matrices(long total, Family family) {
    return work.buffer("weight matrices " + family, total * numbers.bytes());
  }

  private FieldReport report(DeviceBuffer small, long units, Shape s, int[] slots) {
    int[] found = new int[Math.toIntExact(2 * units)];
    small.read(0, found, 0, found.length);
    long blocks = units / slots.length;
    long count = 0;
    long first = -1;
    for (int u = 0; u < units; u++) {
      count += found[2 * u];
      if (found[2 * u] > 0) {
        long token = (long) slots[(int) (u / blocks)] * s.n() + found[2 * u + 1];
        first = first < 0 ? token : Math.min(first, token);
      }
    }
    return new FieldReport(0, -1, count, first);
  }
}
