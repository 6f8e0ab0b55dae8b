package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Readout;
import org.starling.core.paths.Sequences;

/**
 * What every engine's path operations owe: attentioned inputs are the products of attention along
 * each path, written out; kernels and contractions are sums over all pairs.
 */
@Tag("paths")
public abstract class PathOperationsContract {
  /** Opens the operations under test; they are closed after use. */
  protected abstract PathOperations open();

  private static double tolerance(PathOperations operations) {
    return operations.precision() == Precision.DOUBLE ? 1e-12 : 1e-5;
  }

  @ParameterizedTest(name = "heads {0}, {1} tokens of {2}, hardmax {3}, {4}, seed 7")
  @CsvSource({
    "3, 5, 4, false, LAST_TOKEN",
    "2-2, 31, 37, false, LAST_TOKEN",
    "2-3-2, 6, 5, false, AVERAGE_POOLING",
    "1-2, 17, 64, true, FIRST_TOKEN",
    "4-2, 48, 19, false, AVERAGE_POOLING"
  })
  void featuresAreProductsAlongEveryPath(
      String heads, int tokens, int width, boolean hardmax, Readout readout) {
    PathAttention attention = attention(heads, width, hardmax, readout);
    Sequences inputs = new Sequences(5, tokens, width, gaussian(5 * tokens * width, 3));
    try (PathOperations operations = open();
        PathFeatures features = operations.features(attention, inputs, 0.5)) {
      assertEquals(5, features.count());
      assertEquals(attention.paths(), features.paths());
      double[] found = operations.download(features);
      double[] expected = enumerated(attention, inputs, 0.5);
      Close.to(expected, found, 4 * tolerance(operations), "attentioned input");
    }
  }

  @Test
  void weightsOfTokensSumToOne() {
    // With constant inputs every path gives the input back, whatever the attention.
    PathAttention attention = attention("2-2", 3, false, Readout.AVERAGE_POOLING);
    double[] x = new double[4 * 9 * 3];
    java.util.Arrays.fill(x, 1);
    try (PathOperations operations = open();
        PathFeatures f = operations.features(attention, new Sequences(4, 9, 3, x), 1)) {
      double[] ones = new double[4 * 4 * 3];
      java.util.Arrays.fill(ones, 1);
      Close.to(ones, operations.download(f), tolerance(operations), "sum of weights");
    }
  }

