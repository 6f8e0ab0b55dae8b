package org.starling.paths.theory;

import java.util.Locale;
import java.util.stream.IntStream;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;

/**
 * Kernel of the training examples and its derivative by U, of which an optimiser needs many. Where
 * they fit, the symmetric parts of the path-path kernels are kept and one evaluation is a weighted
 * sum; else every evaluation goes back to the attentioned inputs and nothing of size n^2 P^2
 * exists.
 */
public final class PathKernels {
  /** How evaluations are made. */
  public enum Plan {
    /** Path-path kernels are kept, n (n + 1) / 2 of P (P + 1) / 2 numbers. */
    KEPT,
    /** Products of attentioned inputs at every evaluation. */
    PRODUCTS
  }

  private static final int CHUNK = 2048;

  private final PathOperations operations;
  private final PathFeatures features;
  private final Plan plan;
  private final double[][] kept;

  /**
   * @param features of the training examples; stay with the caller
   * @param budget bytes that kept kernels may take
   */
  public PathKernels(PathOperations operations, PathFeatures features, long budget) {
    this.operations = operations;
    this.features = features;
    int count = features.count();
    plan = keptBytes(count, features.paths()) <= budget ? Plan.KEPT : Plan.PRODUCTS;
    kept = plan == Plan.KEPT ? keep() : null;
  }

  /** Bytes of all path-path kernels' symmetric parts. */
  public static long keptBytes(int count, int paths) {
    long pairs = (long) paths * (paths + 1) / 2;
    long numbers = (long) count * (count + 1) / 2;
    return numbers > Integer.MAX_VALUE - 8
        ? Long.MAX_VALUE
        : Math.multiplyExact(pairs, 8 * numbers);
  }

  private double[][] keep() {
    int n = features.paths();
    int count = features.count();
    double[][] all = new double[n * (n + 1) / 2][];
    double[] c = new double[Math.multiplyExact(count, count)];
    for (int p = 0; p < n; p++) {
      for (int q = 0; q <= p; q++) {
        operations.pathKernel(features, features, p, q, c);
        double[] packed = new double[count * (count + 1) / 2];
        int at = 0;
        for (int a = 0; a < count; a++) {
          for (int b = 0; b <= a; b++) {
            packed[at++] = p == q ? c[a * count + b] : c[a * count + b] + c[b * count + a];
          }
        }
        all[p * (p + 1) / 2 + q] = packed;
      }
    }
    return all;
  }

  public Plan plan() {
    return plan;
  }

  public int count() {
    return features.count();
  }

  public int paths() {
    return features.paths();
  }

  PathOperations operations() {
    return operations;
  }

  PathFeatures features() {
    return features;
  }

  /** The choice and its memory for a person. */
  public String describe() {
    double mib = keptBytes(count(), paths()) / 0x1p20;
    String all =
        String.format(
            Locale.ROOT, "%d x %d path-path kernels of %d examples", paths(), paths(), count());
    return plan == Plan.KEPT
        ? String.format(Locale.ROOT, "%s kept, symmetric halves, %.1f MiB", all, mib)
        : String.format(
            Locale.ROOT,
            "%s would take %.0f MiB and are not kept: every evaluation multiplies attentioned"
                + " inputs, %.0f MiB on the device",
            all,
            mib,
            3.0 * count() * paths() * features.width() * 8 / 0x1p20);
  }

  /**
   * K(U).
   *
   * @param u symmetric {@code [n][n]}
   * @param k {@code [P][P]}
   */
  void kernel(double[] u, double[] k) {
    int n = paths();
    int count = count();
    if (kept == null) {
      operations.kernel(features, features, u, k);
      return;
    }
    double[] packed = new double[count * (count + 1) / 2];
    chunks(packed.length)
        .forEach(
            chunk -> {
              int to = Math.min(packed.length, (chunk + 1) * CHUNK);
              for (int p = 0; p < n; p++) {
                for (int q = 0; q <= p; q++) {
                  double w = u[p * n + q];
                  double[] c = kept[p * (p + 1) / 2 + q];
                  for (int at = chunk * CHUNK; at < to; at++) {
                    packed[at] += w * c[at];
                  }
                }
              }
            });
    int at = 0;
    for (int a = 0; a < count; a++) {
      for (int b = 0; b <= a; b++) {
        k[a * count + b] = packed[at];
        k[b * count + a] = packed[at++];
      }
    }
  }

  /**
   * {@code sum M C_pq}.
   *
   * @param m symmetric {@code [P][P]}
   * @return {@code [n][n]}
   */
  double[] contract(double[] m) {
    int n = paths();
    int count = count();
    double[] g = new double[n * n];
    if (kept == null) {
      operations.contract(features, m, g);
      return g;
    }
    double[] weights = new double[count * (count + 1) / 2];
    int at = 0;
    for (int a = 0; a < count; a++) {
      for (int b = 0; b <= a; b++) {
        weights[at++] = a == b ? m[a * count + a] : 2 * m[a * count + b];
      }
    }
    IntStream pairs = IntStream.range(0, kept.length);
    double[] sums = new double[kept.length];
    ((long) kept.length * weights.length > 1 << 16 ? pairs.parallel() : pairs)
        .forEach(pair -> sums[pair] = sum(weights, kept[pair]));
    for (int p = 0; p < n; p++) {
      for (int q = 0; q <= p; q++) {
        // A pair's two entries of U share what is kept.
        double v = sums[p * (p + 1) / 2 + q] / (p == q ? 1 : 2);
        g[p * n + q] = v;
        g[q * n + p] = v;
      }
    }
    return g;
  }

  private static IntStream chunks(int length) {
    IntStream all = IntStream.range(0, (length + CHUNK - 1) / CHUNK);
    return length > 8 * CHUNK ? all.parallel() : all;
  }

  private static double sum(double[] x, double[] y) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int k = 0;
    for (; k + 4 <= x.length; k += 4) {
      s0 += x[k] * y[k];
      s1 += x[k + 1] * y[k + 1];
      s2 += x[k + 2] * y[k + 2];
      s3 += x[k + 3] * y[k + 3];
    }
    for (; k < x.length; k++) {
      s0 += x[k] * y[k];
    }
    return (s0 + s1) + (s2 + s3);
  }
}
