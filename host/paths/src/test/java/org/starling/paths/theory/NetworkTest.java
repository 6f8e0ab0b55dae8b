package org.starling.paths.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.Readout;
import org.starling.core.paths.Sequences;

/** The path form against the network itself, token by token (science/paths.md 1.1 and 1.3). */
class NetworkTest {
  private static final int[] HEADS = {2, 3};
  private static final int WIDTH = 5;
  private static final int TOKENS = 6;
  private static final int COUNT = 4;

  private final PathAttention attention =
      Problem.attention(List.of(2, 3), WIDTH, Readout.LAST_TOKEN, 60);
  private final Sequences inputs = Problem.sequences(COUNT, TOKENS, WIDTH, 61);

  /** Weights V^0, V^{l,h}, a drawn from the prior of unit variances. */
  private record Weights(double[] input, double[][][] values, double[] readout) {
    static Weights draw(int[] n, Random random) {
      double[][][] v = new double[HEADS.length][][];
      for (int l = 0; l < HEADS.length; l++) {
        v[l] = new double[HEADS[l]][];
        for (int h = 0; h < HEADS[l]; h++) {
          v[l][h] = gaussian(n[l + 1] * n[l], random);
        }
      }
      return new Weights(gaussian(n[0] * WIDTH, random), v, gaussian(n[n.length - 1], random));
    }
  }

  private static double[] gaussian(int count, Random random) {
    double[] x = new double[count];
    for (int k = 0; k < count; k++) {
      x[k] = random.nextGaussian();
    }
    return x;
  }

  @Test
  void pathFormIsTheForwardPass() {
    int[] n = {7, 4, 9};
    Weights weights = Weights.draw(n, new Random(62));
    double[] byTokens = forward(weights, n);
    double[] byPaths = paths(weights, n);
    for (int a = 0; a < COUNT; a++) {
      assertEquals(byTokens[a], byPaths[a], 1e-12 * Math.max(1, Math.abs(byTokens[a])));
    }
  }

  @Test
  void priorHasTheKernelOfInfiniteWidth() {
    int[] n = {10, 10, 10};
    PathNetwork network = PathNetwork.plain(List.of(2, 3), 10, 0);
    PathKernels kernels =
        new PathKernels(
            Problem.OPERATIONS,
            Problem.OPERATIONS.features(attention, inputs, network.featureScale(attention)),
            Problem.KEEP);
    double[] k = new double[COUNT * COUNT];
    kernels.kernel(Small.identity(6, 1), k);
    double[] covariance = new double[COUNT * COUNT];
    Random random = new Random(63);
    int draws = 20000;
    for (int d = 0; d < draws; d++) {
      double[] f = paths(Weights.draw(n, random), n);
      for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
          covariance[a * COUNT + b] += f[a] * f[b] / draws;
        }
      }
    }
    double error = 0;
    for (int i = 0; i < k.length; i++) {
      error += Math.pow(covariance[i] - k[i], 2);
    }
    double relative = Math.sqrt(error / Small.inner(k, k));
    assertTrue(relative < 0.04, "relative error " + relative);
  }

  /** Token by token through every layer. */
  private double[] forward(Weights weights, int[] n) {
    double[] f = new double[COUNT];
    for (int a = 0; a < COUNT; a++) {
      double[][] z = new double[TOKENS][n[0]];
      for (int t = 0; t < TOKENS; t++) {
        for (int i = 0; i < n[0]; i++) {
          for (int j = 0; j < WIDTH; j++) {
            z[t][i] += weights.input()[i * WIDTH + j] * x(a, t, j) / Math.sqrt(WIDTH);
          }
        }
      }
      for (int l = 0; l < HEADS.length; l++) {
        double[][] next = new double[TOKENS][n[l + 1]];
        for (int h = 0; h < HEADS[l]; h++) {
          for (int t = 0; t < TOKENS; t++) {
            double[] column = column(a, l, h, t);
            for (int s = 0; s < TOKENS; s++) {
              for (int i = 0; i < n[l + 1]; i++) {
                for (int j = 0; j < n[l]; j++) {
                  next[t][i] +=
                      weights.values()[l][h][i * n[l] + j]
                          * z[s][j]
                          * column[s]
                          / Math.sqrt((double) HEADS[l] * n[l]);
                }
              }
            }
          }
        }
        z = next;
      }
      int last = n[n.length - 1];
      for (int i = 0; i < last; i++) {
        f[a] += weights.readout()[i] * z[TOKENS - 1][i] / Math.sqrt(last);
      }
    }
    return f;
  }

  private double x(int a, int t, int j) {
    return inputs.x()[(a * TOKENS + t) * WIDTH + j];
  }

  /** Attention of one query over the keys. */
  private double[] column(int a, int l, int h, int t) {
    double[] w = attention.layers().get(l).get(h);
    double[] e = new double[TOKENS];
    double largest = Double.NEGATIVE_INFINITY;
    for (int s = 0; s < TOKENS; s++) {
      for (int i = 0; i < WIDTH; i++) {
        for (int j = 0; j < WIDTH; j++) {
          e[s] += x(a, s, i) * w[i * WIDTH + j] * x(a, t, j);
        }
      }
      largest = Math.max(largest, e[s]);
    }
    double sum = 0;
    for (int s = 0; s < TOKENS; s++) {
      e[s] = Math.exp(e[s] - largest);
      sum += e[s];
    }
    for (int s = 0; s < TOKENS; s++) {
      e[s] /= sum;
    }
    return e;
  }

  /** f = 1 / sqrt(N_1) sum_pi w^pi V^0 Xi^pi, where Xi holds 1 / sqrt(N0 n). */
  private double[] paths(Weights weights, int[] n) {
    double[][] w = {weights.readout()};
    for (int l = HEADS.length - 1; l >= 0; l--) {
      double[][] longer = new double[HEADS[l] * w.length][n[l]];
      for (int h = 0; h < HEADS[l]; h++) {
        for (int end = 0; end < w.length; end++) {
          for (int i = 0; i < n[l + 1]; i++) {
            for (int j = 0; j < n[l]; j++) {
              longer[h * w.length + end][j] +=
                  w[end][i] * weights.values()[l][h][i * n[l] + j] / Math.sqrt(n[l + 1]);
            }
          }
        }
      }
      w = longer;
    }
    double[] xi = features();
    double[] f = new double[COUNT];
    for (int a = 0; a < COUNT; a++) {
      for (int p = 0; p < w.length; p++) {
        for (int i = 0; i < n[0]; i++) {
          double sum = 0;
          for (int j = 0; j < WIDTH; j++) {
            sum += weights.input()[i * WIDTH + j] * xi[(a * w.length + p) * WIDTH + j];
          }
          f[a] += w[p][i] * sum / Math.sqrt(n[0]);
        }
      }
    }
    return f;
  }

  private double[] stored;

  private double[] features() {
    if (stored == null) {
      double scale = PathNetwork.plain(List.of(2, 3), 1, 0).featureScale(attention);
      stored = Problem.OPERATIONS.download(Problem.OPERATIONS.features(attention, inputs, scale));
    }
    return stored;
  }
}
