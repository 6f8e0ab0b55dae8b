package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Observations.NonFinite;
import org.starling.core.engine.Observations.PairStatistics;
import org.starling.core.engine.Observations.Spread;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** Every observable but clusters agrees with its formula, for each replica apart. */
abstract class ObservationsContract extends ContractTheme {
  private static final int R = 2;

  private double eps() {
    return subject().epsilon();
  }

  /** R replicas, the first on the sphere and the second off it. */
  private double[] mixedReplicas(int n, int d, long seed) {
    double[] x = new double[R * n * d];
    System.arraycopy(Tokens.sphere(n, d, seed), 0, x, 0, n * d);
    System.arraycopy(Tokens.gaussian(n, d, seed + 1), 0, x, n * d, n * d);
    return subject().representable(x);
  }

  private static double[] replica(double[] x, int r, int size) {
    return java.util.Arrays.copyOfRange(x, r * size, (r + 1) * size);
  }

  @ParameterizedTest(name = "n={0} d={1} seed 101")
  @CsvSource({"1,1", "1,3", "2,2", "3,17", "49,3", "129,64", "48,9"})
  void energyIsTheMeanOfExponentials(int n, int d) {
    double[] x = mixedReplicas(n, d, 101);
    Layer[] layers = {
      Layers.of(
          Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 4, d, Layers.Weights.IDENTITY, 1),
      Layers.of(
          Geometry.EUCLIDEAN,
          Mask.FULL,
          Normalisation.UNNORMALISED,
          0.1,
          d,
          Layers.Weights.THREE_HEADS,
          1)
    };
    try (State s = state(new Shape(R, n, d), x)) {
      double[] energy = engine.observations().energy(s, layers);
      for (int r = 0; r < R; r++) {
        Naive naive = new Naive(replica(x, r, n * d), n, d, layers[r]);
        double sum = 0;
        double largest = 0;
        for (int h = 0; h < layers[r].heads().size(); h++) {
          for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
              double score = naive.score(h, i, j);
              largest = Math.max(largest, Math.abs(score));
              sum += Math.exp(score - layers[r].beta());
            }
          }
        }
        double expected = sum / ((double) n * n * layers[r].heads().size());
        Close.to(expected, energy[r], (128 + 32 * largest) * eps() * expected, "replica " + r);
      }
    }
  }

  @ParameterizedTest(name = "n={0} d={1} seed 111")
  @CsvSource({"2,1", "2,2", "3,17", "49,3", "129,64", "48,257"})
  void pairStatisticsAreThoseOfAllOrderedPairs(int n, int d) {
    double[] x = mixedReplicas(n, d, 111);
    int bins = 20;
    double tolerance = (16 + 2 * Math.sqrt(d)) * eps();
    try (State s = state(new Shape(R, n, d), x)) {
      PairStatistics[] found = engine.observations().innerProducts(s, bins);
      for (int r = 0; r < R; r++) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        double sum = 0;
        long[] surely = new long[bins];
        long[] possibly = new long[bins];
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            if (i == j) {
              continue;
            }
            double c = cosine(x, (r * n + i) * d, (r * n + j) * d, d);
            min = Math.min(min, c);
            max = Math.max(max, c);
            sum += c;
            int low = bin(c - tolerance, bins);
            int high = bin(c + tolerance, bins);
            possibly[low]++;
            if (low == high) {
              surely[low]++;
            } else {
              possibly[high]++;
            }
          }
        }
        Close.to(min, found[r].min(), tolerance, "min, replica " + r);
        Close.to(max, found[r].max(), tolerance, "max, replica " + r);
        Close.to(sum / ((double) n * (n - 1)), found[r].mean(), tolerance, "mean, replica " + r);
        assertEquals(bins, found[r].histogram().length);
        long total = 0;
        for (int b = 0; b < bins; b++) {
          long count = found[r].histogram()[b];
          total += count;
          assertTrue(surely[b] <= count && count <= possibly[b], "bin " + b + ": " + count);
        }
        assertEquals((long) n * (n - 1), total, "ordered pairs");
      }
    }
  }

  private static double cosine(double[] x, int a, int b, int d) {
    return Naive.dot(x, a, x, b, d) / (Naive.norm(x, a, d) * Naive.norm(x, b, d));
  }

  private static int bin(double c, int bins) {
    return Math.max(0, Math.min(bins - 1, (int) Math.floor((c + 1) / 2 * bins)));
  }

  @Test
  void pairStatisticsOfOneTokenAreUndefined() {
    try (State s = state(new Shape(1, 1, 3), new double[] {1, 0, 0})) {
      PairStatistics p = engine.observations().innerProducts(s, 4)[0];
      assertTrue(Double.isNaN(p.min()) && Double.isNaN(p.mean()) && Double.isNaN(p.max()));
      assertArrayEquals(new long[4], p.histogram());
    }
  }

  @Test
  void equalAndOppositeTokensFallIntoTheEndBins() {
    double[] x = subject().representable(new double[] {0.6, 0.8, 0.6, 0.8, -0.6, -0.8});
    try (State s = state(new Shape(1, 3, 2), x)) {
      assertArrayEquals(
          new long[] {4, 0, 0, 0, 2}, engine.observations().innerProducts(s, 5)[0].histogram());
    }
  }

  @ParameterizedTest(name = "n={0} d={1} seed 121")
  @CsvSource({"1,1", "2,2", "49,3", "129,64", "1030,2", "48,257"})
  void spreadsAndMomentsFollowTheirFormulas(int n, int d) {
    double[] x = mixedReplicas(n, d, 121);
    Observations o = engine.observations();
    try (State s = state(new Shape(R, n, d), x)) {
      Spread[] distances = o.distanceToFirst(s);
      Spread[] norms = o.norms(s);
      double[] order = o.orderParameter(s);
      double[][] moment = o.secondMoment(s);
      for (int r = 0; r < R; r++) {
        int at = r * n * d;
        double[] distance = new double[n];
        double[] norm = new double[n];
        double[] mean = new double[d];
        double[] second = new double[d * d];
        for (int i = 0; i < n; i++) {
          double[] difference = new double[d];
          for (int a = 0; a < d; a++) {
            double xa = x[at + i * d + a];
            difference[a] = xa - x[at + a];
            mean[a] += xa / n;
            for (int b = 0; b < d; b++) {
              second[a * d + b] += xa * x[at + i * d + b] / n;
            }
          }
          distance[i] = Naive.norm(difference, 0, d);
          norm[i] = Naive.norm(x, at + i * d, d);
        }
        assertSpread(distance, distances[r], "distance to first, replica " + r);
        assertSpread(norm, norms[r], "norm, replica " + r);
        Close.to(Naive.norm(mean, 0, d), order[r], 32 * eps(), "order parameter");
        Close.to(second, moment[r], 64 * eps(), "second moment");
      }
    }
  }

  private void assertSpread(double[] values, Spread found, String what) {
    double max = java.util.Arrays.stream(values).max().getAsDouble();
    double min = java.util.Arrays.stream(values).min().getAsDouble();
    double mean = java.util.Arrays.stream(values).average().getAsDouble();
    Close.to(min, found.min(), 16 * eps() * min, what + ": min");
    Close.to(mean, found.mean(), 32 * eps() * mean, what + ": mean");
    Close.to(max, found.max(), 16 * eps() * max, what + ": max");
  }

  @Test
  void smallDistancesKeepTheirDigits() {
    int n = 9;
    int d = 64;
    double[] centre = Tokens.sphere(1, d, 131);
    double[] x = Tokens.gaussian(n, d, 132);
    for (int a = 0; a < x.length; a++) {
      x[a] = centre[a % d] + 1e-5 * x[a];
    }
    x = subject().representable(x);
    double largest = 0;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int a = 0; a < d; a++) {
        sum += Math.pow(x[i * d + a] - x[a], 2);
      }
      largest = Math.max(largest, Math.sqrt(sum));
    }
    try (State s = state(new Shape(1, n, d), x)) {
      Close.to(
          largest,
          engine.observations().distanceToFirst(s)[0].max(),
          16 * eps() * largest,
          "largest distance to the first token");
    }
  }

  @ParameterizedTest
  @EnumSource(Normalisation.class)
  void attentionRowsAndTheirEntropy(Normalisation normalisation) {
    int d = 9;
    for (int n : new int[] {1, 2, 49, 129}) {
      double[] x = mixedReplicas(n, d, 141);
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL, Mask.window(7), Mask.alibi(0.5))) {
        Layer layer =
            Layers.of(Geometry.SPHERE, mask, normalisation, 2, d, Layers.Weights.THREE_HEADS, 142);
        try (State s = state(new Shape(R, n, d), x)) {
          double[] entropies =
              engine.observations().attentionEntropy(s, new Layer[] {layer, layer});
          for (int r = 0; r < R; r++) {
            Naive naive = new Naive(replica(x, r, n * d), n, d, layer);
            double mean = 0;
            for (int h = 0; h < 3; h++) {
              double[][] rows = engine.observations().attentionRows(s, layer, h, r, allRows(n));
              for (int i = 0; i < n; i++) {
                double[] w = naive.weights(h, i);
                double tolerance = 512 * eps();
                for (int j = 0; j < n; j++) {
                  Close.to(w[j], rows[i][j], tolerance * w[j], mask + " row " + i + " key " + j);
                }
                mean += entropy(w) / (3 * n);
              }
            }
            Close.to(mean, entropies[r], 512 * eps() * Math.log(n + 1), "entropy, n=" + n);
          }
        }
      }
    }
  }

  private static double entropy(double[] w) {
    double sum = java.util.Arrays.stream(w).sum();
    double entropy = 0;
    for (double p : w) {
      if (p > 0) {
        entropy -= p / sum * Math.log(p / sum);
      }
    }
    return entropy;
  }

  @Test
  void onlyTheRowsAskedForComeBackInOrder() {
    int n = 49;
    Layer layer = Layers.identity(3, 2);
    double[] x = subject().representable(Tokens.sphere(n, 3, 151));
    Naive naive = new Naive(x, n, 3, layer);
    int[] rows = {48, 0, 17};
    try (State s = state(new Shape(1, n, 3), x)) {
      double[][] found = engine.observations().attentionRows(s, layer, 0, 0, rows);
      assertEquals(3, found.length);
      for (int k = 0; k < 3; k++) {
        Close.to(naive.weights(0, rows[k]), found[k], 64 * eps(), "row " + rows[k]);
      }
    }
  }

  @Test
  void nonFiniteCoordinatesAreCountedAndLocated() {
    int n = 129;
    int d = 3;
    double[] x = mixedReplicas(n, d, 161);
    x[(n + 77) * d + 2] = Double.NaN;
    x[(n + 77) * d] = Double.NEGATIVE_INFINITY;
    x[(n + 128) * d + 1] = Double.POSITIVE_INFINITY;
    try (State s = state(new Shape(R, n, d), x)) {
      assertArrayEquals(
          new NonFinite[] {new NonFinite(0, -1), new NonFinite(3, 77)},
          engine.observations().nonFinite(s));
      Observations o = engine.observations();
      assertTrue(Double.isNaN(o.norms(s)[1].mean()) || Double.isInfinite(o.norms(s)[1].mean()));
      assertTrue(Double.isNaN(o.orderParameter(s)[1]), "a NaN coordinate must show in the mean");
      assertTrue(Double.isFinite(o.orderParameter(s)[0]), "and in its own replica only");
      assertTrue(Double.isNaN(o.innerProducts(s, 4)[1].mean()), "and in the pair statistics");
    }
  }
}
