package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Storage;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.kernels.AttentionKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Attention outputs and velocities: sorts replicas by kernel family and launches each. */
final class AttentionPass {
  /** Value of the kernels' {@code op} argument. */
  enum Operation {
    ATTEND,
    VELOCITY
  }

  /** One way to compute a family of layers. */
  interface Launch {
    /** Rows of a unit, of which the launch reports tokens below range. */
    int rowsPerUnit(Shape s);

    /** Rows of a dense matrix that lie side by side, see {@link LayerTables}. */
    int packWidth(Shape s);

    List<MemoryPlan.Item> buffers(Shape s);

    /**
     * Computes the field of the slots.
     *
     * @param ranges see {@link RangeReports}
     */
    void launch(
        ClState x,
        LoadedLayers layers,
        Family family,
        ClField out,
        DeviceBuffer ranges,
        Operation operation);
  }

  private final Workspace work;
  private final Numbers numbers;
  private final boolean staged;
  private final Launch small;
  private final Launch large;
  private final SeriesLaunch circle;
  private final SeriesLaunch sphere;
  private final SumChoice sums;
  private final Launch merged;
  private final Launch keyed;
  private final FrozenRows frozen;
  private final RangeReports reports;

  /** Null where keys and values have the working precision. */
  private final HalfCounts halfCounts;

  private final Map<Family, LoadedLayers> loaded = new EnumMap<>(Family.class);

  AttentionPass(
      DeviceSession session,
      Workspace work,
      Precision precision,
      TileChoice tiles,
      SumChoice sums,
      Storage storage) {
    Numbers numbers = new Numbers(precision == Precision.DOUBLE);
    this.sums = sums;
    this.circle = new CircleLaunch(session, work, precision, sums);
    this.sphere = new SphereLaunch(session, work, precision, sums);
    this.work = work;
    this.numbers = numbers;
    this.staged = !session.device().cpu();
    this.reports = new RangeReports(work);
    this.frozen = new FrozenRows(session, work, numbers);
    this.small = SmallLaunch.on(session, numbers);
    this.merged = new MergedLaunch(session, work, numbers);
    this.keyed = new KeyedLaunch(session, work, numbers);
    this.halfCounts = storage == Storage.HALF ? new HalfCounts(work) : null;
    if (halfCounts != null) {
      this.large = new HalfLaunch(session, work, tiles.blocks(), halfCounts);
    } else {
      this.large =
          staged
              ? new TileLaunch(session, work, numbers, tiles.groups())
              : new BlockLaunch(session, work, numbers, tiles.blocks());
    }
  }

