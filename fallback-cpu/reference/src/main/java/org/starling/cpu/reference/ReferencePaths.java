package org.starling.cpu.reference;

import java.util.List;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;
import org.starling.core.paths.PathAttention;
import org.starling.core.paths.PathFeatures;
import org.starling.core.paths.PathOperations;
import org.starling.core.paths.Sequences;

/** The definition of the path operations: every path by itself, plain float64 loops. */
final class ReferencePaths implements PathOperations {
  @Override
  public EngineIdentity identity() {
    return ReferenceIdentity.of();
  }

  @Override
  public Precision precision() {
    return Precision.DOUBLE;
  }

  @Override
  public PathFeatures features(PathAttention attention, Sequences inputs, double scale) {
    int n = attention.paths();
    int width = attention.width();
    double[] values = new double[Math.multiplyExact(inputs.count() * n, width)];
    for (int a = 0; a < inputs.count(); a++) {
      for (int path = 0; path < n; path++) {
        double[] v = weights(attention, inputs, a, path);
        for (int s = 0; s < inputs.tokens(); s++) {
          for (int i = 0; i < width; i++) {
            values[(a * n + path) * width + i] += scale * v[s] * x(inputs, a, s, i);
          }
        }
      }
    }
    return new Held(inputs.count(), n, width, values);
  }

  /** v = A^{1,h1} ... A^{L-1,h} a^{L,h} of one example and one path, {@code [tokens]}. */
  private static double[] weights(PathAttention attention, Sequences inputs, int a, int path) {
    int tokens = inputs.tokens();
    int depth = attention.depth();
    int[] heads = new int[depth];
    int rest = path;
    for (int l = depth - 1; l >= 0; l--) {
      heads[l] = rest % attention.heads(l);
      rest /= attention.heads(l);
    }
    double[][] last = attention(attention, inputs, a, depth - 1, heads[depth - 1]);
    int query = attention.readout().query(tokens);
    double[] v = new double[tokens];
    for (int s = 0; s < tokens; s++) {
      for (int t = 0; t < tokens; t++) {
        v[s] += query < 0 ? last[s][t] / tokens : t == query ? last[s][t] : 0;
      }
    }
    for (int l = depth - 2; l >= 0; l--) {
      double[][] matrix = attention(attention, inputs, a, l, heads[l]);
      double[] before = new double[tokens];
      for (int s = 0; s < tokens; s++) {
        for (int t = 0; t < tokens; t++) {
          before[s] += matrix[s][t] * v[t];
        }
      }
      v = before;
    }
    return v;
  }

  /** A of one head, {@code [key][query]}. */
  private static double[][] attention(
      PathAttention attention, Sequences inputs, int a, int layer, int head) {
    List<double[]> heads = attention.layers().get(layer);
    double[] w = heads.get(head);
    int tokens = inputs.tokens();
    int width = attention.width();
    double[][] matrix = new double[tokens][tokens];
    for (int t = 0; t < tokens; t++) {
      double[] projected = new double[width];
      for (int i = 0; i < width; i++) {
        for (int j = 0; j < width; j++) {
          projected[i] += w[i * width + j] * x(inputs, a, t, j);
        }
      }
      double[] logits = new double[tokens];
      int largest = 0;
      for (int s = 0; s < tokens; s++) {
        for (int i = 0; i < width; i++) {
          logits[s] += x(inputs, a, s, i) * projected[i];
        }
        largest = logits[s] > logits[largest] ? s : largest;
      }
      double sum = 0;
      for (int s = 0; s < tokens; s++) {
        boolean chosen = s == largest;
        matrix[s][t] =
            attention.hardmax() ? (chosen ? 1 : 0) : Math.exp(logits[s] - logits[largest]);
        sum += matrix[s][t];
      }
      for (int s = 0; s < tokens; s++) {
        matrix[s][t] /= sum;
      }
    }
    return matrix;
  }

  private static double x(Sequences inputs, int a, int s, int i) {
    return inputs.x()[(a * inputs.tokens() + s) * inputs.width() + i];
  }

  @Override
  public PathFeatures upload(int count, int paths, int width, double[] values) {
    return new Held(count, paths, width, values.clone());
  }

  @Override
  public double[] download(PathFeatures features) {
    return ((Held) features).values().clone();
  }

  @Override
  public void pathKernel(PathFeatures rows, PathFeatures columns, int p, int q, double[] out) {
    for (int a = 0; a < rows.count(); a++) {
      for (int b = 0; b < columns.count(); b++) {
        out[a * columns.count() + b] = product((Held) rows, (Held) columns, a, b, p, q);
      }
    }
  }

  @Override
  public void kernel(PathFeatures rows, PathFeatures columns, double[] u, double[] out) {
    int n = rows.paths();
    for (int a = 0; a < rows.count(); a++) {
      for (int b = 0; b < columns.count(); b++) {
        double sum = 0;
        for (int p = 0; p < n; p++) {
          sum += u[p * n + p] * product((Held) rows, (Held) columns, a, b, p, p);
          for (int q = 0; q < p; q++) {
            sum +=
                u[p * n + q]
                    * (product((Held) rows, (Held) columns, a, b, p, q)
                        + product((Held) rows, (Held) columns, a, b, q, p));
          }
        }
        out[a * columns.count() + b] = sum;
      }
    }
  }

  @Override
  public void contract(PathFeatures features, double[] m, double[] out) {
    int n = features.paths();
    int count = features.count();
    Held f = (Held) features;
    for (int p = 0; p < n; p++) {
      for (int q = 0; q <= p; q++) {
        double sum = 0;
        for (int a = 0; a < count; a++) {
          for (int b = 0; b < count; b++) {
            sum += m[a * count + b] * product(f, f, a, b, p, q);
          }
        }
        out[p * n + q] = sum;
        out[q * n + p] = sum;
      }
    }
  }

  private static double product(Held x, Held y, int a, int b, int p, int q) {
    double sum = 0;
    for (int i = 0; i < x.width(); i++) {
      sum +=
          x.values()[(a * x.paths() + p) * x.width() + i]
              * y.values()[(b * y.paths() + q) * y.width() + i];
    }
    return sum;
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
