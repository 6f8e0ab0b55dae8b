package org.starling.opencl.attention;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.kernels.AttentionKernels;

/**
 * Layers as the kernels read them; the layout is that of plan.cl. One slot per replica that takes
 * part.
 *
 * @param slots replica of each slot
 * @param plan {@code [slots][planStride]}
 * @param scale {@code [slots][scaleStride]}
 * @param matrixNumbers numbers in all dense matrices
 * @param matrices dense matrices, each {@code [DP / packWidth][d][packWidth]}, in order
 */
record LayerTables(
    int[] slots,
    int planStride,
    int scaleStride,
    long[] plan,
    double[] scale,
    long matrixNumbers,
    List<double[]> matrices) {
  private static final int PLAN_HEAD = 8;
  private static final int PLAN_PER_HEAD = 4;
  private static final int SCALE_HEAD = 2;
  private static final int SCALE_PER_HEAD = 3;
  private static final double LOG2_E = 1 / Math.log(2);

  /**
   * @param layers layer of each replica
   * @param slots replicas that take part
   * @param fp64 working precision
   * @param packWidth rows of a dense matrix that lie side by side
   */
  static LayerTables of(Layer[] layers, int[] slots, boolean fp64, int packWidth) {
    int heads = 1;
    for (int r : slots) {
      heads = Math.max(heads, layers[r].heads().size());
    }
    int planStride = PLAN_HEAD + PLAN_PER_HEAD * heads;
    int scaleStride = SCALE_HEAD + SCALE_PER_HEAD * heads;
    long[] plan = new long[planStride * slots.length];
    double[] scale = new double[scaleStride * slots.length];
    Matrices matrices = new Matrices(fp64, packWidth);
    Map<Layer, Integer> known = new IdentityHashMap<>();
    for (int slot = 0; slot < slots.length; slot++) {
      Layer layer = layers[slots[slot]];
      Integer same = known.putIfAbsent(layer, slot);
      if (same != null) {
        System.arraycopy(plan, same * planStride, plan, slot * planStride, planStride);
        System.arraycopy(scale, same * scaleStride, scale, slot * scaleStride, scaleStride);
      } else {
        describe(layer, plan, slot * planStride, scale, slot * scaleStride, matrices);
      }
      plan[slot * planStride] = slots[slot];
    }
    return new LayerTables(
        slots, planStride, scaleStride, plan, scale, matrices.numbers, matrices.packed);
  }

  /** Whether a slot has head h, with a value matrix that is not c I. */
  boolean denseValue(int slot, int h) {
    int at = slot * planStride;
    return h < plan[at + 6] && plan[at + PLAN_HEAD + PLAN_PER_HEAD * h + 2] != 0;
  }

  /** The same without the host's copy of the matrices. */
  LayerTables withoutMatrices() {
    return new LayerTables(slots, planStride, scaleStride, plan, scale, matrixNumbers, List.of());
  }

  /** Numbers in all dense matrices of these layers, each layer object counted once. */
  static long matrixNumbers(List<Layer> layers, int packWidth) {
    long numbers = 0;
    Map<Layer, Boolean> known = new IdentityHashMap<>();
    for (Layer layer : layers) {
      if (known.put(layer, true) == null) {
        long d = layer.d();
        long each = d * ((d + packWidth - 1) / packWidth * packWidth);
        for (Layer.LayerHead head : layer.heads()) {
          long copies = d <= AttentionKernels.SMALL_DIMENSION ? 2 : 1;
          numbers += each * ((isScalar(head.s()) ? 0 : copies) + (isScalar(head.v()) ? 0 : 1));
        }
      }
    }
    return numbers;
  }

  private static void describe(
      Layer layer, long[] plan, int p, double[] scale, int q, Matrices matrices) {
    plan[p + 1] = layer.mask().window();
    plan[p + 2] = layer.mask().causal() ? 1 : 0;
    plan[p + 3] = layer.mask().prefix();
    plan[p + 4] = form(layer.geometry());
    plan[p + 5] = layer.normalisation() == Normalisation.UNNORMALISED ? 1 : 0;
    plan[p + 6] = layer.heads().size();
    plan[p + 7] = layer.mask().first();
    scale[q] = layer.mask().alibi() * LOG2_E;
    double beta = layer.beta() * LOG2_E;
    scale[q + 1] = beta;
    for (int h = 0; h < layer.heads().size(); h++) {
      Layer.LayerHead head = layer.heads().get(h);
      int ph = p + PLAN_HEAD + PLAN_PER_HEAD * h;
      int qh = q + SCALE_HEAD + SCALE_PER_HEAD * h;
      if (isScalar(head.s())) {
        scale[qh] = beta * scalar(head.s());
        scale[qh + 1] = matrices.remainder(scale[qh]);
      } else {
        plan[ph] = 1;
        plan[ph + 1] = matrices.addWithRemainder(head.s().scaled(beta));
        scale[qh] = 1;
      }
      if (isScalar(head.v())) {
        scale[qh + 2] = scalar(head.v());
      } else {
        plan[ph + 2] = 1;
        plan[ph + 3] = matrices.add(head.v().transposed().dense(), layer.d());
        scale[qh + 2] = 1;
      }
    }
  }

  private static int form(Geometry geometry) {
    return switch (geometry) {
      case EUCLIDEAN -> 0;
      case SPHERE -> 1;
      case RESCALED -> 2;
    };
  }

  /** True for c I in whatever form it is written; its projected self term is exactly 0. */
  static boolean isScalar(Weight w) {
    if (w.isScalar()) {
      return true;
    }
    if (w instanceof Weight.Diagonal g) {
      for (double e : g.entries()) {
        if (e != g.entries()[0]) {
          return false;
        }
      }
      return true;
    }
    if (w instanceof Weight.Dense m) {
      double[] e = m.entries();
      for (int i = 0; i < m.rows(); i++) {
        for (int j = 0; j < m.columns(); j++) {
          if (e[i * m.columns() + j] != (i == j ? e[0] : 0)) {
            return false;
          }
        }
      }
      return true;
    }
    return false;
  }

  /** The c of c I. */
  static double scalar(Weight w) {
    if (w instanceof Weight.Scalar s) {
      return s.c();
    }
    return w instanceof Weight.Diagonal g ? g.entries()[0] : ((Weight.Dense) w).entries()[0];
  }

  /** Matrices packed one after the other. */
  private static final class Matrices {
    private final boolean fp64;
    private final int packWidth;
    private final List<double[]> packed = new ArrayList<>();
    private long numbers;

    Matrices(boolean fp64, int packWidth) {
      this.fp64 = fp64;
      this.packWidth = packWidth;
    }

    /** What rounding a number to the working precision leaves of it. */
    double remainder(double v) {
      return fp64 ? 0 : v - (float) v;
    }

    /** A matrix and, in few dimensions, what its rounding leaves; returns where it starts. */
    long addWithRemainder(Weight w) {
      double[] m = w.dense();
      long at = add(m, w.rows());
      if (w.rows() <= AttentionKernels.SMALL_DIMENSION) {
        add(Arrays.stream(m).map(this::remainder).toArray(), w.rows());
      }
      return at;
    }

    /** Packs a matrix {@code [d][d]} and returns where it starts. */
    long add(double[] m, int d) {
      int panels = (d + packWidth - 1) / packWidth;
      double[] p = new double[panels * packWidth * d];
      for (int k = 0; k < d; k++) {
        for (int c = 0; c < d; c++) {
          p[(c / packWidth * d + k) * packWidth + c % packWidth] = m[k * d + c];
        }
      }
      long at = numbers;
      packed.add(p);
      numbers += p.length;
      return at;
    }
  }
}
