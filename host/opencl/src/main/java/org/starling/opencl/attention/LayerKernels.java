package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Observations;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.Storage;
import org.starling.core.engine.Summation;
import org.starling.core.engine.SummationReport;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.kernels.AttentionKernels;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;
import org.starling.opencl.cl.DeviceBuffer;
import org.starling.opencl.cl.DeviceSession;

/** Attention and pair observables of one device session in one precision. */
public final class LayerKernels implements LayerOperations {
  private final Workspace work;
  private final TileChoice tiles;
  private final SumChoice sums;
  private final AttentionPass attention;
  private final PairPass pairs;
  private final StepChoice steps;
  private final ReplicaPass replicas;
  private final ReplicaAttempts attempts;
  private final boolean fp64;
  private final boolean half;

  /**
   * @param pinned settings of an earlier identity; its {@link TileChoice#SETTING} and {@link
   *     StepChoice#SETTING} are used, and otherwise the defaults of the device's kind
   * @param summation how sums over keys are to be formed
   * @param storage how keys and values are to be kept
   * @throws EngineException of kind REQUEST if the setting cannot be read or is not for this kind
   *     of device
   */
  public LayerKernels(
      DeviceSession session,
      Precision precision,
      Map<String, String> pinned,
      Summation summation,
      Storage storage) {
    this.fp64 = precision == Precision.DOUBLE;
    this.work = new Workspace(session);
    this.tiles = TileChoice.of(session.device(), fp64, pinned);
    this.sums = new SumChoice(summation, session.device(), precision);
    this.attention = new AttentionPass(session, work, precision, tiles, sums, storage);
    this.half = storage == Storage.HALF;
    this.pairs = new PairPass(session, work, fp64);
    this.steps = StepChoice.of(pinned);
    this.replicas =
        new ReplicaPass(
            session, work, new Numbers(fp64), precision == Precision.MIXED, steps, tiles.blocks());
    this.attempts = new ReplicaAttempts(replicas);
  }

  @Override
  public void check(Shape shape, List<Layer> layers) {
    for (Layer layer : layers) {
      if (layer.d() != shape.d()) {
        throw new EngineException(
            EngineException.Kind.REQUEST,
            "the weights act on d = "
                + layer.d()
                + " but the tokens have d = "
                + shape.d()
                + "; give matrices of that size");
      }
      attention.check(shape, layer);
      sums.expands(shape, layer);
    }
    if (!tiles.holds(fp64, shape.d(), half)) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          "d = "
              + shape.d()
              + " is more than the private memory of this device's kernels holds; use smaller d, or"
              + " --device java");
    }
  }

  @Override
  public List<MemoryPlan.Item> buffers(Shape shape, List<Layer> layers, boolean observed) {
    List<MemoryPlan.Item> items = new ArrayList<>(attention.buffers(shape, layers));
    if (observed) {
      items.addAll(pairs.buffers(shape));
    }
    if (observed && half) {
      // Otherwise in the buffer of the attention's own.
      items.add(new MemoryPlan.Item("packed keys of observables", 1, pairs.keyBytes(shape)));
    }
    items.addAll(replicas.buffers(shape, layers));
    return items;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("panel", Integer.toString(AttentionKernels.PANEL));
    settings.put("chunk", Integer.toString(AttentionKernels.CHUNK));
    settings.put("attention", attention.settings());
    settings.put(TileChoice.SETTING, tiles.text());
    settings.put(StepChoice.SETTING, steps.text());
    settings.put(SumChoice.SETTING, sums.settings());
    settings.putAll(attention.seriesSettings());
    settings.put("storage", half ? "half" : "full");
    return settings;
  }

  @Override
  public void attend(ClState x, Layer[] layers, boolean[] active, ClField u) {
    attention.run(x, layers, active, u, AttentionPass.Operation.ATTEND);
  }

  @Override
  public void velocity(ClState x, Layer[] layers, boolean[] active, ClField v) {
    attention.run(x, layers, active, v, AttentionPass.Operation.VELOCITY);
  }

  @Override
  public boolean expands(Shape shape, Layer layer) {
    return sums.expands(shape, layer);
  }

  @Override
  public SummationReport summation() {
    return attention.summation();
  }

  @Override
  public FieldReport takeReport() {
    return attention.takeReport();
  }

  @Override
  public void dropReport() {
    attention.dropReport();
  }

  @Override
  public boolean makesSteps(RungeKutta scheme, Shape shape, List<Layer> layers) {
    // Whole steps sum pair by pair.
    return !half
        && layers.stream().noneMatch(l -> sums.expands(shape, l))
        && replicas.accepts(scheme, shape, layers);
  }

  @Override
  public WholeSteps.Progress advance(
      RungeKutta scheme,
      ClState x,
      ClState previous,
      Layer[] layers,
      double[] size,
      int[] most,
      WholeSteps.Watching watching) {
    return replicas.advance(scheme, x, previous, layers, size, most, watching);
  }

  @Override
  public WholeSteps.Attempts adapt(
      RungeKutta scheme,
      StepLaw law,
      ClState x,
      ClState end,
      ClField[] slopes,
      Layer[] layers,
      WholeSteps.Clocks clocks,
      WholeSteps.Limits limits,
      WholeSteps.Watching watching) {
    DeviceBuffer[] fields = Arrays.stream(slopes).map(ClField::values).toArray(DeviceBuffer[]::new);
    return attempts.adapt(scheme, law, x, end, fields, layers, clocks, limits, watching);
  }

  @Override
  public double[] sideStep(
      RungeKutta scheme, StepLaw law, ClState x, ClState out, Layer[] layers, double[] size) {
    return attempts.sideStep(scheme, law, x, out, layers, size);
  }

  @Override
  public void slope(RungeKutta scheme, ClState x, Layer[] layers, boolean[] active, ClField out) {
    attention
        .reports()
        .add(
            scheme.adaptive()
                ? attempts.slope(scheme, x, layers, active, out.values())
                : replicas.slope(scheme, x, layers, active, out.values()));
  }

  @Override
  public double[] energy(ClState x, Layer[] layers) {
    return pairs.energy(x, layers);
  }

  @Override
  public Observations.PairStatistics[] innerProducts(ClState x, int bins) {
    return pairs.innerProducts(x, bins);
  }

  @Override
  public Observations.Clusters[] clusters(
      ClState x, Observations.Linkage linkage, double threshold) {
    return pairs.clusters(x, linkage, threshold);
  }

  @Override
  public double[] attentionEntropy(ClState x, Layer[] layers) {
    return pairs.attentionEntropy(x, layers);
  }

  @Override
  public double[][] attentionRows(ClState x, Layer layer, int head, int replica, int[] rows) {
    return pairs.attentionRows(x, layer, head, replica, rows);
  }

  @Override
  public void close() {
    work.close();
  }
}