  /**
   * @throws EngineException of kind REQUEST if keys and values are to be kept in 16 bits and this
   *     layer's are not, or a sink would leave no room for the others' weights
   */
  void check(Shape shape, Layer layer) {
    String reason = halfCounts == null ? null : HalfLaunch.refusal(shape, layer);
    if (reason != null) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "no half storage here: " + reason + "; leave execution.storage out");
    }
    reason = KeyedLaunch.refusal(layer, numbers.fp64());
    if (reason != null) {
      throw new EngineException(EngineException.Kind.REQUEST, reason);
    }
  }

  FieldReport takeReport() {
    FieldReport report = reports.take();
    return halfCounts == null ? report : report.and(halfCounts.take());
  }

  void dropReport() {
    reports.drop();
    if (halfCounts != null) {
      halfCounts.drop();
    }
  }

  /** What decides the bits of sums by a series. */
  Map<String, String> seriesSettings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("circle", circle.settings());
    settings.put("sphere", sphere.settings());
    return settings;
  }

  /** How the sums over keys of all evaluations so far were formed. */
  SummationReport summation() {
    return circle.report().and(sphere.report());
  }

  private SeriesLaunch series(Shape s) {
    return s.d() == 2 ? circle : sphere;
  }

  RangeReports reports() {
    return reports;
  }

  /** Which kernels this device gets. */
  String settings() {
    return staged ? "work-groups, sizes untested" : "row blocks";
  }

  List<MemoryPlan.Item> buffers(Shape shape, List<Layer> layers) {
    List<MemoryPlan.Item> items = new ArrayList<>(by(Family.PLAIN, shape).buffers(shape));
    if (layers.stream().anyMatch(layer -> layer.merged() != null)) {
      items.addAll(merged.buffers(shape));
    }
    items.addAll(frozen.buffers(shape, layers));
    if (layers.stream().anyMatch(Layer::keyed)) {
      items.addAll(keyed.buffers(shape));
    }
    long matrices =
        LayerTables.matrixNumbers(layers, by(Family.PLAIN, shape).packWidth(shape))
            * numbers.bytes();
    if (matrices > 0) {
      items.add(new MemoryPlan.Item("weight matrices", 1, matrices));
    }
    List<Layer> expanded = layers.stream().filter(l -> sums.expands(shape, l)).toList();
    if (!expanded.isEmpty()) {
      items.addAll(series(shape).buffers(shape, expanded));
    }
    items.add(
        new MemoryPlan.Item(
            "range reports", 1, RangeReports.bytes(shape, rows(Family.PLAIN, shape))));
    return items;
  }

  private Launch by(Family family, Shape s) {
    if (family == Family.MERGED) {
      return merged;
    }
    if (family == Family.KEYED) {
      return keyed;
    }
    return s.d() <= AttentionKernels.SMALL_DIMENSION ? small : large;
  }

  private int rows(Family family, Shape s) {
    return by(family, s).rowsPerUnit(s);
  }

  void run(ClState x, Layer[] layers, boolean[] active, ClField out, Operation operation) {
    Map<Family, List<Integer>> members = new EnumMap<>(Family.class);
    for (int r = 0; r < layers.length; r++) {
      if (active[r]) {
        check(x.shape(), layers[r]);
        Family family = sums.expands(x.shape(), layers[r]) ? Family.SERIES : family(layers[r], r);
        members.computeIfAbsent(family, f -> new ArrayList<>()).add(r);
      }
    }
    List<Integer> expanded = members.remove(Family.SERIES);
    if (expanded != null) {
      for (int r : series(x, layers, slots(expanded), out, operation)) {
        members.computeIfAbsent(family(layers[r], r), f -> new ArrayList<>()).add(r);
      }
    }
    for (Map.Entry<Family, List<Integer>> e : members.entrySet()) {
      launch(x, layers, slots(e.getValue()), out, operation, e.getKey());
    }
    frozen.clear(x.shape(), layers, active, out);
  }

  private static int[] slots(List<Integer> replicas) {
    return replicas.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  /** Returns the replicas that the series leaves to the pairs. */
  private int[] series(
      ClState x, Layer[] layers, int[] replicas, ClField out, Operation operation) {
    SeriesLaunch series = series(x.shape());
    DeviceBuffer ranges = reports.counts(Family.SERIES, x.shape(), series.rowsPerUnit());
    return series.launch(x, layers, replicas, out, ranges, operation);
  }

  /** The family of a layer; asked of the layers at hand first, for a large matrix takes a while. */
  private Family family(Layer layer, int replica) {
    for (Map.Entry<Family, LoadedLayers> e : loaded.entrySet()) {
      if (e.getValue().holds(layer, replica)) {
        return e.getKey();
      }
    }
    return Family.of(layer, numbers.fp64());
  }

  private void launch(
      ClState x, Layer[] layers, int[] slots, ClField out, Operation operation, Family family) {
    LoadedLayers onDevice = loaded.get(family);
    if (onDevice == null || !onDevice.holds(layers, slots)) {
      loaded.remove(family);
      onDevice =
          LoadedLayers.upload(
              layers,
              slots,
              work,
              numbers,
              by(family, x.shape()).packWidth(x.shape()),
              family.name());
      loaded.put(family, onDevice);
    }
    DeviceBuffer ranges = reports.counts(family, x.shape(), rows(family, x.shape()));
    by(family, x.shape()).launch(x, onDevice, family, out, ranges, operation);
  }

  /** Multiply-adds of one row of a layer. */
  static double workPerRow(Shape s, Layer layer) {
    double keys = layer.mask().causal() ? (s.n() + 1) / 2.0 : s.n();
    if (layer.mask().window() > 0) {
      keys = Math.min(keys, 2.0 * layer.mask().window());
    }
    return layer.heads().size() * (keys + s.d()) * (2.0 * s.d() + 20);
  }
}
