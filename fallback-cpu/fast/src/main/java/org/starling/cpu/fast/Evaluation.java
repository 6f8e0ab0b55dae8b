package org.starling.cpu.fast;

import java.util.concurrent.atomic.AtomicLong;
import org.starling.core.engine.FieldReport;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;

/** One attention pass of one replica: queries, kernels per head, epilogue. */
final class Evaluation {
  /**
   * Scores of unit tokens beyond this lose digits that count to float32. Judged by the layer alone:
   * a choice by the data would make a causal row depend on later tokens.
   */
  private static final double LARGE_SCORE = 100;

  private final Precision precision;
  private final Layer layer;
  private final int n;
  private final int d;

  /** Positions {@code [n][d]} as the kernels see them, in float64. */
  private final double[] x;

  private final RowKernel[] kernels;

  Evaluation(Precision precision, Layer layer, FastState state, int replica) {
    this.precision = precision;
    this.layer = layer;
    this.n = state.shape.n();
    this.d = state.shape.d();
    int at = replica * n * d;
    boolean single = precision != Precision.DOUBLE;
    float[] rounded = null;
    this.x = new double[n * d];
    for (int k = 0; k < x.length; k++) {
      // Mixed precision evaluates scores at the float32 value of the compensated state.
      x[k] = single ? (float) state.get(at + k) : state.get(at + k);
    }
    boolean split = layer.interaction() == null && d > DifferenceKernel.MAX_D;
    if (split && single) {
      rounded = new float[x.length];
      for (int k = 0; k < x.length; k++) {
        rounded[k] = (float) x[k];
      }
    }
    float[] panelsSingle = rounded != null ? Panels.pack(rounded, 0, n, d) : null;
    double[] panelsDouble = split && !single ? Panels.pack(x, 0, n, d) : null;
    double[][] byCoordinate = split || layer.interaction() != null ? null : transpose(x);
    this.kernels = new RowKernel[layer.heads().size()];
    for (int h = 0; h < kernels.length; h++) {
      Layer.LayerHead head = layer.heads().get(h);
      if (layer.interaction() != null) {
        int m = head.q().rows();
        kernels[h] =
            new InteractionKernel(
                x,
                n,
                d,
                times(head.q(), 1),
                times(head.k(), 1),
                m,
                layer.mask(),
                layer.interaction(),
                layer.beta());
      } else {
        double[] y = times(head.s().transposed(), layer.beta());
        if (!split) {
          kernels[h] = new DifferenceKernel(byCoordinate, n, transpose(y), layer.mask());
        } else if (single) {
          boolean relative = Math.abs(layer.beta()) * head.s().rowSumNorm() > LARGE_SCORE;
          kernels[h] =
              new SplitKernelSingle(
                  rounded, 0, n, d, panelsSingle, toSingle(y), layer.mask(), relative);
        } else {
          kernels[h] = new SplitKernelDouble(x, 0, n, d, panelsDouble, y, layer.mask());
        }
      }
    }
  }

  /** The field of every row into {@code out} from {@code replica * n * d}. */
  FieldReport run(boolean raw, FastState out, int replica) {
    double smallest =
        precision == Precision.DOUBLE ? FieldReport.SMALLEST_DOUBLE : FieldReport.SMALLEST_SINGLE;
    double[][] transposedV = RowEpilogue.transposedValues(layer);
    Count dead = new Count();
    Count below = new Count();
    Rows.forEachBlock(
        n,
        RowKernel.BLOCK,
        (from, to) -> {
          int heads = kernels.length;
          RowSums[][] sums = new RowSums[heads][to - from];
          for (int h = 0; h < heads; h++) {
            for (int r = 0; r < to - from; r++) {
              sums[h][r] = new RowSums(d);
              sums[h][r].reset();
            }
            kernels[h].sum(from, to, sums[h]);
          }
          RowEpilogue epilogue = new RowEpilogue(layer, raw, smallest, transposedV);
          double[] field = new double[d];
          for (int i = from; i < to; i++) {
            epilogue.begin();
            boolean live = true;
            for (int h = 0; h < heads; h++) {
              live &= epilogue.addHead(h, sums[h][i - from], i, x, i * d);
            }
            if (epilogue.finish(field)) {
              below.add((long) replica * n + i);
            }
            if (!live) {
              dead.add((long) replica * n + i);
            }
            int o = (replica * n + i) * d;
            for (int c = 0; c < d; c++) {
              out.set(o + c, field[c]);
            }
          }
        });
    return new FieldReport(dead.count(), dead.first(), below.count(), below.first());
  }

  /** factor W x_i for all tokens, {@code [n][rows]}. */
  private double[] times(Weight w, double factor) {
    return TokenProducts.of(w, factor, x, n, d);
  }

  private double[][] transpose(double[] a) {
    double[][] t = new double[d][n];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < d; c++) {
        t[c][i] = a[i * d + c];
      }
    }
    return t;
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
