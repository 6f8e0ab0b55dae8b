package org.starling.analysis;

import java.util.Objects;

/**
 * Positions of one replica at one time.
 *
 * @param x row-major {@code [n][d]}, float64; not copied, and never changed here
 * @param n number of tokens, at least 1
 * @param d dimension, at least 1
 */
public record Tokens(double[] x, int n, int d) {
  public Tokens {
    Objects.requireNonNull(x);
    if (n < 1 || d < 1 || x.length != (long) n * d) {
      throw new IllegalArgumentException(
          "positions of " + n + " tokens in " + d + " dimensions are not " + x.length + " numbers");
    }
    for (int k = 0; k < x.length; k++) {
      if (!Double.isFinite(x[k])) {
        throw new IllegalArgumentException(
            "coordinate " + k % d + " of token " + k / d + " is " + x[k] + "; nothing is measured");
      }
    }
  }

  /** Tokens given row by row, all of one length. */
  public static Tokens of(double[]... rows) {
    int d = rows[0].length;
    double[] x = new double[rows.length * d];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].length != d) {
        throw new IllegalArgumentException(
            "token " + i + " has " + rows[i].length + " coordinates, token 0 has " + d);
      }
      System.arraycopy(rows[i], 0, x, i * d, d);
    }
    return new Tokens(x, rows.length, d);
  }

  /** Unit vectors (cos phi_i, sin phi_i) in the plane. */
  public static Tokens onCircle(double... angles) {
    double[] x = new double[2 * angles.length];
    for (int i = 0; i < angles.length; i++) {
      x[2 * i] = Math.cos(angles[i]);
      x[2 * i + 1] = Math.sin(angles[i]);
    }
    return new Tokens(x, angles.length, 2);
  }

  /** Coordinate c of token i. */
  public double at(int i, int c) {
    return x[i * d + c];
  }

  /** A copy of token i, {@code [d]}. */
  public double[] row(int i) {
    return java.util.Arrays.copyOfRange(x, i * d, (i + 1) * d);
  }

  /** &lt;x_i, x_j&gt;. */
  public double dot(int i, int j) {
    double sum = 0;
    for (int c = 0; c < d; c++) {
      sum += x[i * d + c] * x[j * d + c];
    }
    return sum;
  }

  /** &lt;x_i, y&gt; for y {@code [d]}. */
  public double dot(int i, double[] y) {
    double sum = 0;
    for (int c = 0; c < d; c++) {
      sum += x[i * d + c] * y[c];
    }
    return sum;
  }

  /** |x_i|. */
  public double norm(int i) {
    return Math.sqrt(dot(i, i));
  }

  /** |x_i - x_j|. */
  public double distance(int i, int j) {
    return Math.sqrt(squaredDistance(i, j));
  }

  /** |x_i - x_j|^2. */
  public double squaredDistance(int i, int j) {
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double difference = x[i * d + c] - x[j * d + c];
      sum += difference * difference;
    }
    return sum;
  }

  /**
   * Angle between x_i and x_j in [0, pi], exact for small ones too: 2 atan2(|u - v|, |u + v|) of
   * the unit vectors u, v (Kahan). NaN if one of them is 0.
   */
  public double angle(int i, int j) {
    double a = norm(i);
    double b = norm(j);
    double minus = 0;
    double plus = 0;
    for (int c = 0; c < d; c++) {
      double u = x[i * d + c] / a;
      double v = x[j * d + c] / b;
      minus += (u - v) * (u - v);
      plus += (u + v) * (u + v);
    }
    return 2 * Math.atan2(Math.sqrt(minus), Math.sqrt(plus));
  }

  /** Polar angles atan2(x_2, x_1) in (-pi, pi] of tokens in the plane, {@code [n]}. */
  public double[] polarAngles() {
    if (d != 2) {
      throw new IllegalArgumentException("polar angles need d = 2, not d = " + d);
    }
    double[] angles = new double[n];
    for (int i = 0; i < n; i++) {
      angles[i] = Math.atan2(at(i, 1), at(i, 0));
    }
    return angles;
  }
}
