package org.starling.cpu.fast;

import org.starling.core.engine.Observations;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** Observables of the java engine, in float64 on the positions that the state holds. */
final class FastObservations implements Observations {
  private final FastEngine engine;

  FastObservations(FastEngine engine) {
    this.engine = engine;
  }

  private interface PerReplica {
    void run(int replica, double[] x, int n, int d);
  }

  private void each(State state, PerReplica body) {
    FastState s = engine.own(state);
    int n = s.shape.n();
    int d = s.shape.d();
    Replicas.forEach(
        s.shape.replicas(),
        n,
        r -> {
          double[] x = new double[n * d];
          for (int k = 0; k < x.length; k++) {
            x[k] = s.get(r * n * d + k);
          }
          body.run(r, x, n, d);
        });
  }

  @Override
  public double[] energy(State x, Layer[] layers) {
    double[] result = new double[layers.length];
    each(x, (r, p, n, d) -> result[r] = AttentionStatistics.energy(layers[r], p, n, d));
    return result;
  }

  @Override
  public double[] attentionEntropy(State x, Layer[] layers) {
    double[] result = new double[layers.length];
    each(
        x,
        (r, p, n, d) ->
            result[r] = AttentionStatistics.entropy(layers[r], read(layers[r], p, n, d), n, d));
    return result;
  }

  @Override
  public double[][] attentionRows(State x, Layer layer, int head, int replica, int[] rows) {
    double[][][] result = new double[1][][];
    each(
        x,
        (r, p, n, d) -> {
          if (r == replica) {
            result[0] = AttentionStatistics.rows(layer, head, read(layer, p, n, d), n, d, rows);
          }
        });
    return result[0];
  }

  /** What attention of a layer reads of positions p, {@code [n][d]}: p, or directions in place. */
  private static double[] read(Layer layer, double[] p, int n, int d) {
    for (int i = 0; layer.readsDirections() && i < n; i++) {
      double norm = 0;
      for (int c = i * d; c < (i + 1) * d; c++) {
        norm = Math.hypot(norm, p[c]);
      }
      for (int c = i * d; c < (i + 1) * d; c++) {
        p[c] /= norm;
      }
    }
    return p;
  }

  @Override
  public PairStatistics[] innerProducts(State x, int bins) {
    PairStatistics[] result = new PairStatistics[x.shape().replicas()];
    each(x, (r, p, n, d) -> result[r] = PairScan.cosines(p, n, d, bins));
    return result;
  }

  @Override
  public Clusters[] clusters(State x, Linkage linkage, double threshold) {
    Clusters[] result = new Clusters[x.shape().replicas()];
    each(x, (r, p, n, d) -> result[r] = PairScan.clusters(p, n, d, linkage, threshold));
    return result;
  }

  @Override
  public Spread[] distanceToFirst(State x) {
    Spread[] result = new Spread[x.shape().replicas()];
    each(
        x,
        (r, p, n, d) -> {
          double[] distance = new double[n];
          for (int i = 0; i < n; i++) {
            distance[i] = Math.sqrt(PairScan.squaredDistance(p, 0, i * d, d));
          }
          result[r] = spread(distance);
        });
    return result;
  }

  @Override
  public Spread[] norms(State x) {
    FastState s = engine.own(x);
    Spread[] result = new Spread[s.shape.replicas()];
    int n = s.shape.n();
    int d = s.shape.d();
    for (int r = 0; r < result.length; r++) {
      double[] norm = new double[n];
      for (int i = 0; i < n; i++) {
        norm[i] = StateOperations.norm(s, (r * n + i) * d, d);
      }
      result[r] = spread(norm);
    }
    return result;
  }

  private static Spread spread(double[] values) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    double sum = 0;
    for (double v : values) {
      min = Math.min(min, v);
      max = Math.max(max, v);
      sum += v;
    }
    return new Spread(min, sum / values.length, max);
  }

  @Override
  public double[] orderParameter(State x) {
    double[] result = new double[x.shape().replicas()];
    each(
        x,
        (r, p, n, d) -> {
          double square = 0;
          for (int c = 0; c < d; c++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
              sum += p[i * d + c];
            }
            square += sum / n * (sum / n);
          }
          result[r] = Math.sqrt(square);
        });
    return result;
  }

  @Override
  public double[][] secondMoment(State x) {
    double[][] result = new double[x.shape().replicas()][];
    each(
        x,
        (r, p, n, d) -> {
          double[] m = new double[Math.multiplyExact(d, d)];
          Rows.forEachBlock(
              d,
              RowKernel.BLOCK,
              (from, to) -> {
                for (int i = 0; i < n; i++) {
                  for (int a = from; a < to; a++) {
                    double xa = p[i * d + a] / n;
                    for (int b = 0; b < d; b++) {
                      m[a * d + b] += xa * p[i * d + b];
                    }
                  }
                }
              });
          result[r] = m;
        });
    return result;
  }

  @Override
  public NonFinite[] nonFinite(State x) {
    NonFinite[] result = new NonFinite[x.shape().replicas()];
    each(
        x,
        (r, p, n, d) -> {
          long count = 0;
          int first = -1;
          for (int k = 0; k < p.length; k++) {
            if (!Double.isFinite(p[k])) {
              count++;
              first = first < 0 ? k / d : first;
            }
          }
          result[r] = new NonFinite(count, first);
        });
    return result;
  }
}
