package org.starling.cpu.reference;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** Each observable as its formula reads. */
final class ReferenceObservations implements Observations {
  private final ReferenceEngine engine;

  ReferenceObservations(ReferenceEngine engine) {
    this.engine = engine;
  }

  /** One value of every replica, {@code measure} being given where the replica begins. */
  private static double[] each(ReferenceArray state, IntFunction<Double> measure) {
    double[] out = new double[state.shape().replicas()];
    for (int r = 0; r < out.length; r++) {
      out[r] = measure.apply(r);
    }
    return out;
  }

  @Override
  public double[] energy(State x, Layer[] layers) {
    ReferenceArray state = engine.own(x);
    engine.check(x.shape(), Arrays.asList(layers));
    int n = x.shape().n();
    return each(
        state,
        r -> {
          double sum = 0;
          for (Layer.LayerHead h : layers[r].heads()) {
            HeadAttention head = head(state, r, layers[r], h);
            for (int i = 0; i < n; i++) {
              // A sum for each row: adding n^2 numbers to one would round n times as much.
              double row = 0;
              for (double s : head.allScores(i)) {
                row += Math.exp(s - layers[r].beta());
              }
              sum += row;
            }
          }
          return sum / ((double) n * n * layers[r].heads().size());
        });
  }

  private static HeadAttention head(
      ReferenceArray state, int r, Layer layer, Layer.LayerHead head) {
    Shape s = state.shape();
    if (layer.readsDirections()) {
      double[] theta = Algebra.directions(state.values(), state.at(r), s.n(), s.d());
      return new HeadAttention(theta, 0, s.n(), s.d(), layer, head);
    }
    return new HeadAttention(state.values(), state.at(r), s.n(), s.d(), layer, head);
  }

  @Override
  public PairStatistics[] innerProducts(State x, int bins) {
    ReferenceArray state = engine.own(x);
    PairStatistics[] out = new PairStatistics[x.shape().replicas()];
    for (int r = 0; r < out.length; r++) {
      out[r] = innerProducts(state, r, bins);
    }
    return out;
  }

  private static PairStatistics innerProducts(ReferenceArray state, int r, int bins) {
    int n = state.shape().n();
    long[] histogram = new long[bins];
    if (n == 1) {
      return new PairStatistics(Double.NaN, Double.NaN, Double.NaN, histogram);
    }
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (j == i) {
          continue;
        }
        double c = Pairs.cosine(state, r, i, j);
        min = Math.min(min, c);
        max = Math.max(max, c);
        sum += c;
        // An undefined cosine (a token of norm 0, a NaN) belongs to no bin.
        if (!Double.isNaN(c)) {
          int bin = (int) Math.floor((c + 1) / 2 * bins);
          histogram[Math.max(0, Math.min(bins - 1, bin))]++;
        }
      }
    }
    return new PairStatistics(min, sum / ((double) n * (n - 1)), max, histogram);
  }

  @Override
  public Clusters[] clusters(State x, Linkage linkage, double threshold) {
    ReferenceArray state = engine.own(x);
    Clusters[] out = new Clusters[x.shape().replicas()];
    for (int r = 0; r < out.length; r++) {
      out[r] = Pairs.components(state, r, linkage, threshold);
    }
    return out;
  }

  @Override
  public Spread[] distanceToFirst(State x) {
    ReferenceArray state = engine.own(x);
    int d = x.shape().d();
    return spreads(
        state,
        (r, i) ->
            Algebra.distance(state.values(), state.at(r) + i * d, state.values(), state.at(r), d));
  }

  @Override
  public Spread[] norms(State x) {
    ReferenceArray state = engine.own(x);
    int d = x.shape().d();
    return spreads(state, (r, i) -> Algebra.norm(state.values(), state.at(r) + i * d, d));
  }

  /** A number of one token of one replica. */
  private interface TokenValue {
    double of(int replica, int token);
  }

  private static Spread[] spreads(ReferenceArray state, TokenValue value) {
    Spread[] out = new Spread[state.shape().replicas()];
    for (int r = 0; r < out.length; r++) {
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      double sum = 0;
      for (int i = 0; i < state.shape().n(); i++) {
        double v = value.of(r, i);
        min = Math.min(min, v);
        max = Math.max(max, v);
        sum += v;
      }
      out[r] = new Spread(min, sum / state.shape().n(), max);
    }
    return out;
  }

  @Override
  public double[] orderParameter(State x) {
    ReferenceArray state = engine.own(x);
    int n = x.shape().n();
    int d = x.shape().d();
    return each(
        state,
        r -> {
          double[] mean = new double[d];
          for (int i = 0; i < n; i++) {
            for (int a = 0; a < d; a++) {
              mean[a] += state.values()[state.at(r) + i * d + a] / n;
            }
          }
          return Algebra.norm(mean, 0, d);
        });
  }

  @Override
  public double[] attentionEntropy(State x, Layer[] layers) {
    ReferenceArray state = engine.own(x);
    engine.check(x.shape(), Arrays.asList(layers));
    int n = x.shape().n();
    return each(
        state,
        r -> {
          double sum = 0;
          long rows = 0;
          for (Layer.LayerHead h : layers[r].heads()) {
            HeadAttention head = head(state, r, layers[r], h);
            for (int i = 0; i < n; i++) {
              if (head.scores(i).live() > 0) {
                sum += head.entropy(i);
                rows++;
              }
            }
          }
          return sum / rows;
        });
  }

  @Override
  public double[][] secondMoment(State x) {
    ReferenceArray state = engine.own(x);
    int n = x.shape().n();
    int d = x.shape().d();
    double[][] out = new double[x.shape().replicas()][d * d];
    for (int r = 0; r < out.length; r++) {
      for (int i = 0; i < n; i++) {
        int at = state.at(r) + i * d;
        for (int a = 0; a < d; a++) {
          for (int b = 0; b < d; b++) {
            out[r][a * d + b] += state.values()[at + a] * state.values()[at + b] / n;
          }
        }
      }
    }
    return out;
  }

  @Override
  public NonFinite[] nonFinite(State x) {
    ReferenceArray state = engine.own(x);
    int size = x.shape().n() * x.shape().d();
    NonFinite[] out = new NonFinite[x.shape().replicas()];
    for (int r = 0; r < out.length; r++) {
      long count = 0;
      int first = -1;
      for (int a = 0; a < size; a++) {
        if (!Double.isFinite(state.values()[state.at(r) + a])) {
          count++;
          first = first < 0 ? a / x.shape().d() : first;
        }
      }
      out[r] = new NonFinite(count, first);
    }
    return out;
  }

  @Override
  public double[][] attentionRows(State x, Layer layer, int head, int replica, int[] rows) {
    ReferenceArray state = engine.own(x);
    if (head < 0
        || head >= layer.heads().size()
        || replica < 0
        || replica >= x.shape().replicas()) {
      throw new EngineException(
          EngineException.Kind.REQUEST,
          String.format(
              "head %d of replica %d was asked for, but there are %d heads and %d replicas",
              head, replica, layer.heads().size(), x.shape().replicas()));
    }
    HeadAttention attention = head(state, replica, layer, layer.heads().get(head));
    double[][] out = new double[rows.length][];
    for (int k = 0; k < rows.length; k++) {
      out[k] = attention.weights(rows[k]);
    }
    return out;
  }
}
