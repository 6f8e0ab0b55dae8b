package org.starling.cpu.fast;

import java.util.Map;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Sequences;

/**
 * Path operations in float64 on all cores. Every number is summed by one thread in one order, so
 * the bits do not depend on the number of threads.
 */
final class FastPaths implements PathOperations {
  /** Examples, or rows of a product, that a thread takes at a time. */
  private static final int BLOCK = 8;

  @Override
  public EngineIdentity identity() {
    EngineIdentity engine = new FastEngine(Precision.DOUBLE).identity();
    return new EngineIdentity(
        engine.engine(),
        engine.device(),
        engine.driver(),
        engine.platform(),
        engine.kernelHash(),
        Map.of("path-rows", Integer.toString(BLOCK)));
  }

  @Override
  public Precision precision() {
    return Precision.DOUBLE;
  }

  @Override
  public PathFeatures features(PathAttention attention, Sequences inputs, double scale) {
    int n = attention.paths();
    Held out =
        new Held(
            inputs.count(),
            n,
            attention.width(),
            new double[length(inputs.count(), n, attention.width())]);
    double[][][] transposed = PathExample.transposed(attention);
    Rows.forEachBlock(
        inputs.count(),
        BLOCK,
        () -> {
          PathExample example = new PathExample(attention, transposed, inputs, scale);
          return (from, to) -> {
            for (int a = from; a < to; a++) {
              example.write(a, out.values());
            }
          };
        });
    return out;
  }

  private static int length(int count, int paths, int width) {
    return Math.multiplyExact(Math.multiplyExact(count, paths), width);
  }

  @Override
  public PathFeatures upload(int count, int paths, int width, double[] values) {
    if (values.length != length(count, paths, width)) {
      throw new IllegalArgumentException(values.length + " values");
    }
    return new Held(count, paths, width, values.clone());
  }

  @Override
  public double[] download(PathFeatures features) {
    return ((Held) features).values().clone();
  }

  @Override
  public void pathKernel(PathFeatures rows, PathFeatures columns, int p, int q, double[] out) {
    Held x = (Held) rows;
    Held y = (Held) columns;
    int stride = x.paths() * x.width();
    Rows.forEachBlock(
        x.count(),
        BLOCK,
        (from, to) ->
            PathProducts.rowsByRows(
                x.values(),
                from * stride + p * x.width(),
                stride,
                to - from,
                y.values(),
                q * y.width(),
                stride,
                y.count(),
                x.width(),
                out,
                from * y.count(),
                y.count()));
  }

  @Override
  public void kernel(PathFeatures rows, PathFeatures columns, double[] u, double[] out) {
    Held x = (Held) rows;
    Held y = (Held) columns;
    double[] mixed = mixed(x, u);
    int length = x.paths() * x.width();
    boolean same = rows == columns;
    Rows.forEachBlock(
        x.count(),
        BLOCK,
        (from, to) ->
            PathProducts.rowsByRows(
                mixed,
                from * length,
                length,
                to - from,
                y.values(),
                0,
                length,
                same ? to : y.count(),
                length,
                out,
                from * y.count(),
                y.count()));
    if (same) {
      mirror(out, x.count());
    }
  }

  /** The lower triangle decides. */
  private static void mirror(double[] out, int n) {
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < a; b++) {
        out[b * n + a] = out[a * n + b];
      }
    }
  }

  /** sum_q U[p][q] x[a][q], {@code [count][paths][width]}. */
  private static double[] mixed(Held x, double[] u) {
    int n = x.paths();
    int width = x.width();
    double[] out = new double[x.values().length];
    Rows.forEachBlock(
        x.count(),
        BLOCK,
        (from, to) -> {
          for (int a = from; a < to; a++) {
            int base = a * n * width;
            PathProducts.rowsByMatrix(u, 0, n, n, x.values(), base, width, out, base, width);
          }
        });
    return out;
  }

  @Override
  public void contract(PathFeatures features, double[] m, double[] out) {
    Held x = (Held) features;
    int n = x.paths();
    int width = x.width();
    int length = n * width;
    int count = x.count();
    int blocks = (count + BLOCK - 1) / BLOCK;
    double[][] parts = new double[blocks][];
    Rows.forEachBlock(
        count,
        BLOCK,
        () -> {
          double[] y = new double[BLOCK * length];
          return (from, to) -> {
            java.util.Arrays.fill(y, 0);
            PathProducts.rowsByMatrix(
                m, from * count, to - from, count, x.values(), 0, length, y, 0, length);
            double[] part = new double[n * n];
            for (int a = from; a < to; a++) {
              PathProducts.addGram(x.values(), a * length, y, (a - from) * length, n, width, part);
            }
            parts[from / BLOCK] = part;
          };
        });
    java.util.Arrays.fill(out, 0, n * n, 0);
    for (double[] part : parts) {
      for (int k = 0; k < n * n; k++) {
        out[k] += part[k];
      }
    }
    for (int p = 0; p < n; p++) {
      for (int q = 0; q < p; q++) {
        double mean = (out[p * n + q] + out[q * n + p]) / 2;
        out[p * n + q] = mean;
        out[q * n + p] = mean;
      }
    }
  }

  @Override
  public void close() {
    // Nothing is held outside the heap.
  }

  private record Held(int count, int paths, int width, double[] values) implements PathFeatures {
    @Override
    public void close() {
      // Nothing is held outside the heap.
    }
  }
}
