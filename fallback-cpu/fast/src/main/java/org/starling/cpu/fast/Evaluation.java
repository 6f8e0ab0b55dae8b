package org.starling.cpu.fast;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.starling.core.engine.FieldReport;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;

/** One attention pass of one replica: queries, kernels per head, epilogue. */
final class Evaluation {
  /**
   * Scores of unit tokens beyond this lose digits that count to float32. Judged by the layer alone:
   * a choice by the data would make a causal row depend on later tokens.
   */
  private static final double LARGE_SCORE = 100;

  /** Differences are formed up to this dimension; split sums above. */
  static final int DIFFERENCES_TO_D = 8;

  private final Precision precision;
  private final Strips strips;
  private final Layer layer;
  private final int n;
  private final int d;

  /** Positions {@code [n][d]} as the kernels see them, in float64. */
  private final double[] x;

  /** Rows in a block. */
  private final int block;

  private final RowKernel[] kernels;

  Evaluation(Precision precision, Strips strips, Layer layer, FastState state, int replica) {
    this.precision = precision;
    this.strips = strips;
    this.layer = layer;
    this.n = state.shape.n();
    this.d = state.shape.d();
    int at = replica * n * d;
    boolean single = precision != Precision.DOUBLE;
    this.x = new double[n * d];
    for (int k = 0; k < x.length; k++) {
      // Mixed precision evaluates scores at the float32 value of the compensated state.
      x[k] = single ? (float) state.get(at + k) : state.get(at + k);
    }
    this.kernels = new RowKernel[layer.heads().size()];
    if (layer.interaction() != null) {
      block = RowKernel.BLOCK;
      for (int h = 0; h < kernels.length; h++) {
        kernels[h] = interaction(layer.heads().get(h));
      }
    } else if (layer.merged() != null) {
      block = RowKernel.BLOCK;
      for (int h = 0; h < kernels.length; h++) {
        double[] y = times(layer.heads().get(h).s().transposed(), layer.beta());
        kernels[h] = new MergedKernel(x, n, d, y, layer.mask(), layer.merged());
      }
    } else if (layer.keyed()) {
      block = RowKernel.BLOCK;
      for (int h = 0; h < kernels.length; h++) {
        double[] y = times(layer.heads().get(h).s().transposed(), layer.beta());
        kernels[h] = new KeyedKernel(x, n, d, y, layer, h);
      }
    } else if (single && !needsDouble(layer, d)) {
      block = strips.width(n, true);
      TokensSingle tokens = TokensSingle.of(x, n, d);
      for (int h = 0; h < kernels.length; h++) {
        kernels[h] = single(tokens, layer.heads().get(h));
      }
    } else {
      block = strips.width(n, false);
      TokensDouble tokens = TokensDouble.of(x, n, d);
      for (int h = 0; h < kernels.length; h++) {
        kernels[h] = full(tokens, layer.heads().get(h));
      }
    }
  }

  /**
   * Whether differences are formed in float64 even for float32 states: where scores may be so large
   * that float32 cannot hold them to the digits that count, and for hardmax, which must tell ties.
   */
  private static boolean needsDouble(Layer layer, int d) {
    return d <= DIFFERENCES_TO_D
        && (layer.normalisation() == Normalisation.HARDMAX
            || layer.heads().stream().anyMatch(h -> largeScores(layer, h)));
  }

  private static boolean largeScores(Layer layer, Layer.LayerHead head) {
    return Math.abs(layer.beta()) * head.s().rowSumNorm() > LARGE_SCORE;
  }

  private RowKernel single(TokensSingle tokens, Layer.LayerHead head) {
    float[] y = toSingle(times(head.s().transposed(), layer.beta()));
    Form form =
        d <= DIFFERENCES_TO_D
            ? Form.DIFFERENCES
            : largeScores(layer, head) ? Form.RELATIVE : Form.SPLIT;
    return kernel(() -> strips.strip(tokens, y, form, block), form, i -> tokens.selfScore(y, i));
  }

  private RowKernel full(TokensDouble tokens, Layer.LayerHead head) {
    double[] y = times(head.s().transposed(), layer.beta());
    Form form = d <= DIFFERENCES_TO_D ? Form.DIFFERENCES : Form.SPLIT;
    return kernel(() -> strips.strip(tokens, y, form, block), form, i -> tokens.selfScore(y, i));
  }

