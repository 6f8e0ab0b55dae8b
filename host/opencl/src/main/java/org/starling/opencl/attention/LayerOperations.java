package org.starling.opencl.attention;

import java.util.List;
import java.util.Map;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Observations;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.SummationReport;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Layer;
import org.starling.opencl.ClField;
import org.starling.opencl.ClState;

/**
 * What the engine asks of the kernels that visit pairs of tokens; the meaning of each operation is
 * that of {@link org.starling.core.engine.Engine} and {@link Observations}. The engine has checked
 * that states and fields are its own and of one shape, and turns driver failures into its own
 * errors.
 */
public interface LayerOperations extends AutoCloseable {
  /**
   * Refuses layers that no kernel computes (the user's interaction is refused by the engine).
   *
   * @throws org.starling.core.engine.EngineException of kind REQUEST with the reason
   */
  void check(Shape shape, List<Layer> layers);

  /**
   * Buffers that one evaluation of these layers uses at once, packed operands included.
   *
   * @param observed whether observables over pairs of tokens are asked for too
   */
  List<MemoryPlan.Item> buffers(Shape shape, List<Layer> layers, boolean observed);

  /** Tile sizes and other choices that decide the bits, for the identity. */
  Map<String, String> settings();

  void attend(ClState x, Layer[] layers, boolean[] active, ClField u);

  void velocity(ClState x, Layer[] layers, boolean[] active, ClField v);

  /** Whether the sums over keys of such a layer are formed by a series. */
  boolean expands(Shape shape, Layer layer);

  /** How the sums over keys were formed so far. */
  SummationReport summation();

  FieldReport takeReport();

  void dropReport();

  /** Whether whole steps are made of these; see {@link WholeSteps}, as for what follows. */
  boolean makesSteps(RungeKutta scheme, Shape shape, List<Layer> layers);

  WholeSteps.Progress advance(
      RungeKutta scheme,
      ClState x,
      ClState previous,
      Layer[] layers,
      double[] size,
      int[] most,
      WholeSteps.Watching watching);

  WholeSteps.Attempts adapt(
      RungeKutta scheme,
      StepLaw law,
      ClState x,
      ClState end,
      ClField[] slopes,
      Layer[] layers,
      WholeSteps.Clocks clocks,
      WholeSteps.Limits limits,
      WholeSteps.Watching watching);

  double[] sideStep(
      RungeKutta scheme, StepLaw law, ClState x, ClState out, Layer[] layers, double[] size);

  void slope(RungeKutta scheme, ClState x, Layer[] layers, boolean[] active, ClField out);

  double[] energy(ClState x, Layer[] layers);

  Observations.PairStatistics[] innerProducts(ClState x, int bins);

  Observations.Clusters[] clusters(ClState x, Observations.Linkage linkage, double threshold);

  double[] attentionEntropy(ClState x, Layer[] layers);

  double[][] attentionRows(ClState x, Layer layer, int head, int replica, int[] rows);

  /** Gives work buffers back; the session goes on. */
  @Override
  void close();
}