  @ParameterizedTest(name = "{0} and {1} examples, {2} paths, width {3}, seed 5")
  @CsvSource({"1, 1, 1, 1", "7, 5, 3, 11", "33, 70, 4, 130", "100, 17, 6, 33"})
  void kernelsAreSumsOverPairsOfPaths(int count, int columns, int paths, int width) {
    double[] a = gaussian(count * paths * width, 5);
    double[] b = gaussian(columns * paths * width, 6);
    double[] u = symmetric(paths, 7);
    double[] m = symmetric(count, 8);
    try (PathOperations operations = open();
        PathFeatures rows = operations.upload(count, paths, width, a);
        PathFeatures other = operations.upload(columns, paths, width, b)) {
      double scale = tolerance(operations) * paths * paths * width;
      double[] same = new double[count * count];
      operations.kernel(rows, rows, u, same);
      double[] cross = new double[count * columns];
      operations.kernel(rows, other, u, cross);
      int p = paths - 1;
      double[] pair = new double[count * columns];
      operations.pathKernel(rows, other, p, 0, pair);
      double[] g = new double[paths * paths];
      operations.contract(rows, m, g);
      for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
          Close.to(all(a, i, a, j, u, paths, width), same[i * count + j], scale, "K");
          assertEquals(same[i * count + j], same[j * count + i], 0, "symmetry");
        }
        for (int j = 0; j < columns; j++) {
          Close.to(all(a, i, b, j, u, paths, width), cross[i * columns + j], scale, "cross K");
          Close.to(
              product(a, i, p, b, j, 0, paths, width),
              pair[i * columns + j],
              tolerance(operations) * width,
              "C");
        }
      }
      for (int k = 0; k < paths * paths; k++) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
          for (int j = 0; j < count; j++) {
            sum += m[i * count + j] * product(a, i, k / paths, a, j, k % paths, paths, width);
          }
        }
        Close.to(sum, g[k], tolerance(operations) * count * count * width, "derivative");
      }
    }
  }

  private static double all(
      double[] a, int i, double[] b, int j, double[] u, int paths, int width) {
    double sum = 0;
    for (int p = 0; p < paths; p++) {
      for (int q = 0; q < paths; q++) {
        sum += u[p * paths + q] * product(a, i, p, b, j, q, paths, width);
      }
    }
    return sum;
  }

  private static double product(
      double[] a, int i, int p, double[] b, int j, int q, int paths, int width) {
    double sum = 0;
    for (int k = 0; k < width; k++) {
      sum += a[(i * paths + p) * width + k] * b[(j * paths + q) * width + k];
    }
    return sum;
  }

  private static PathAttention attention(
      String heads, int width, boolean hardmax, Readout readout) {
    List<List<double[]>> layers = new ArrayList<>();
    int seed = 20;
    for (String count : heads.split("-")) {
      List<double[]> layer = new ArrayList<>();
      for (int h = 0; h < Integer.parseInt(count); h++) {
        double[] w = gaussian(width * width, seed++);
        for (int k = 0; k < w.length; k++) {
          w[k] /= width;
        }
        layer.add(w);
      }
      layers.add(layer);
    }
    return new PathAttention(width, layers, hardmax, readout);
  }

  private static double[] enumerated(PathAttention attention, Sequences inputs, double scale) {
    int tokens = inputs.tokens();
    int width = inputs.width();
    double[] out = new double[inputs.count() * attention.paths() * width];
    for (int a = 0; a < inputs.count(); a++) {
      for (int path = 0; path < attention.paths(); path++) {
        double[][] product = null;
        for (int l = 0; l < attention.depth(); l++) {
          int head = path / attention.pathsFrom(l + 1) % attention.heads(l);
          double[][] one = softmax(attention, inputs, a, attention.layers().get(l).get(head));
          product = product == null ? one : times(product, one);
        }
        int query = attention.readout().query(tokens);
        for (int s = 0; s < tokens; s++) {
          double v = 0;
          for (int t = 0; t < tokens; t++) {
            v += query < 0 ? product[s][t] / tokens : t == query ? product[s][t] : 0;
          }
          for (int i = 0; i < width; i++) {
            out[(a * attention.paths() + path) * width + i] +=
                scale * v * inputs.x()[(a * tokens + s) * width + i];
          }
        }
      }
    }
    return out;
  }

  private static double[][] times(double[][] a, double[][] b) {
    int n = a.length;
    double[][] c = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          c[i][j] += a[i][k] * b[k][j];
        }
      }
    }
    return c;
  }

  /** Keys first, columns sum to 1. */
  private static double[][] softmax(PathAttention attention, Sequences inputs, int a, double[] w) {
    int tokens = inputs.tokens();
    int width = inputs.width();
    double[][] matrix = new double[tokens][tokens];
    for (int t = 0; t < tokens; t++) {
      double[] logit = new double[tokens];
      int best = 0;
      for (int s = 0; s < tokens; s++) {
        for (int i = 0; i < width; i++) {
          for (int j = 0; j < width; j++) {
            logit[s] +=
                inputs.x()[(a * tokens + s) * width + i]
                    * w[i * width + j]
                    * inputs.x()[(a * tokens + t) * width + j];
          }
        }
        best = logit[s] > logit[best] ? s : best;
      }
      double sum = 0;
      for (int s = 0; s < tokens; s++) {
        sum += Math.exp(logit[s] - logit[best]);
      }
      for (int s = 0; s < tokens; s++) {
        matrix[s][t] =
            attention.hardmax() ? (s == best ? 1 : 0) : Math.exp(logit[s] - logit[best]) / sum;
      }
    }
    return matrix;
  }

  private static double[] symmetric(int n, long seed) {
    double[] m = gaussian(n * n, seed);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        m[i * n + j] = m[j * n + i];
      }
      m[i * n + i] += n;
    }
    return m;
  }

  private static double[] gaussian(int count, long seed) {
    Random random = new Random(seed);
    double[] values = new double[count];
    for (int k = 0; k < count; k++) {
      values[k] = random.nextGaussian();
    }
    return values;
  }
}
