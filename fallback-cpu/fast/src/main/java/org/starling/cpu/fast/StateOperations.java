package org.starling.cpu.fast;

import java.util.Arrays;
import org.starling.core.engine.Engine.Extreme;
import org.starling.core.model.Philox;

/** Operations that touch every coordinate once; arithmetic in float64, one rounding at the end. */
final class StateOperations {
  private static final int BLOCK = 256;

  void combine(
      FastState out, FastState x, double[][] coefficients, FastState[] k, boolean[] active) {
    int d = x.shape.d();
    forEachToken(
        x,
        active,
        (r, at) -> {
          for (int c = at; c < at + d; c++) {
            double sum = 0;
            for (int m = 0; m < k.length; m++) {
              sum += coefficients[m][r] * k[m].get(c);
            }
            out.set(c, x.get(c) + sum);
          }
        });
  }

  /** Logarithms and angles take their time, but less than a token's row of scores. */
  void addNoise(
      FastState out,
      FastState x,
      Philox[] streams,
      long[] step,
      double[] scale,
      boolean tangent,
      boolean[] active) {
    int n = x.shape.n();
    int d = x.shape.d();
    forEachToken(
        x,
        active,
        (r, at) -> {
          double[] xi = new double[d];
          streams[r].gaussians(step[r], at / d - r * n, xi, 0, d);
          double along = 0;
          if (tangent) {
            double radial = 0;
            double square = 0;
            for (int c = 0; c < d; c++) {
              radial += xi[c] * x.get(at + c);
              square += x.get(at + c) * x.get(at + c);
            }
            along = radial / square;
          }
          for (int c = 0; c < d; c++) {
            double y = tangent ? xi[c] - along * x.get(at + c) : xi[c];
            out.set(at + c, out.get(at + c) + scale[r] * y);
          }
        });
  }

  void retract(FastState out, FastState x, boolean[] active) {
    int d = x.shape.d();
    forEachToken(
        x,
        active,
        (r, at) -> {
          double norm = norm(x, at, d);
          boolean defined = norm > 0 && norm < Double.POSITIVE_INFINITY;
          for (int c = at; c < at + d; c++) {
            out.set(c, defined ? x.get(c) / norm : Double.NaN);
          }
        });
  }

  double[] errorNorm(
      FastState x,
      FastState y,
      double[][] coefficients,
      FastState[] k,
      double atol,
      double rtol,
      boolean[] active) {
    int n = x.shape.n();
    int d = x.shape.d();
    double[] error = new double[x.shape.replicas() * n];
    forEachToken(
        x,
        active,
        (r, at) -> {
          double square = 0;
          double largest = 0;
          for (int c = at; c < at + d; c++) {
            double e = 0;
            for (int m = 0; m < k.length; m++) {
              e += coefficients[m][r] * k[m].get(c);
            }
            square += e * e;
            largest = Math.max(largest, Math.abs(e));
          }
          // A square can underflow where the number itself does not.
          double length = square > Double.MIN_NORMAL ? Math.sqrt(square) : largest;
          double e = length / (atol + rtol * Math.max(norm(x, at, d), norm(y, at, d)));
          error[at / d] = Double.isFinite(e) ? e : Double.NaN;
        });
    double[] result = new double[active.length];
    for (int r = 0; r < result.length; r++) {
      for (int i = r * n; active[r] && i < (r + 1) * n; i++) {
        result[r] = Math.max(result[r], error[i]);
      }
    }
    return result;
  }

  Extreme[] largest(FastState v, boolean[] active) {
    int n = v.shape.n();
    int d = v.shape.d();
    double[] speed = new double[v.shape.replicas() * n];
    forEachToken(v, active, (r, at) -> speed[at / d] = norm(v, at, d));
    Extreme[] result = new Extreme[active.length];
    Arrays.fill(result, new Extreme(0, 0));
    for (int r = 0; r < result.length; r++) {
      int token = 0;
      for (int i = 0; active[r] && i < n; i++) {
        double s = speed[r * n + i];
        if (Double.isNaN(s)) {
          token = i;
          break;
        }
        if (s > speed[r * n + token]) {
          token = i;
        }
      }
      if (active[r]) {
        result[r] = new Extreme(speed[r * n + token], token);
      }
    }
    return result;
  }

  /** |x_i| without overflow or underflow of the squares; NaN where a coordinate is not finite. */
  static double norm(FastState x, int at, int d) {
    double largest = 0;
    for (int c = at; c < at + d; c++) {
      double a = Math.abs(x.get(c));
      if (!(a < Double.POSITIVE_INFINITY)) {
        return Double.NaN;
      }
      largest = Math.max(largest, a);
    }
    if (largest == 0) {
      return 0;
    }
    int exponent = Math.getExponent(largest);
    // Ordinary magnitudes need no scaling; a power of two changes no bits elsewhere.
    double scale = exponent > -400 && exponent < 400 ? 1 : Math.scalb(1.0, -exponent);
    double square = 0;
    for (int c = at; c < at + d; c++) {
      double a = x.get(c) * scale;
      square += a * a;
    }
    return Math.sqrt(square) / scale;
  }

  private interface Token {
    void run(int replica, int at);
  }

  private static void forEachToken(FastState x, boolean[] active, Token token) {
    int n = x.shape.n();
    int d = x.shape.d();
    Replicas.forEach(
        x.shape.replicas(),
        n,
        r -> {
          if (active[r]) {
            Rows.forEachBlock(
                n,
                BLOCK,
                (from, to) -> {
                  for (int i = from; i < to; i++) {
                    token.run(r, (r * n + i) * d);
                  }
                });
          }
        });
  }
}