  private RowKernel kernel(Supplier<Strip> strip, Form form, IntToDoubleFunction self) {
    boolean hardmax = layer.normalisation() == Normalisation.HARDMAX;
    return new StripKernel(strip, form, self, n, layer.mask(), hardmax);
  }

  private RowKernel interaction(Layer.LayerHead head) {
    double[] q = times(head.q(), 1);
    double[] k = times(head.k(), 1);
    int m = head.q().rows();
    return new InteractionKernel(x, n, d, q, k, m, layer.mask(), layer.interaction(), layer.beta());
  }

  /** The field of every row into {@code out} from {@code replica * n * d}. */
  FieldReport run(boolean raw, FastState out, int replica) {
    Count dead = new Count();
    Count below = new Count();
    double[][] transposedV = RowEpilogue.transposedValues(layer);
    Rows.forEachBlock(n, block, () -> rows(raw, out, replica, transposedV, dead, below));
    return new FieldReport(dead.count(), dead.first(), below.count(), below.first());
  }

  /** What one thread does with a block of rows, with the memory it needs. */
  private Rows.Block rows(
      boolean raw, FastState out, int replica, double[][] transposedV, Count dead, Count below) {
    double smallest =
        precision == Precision.DOUBLE ? FieldReport.SMALLEST_DOUBLE : FieldReport.SMALLEST_SINGLE;
    int heads = kernels.length;
    RowKernel.Worker[] workers = new RowKernel.Worker[heads];
    RowSums[][] sums = new RowSums[heads][block];
    for (int h = 0; h < heads; h++) {
      workers[h] = kernels[h].worker();
      Arrays.setAll(sums[h], r -> new RowSums(d));
    }
    // Under the full mask a group's tokens share place and field.
    MergedKeys shared = layer.mask().full() ? layer.merged() : null;
    RowEpilogue epilogue = new RowEpilogue(layer, raw, smallest, transposedV);
    double[] field = new double[d];
    return (from, to) -> {
      for (int h = 0; h < heads; h++) {
        for (int r = 0; r < to - from; r++) {
          sums[h][r].reset();
        }
        workers[h].sum(from, to, sums[h]);
      }
      for (int i = from; i < to; i++) {
        if (shared != null && shared.leader(i) != i) {
          continue;
        }
        if (layer.frozen(i)) {
          Arrays.fill(field, 0);
          leave((long) replica * n + i, field, false, true, out, dead, below);
          continue;
        }
        epilogue.begin();
        boolean live = true;
        for (int h = 0; h < heads; h++) {
          live &= epilogue.addHead(h, sums[h][i - from], i, x, i * d);
        }
        boolean small = epilogue.finish(field);
        long first = (long) replica * n;
        if (shared == null) {
          leave(first + i, field, small, live, out, dead, below);
          continue;
        }
        for (int token : shared.membersOf(i)) {
          leave(first + token, field, small, live, out, dead, below);
        }
      }
    };
  }

  /** Writes the field of token {@code index}, counted over all replicas, and counts the token. */
  private void leave(
      long index,
      double[] field,
      boolean small,
      boolean live,
      FastState out,
      Count dead,
      Count below) {
    if (small) {
      below.add(index);
    }
    if (!live) {
      dead.add(index);
    }
    int at = (int) index * d;
    for (int c = 0; c < d; c++) {
      out.set(at + c, field[c]);
    }
  }

  /** factor W x_i for all tokens, {@code [n][rows]}. */
  private double[] times(Weight w, double factor) {
    return TokenProducts.of(w, factor, x, n, d);
  }

  private static float[] toSingle(double[] a) {
    float[] f = new float[a.length];
    for (int k = 0; k < f.length; k++) {
      f[k] = (float) a[k];
    }
    return f;
  }

  /** A count with the lowest index counted, whatever the order of threads. */
  private static final class Count {
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);

    void add(long index) {
      count.incrementAndGet();
      first.accumulateAndGet(index, Math::min);
    }

    long count() {
      return count.get();
    }

    long first() {
      return count.get() == 0 ? -1 : first.get();
    }
  }
}
