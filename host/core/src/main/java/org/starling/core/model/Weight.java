package org.starling.core.model;

import java.util.Arrays;

/**
 * A constant matrix of the model in its cheapest exact form, float64. Rows act on column vectors:
 * (W x)_a = sum_b W_ab x_b.
 */
public sealed interface Weight {
  /** Number of rows. */
  int rows();

  /** Number of columns. */
  int columns();

  /** Row-major copy, {@code [rows][columns]} flattened. */
  double[] dense();

  /** The matrix transposed. */
  Weight transposed();

  /** Largest sum of absolute entries of a row: bounds |W x| over |x| in the maximum norm. */
  default double rowSumNorm() {
    if (this instanceof Scalar s) {
      return Math.abs(s.c);
    }
    double[] a = dense();
    double largest = 0;
    for (int i = 0; i < rows(); i++) {
      double sum = 0;
      for (int j = 0; j < columns(); j++) {
        sum += Math.abs(a[i * columns() + j]);
      }
      largest = Math.max(largest, sum);
    }
    return largest;
  }

  /** At least the spectral norm: the geometric mean of the largest row and column sums. */
  default double spectralBound() {
    return isScalar() ? rowSumNorm() : Math.sqrt(rowSumNorm() * transposed().rowSumNorm());
  }

  /** True for c I. */
  default boolean isScalar() {
    return this instanceof Scalar;
  }

  static Weight identity(int d) {
    return new Scalar(d, 1);
  }

  static Weight scalar(int d, double c) {
    return new Scalar(d, c);
  }

  static Weight diagonal(double... entries) {
    return new Diagonal(entries.clone());
  }

  /** Dense matrix; the array is copied. */
  static Weight dense(int rows, int columns, double[] rowMajor) {
    return new Dense(rows, columns, rowMajor.clone());
  }

  /** c I in d dimensions. */
  record Scalar(int d, double c) implements Weight {
    @Override
    public int rows() {
      return d;
    }

    @Override
    public int columns() {
      return d;
    }

    @Override
    public double[] dense() {
      double[] a = new double[d * d];
      for (int i = 0; i < d; i++) {
        a[i * d + i] = c;
      }
      return a;
    }

    @Override
    public Weight transposed() {
      return this;
    }
  }

  /** diag(entries). */
  record Diagonal(double[] entries) implements Weight {
    @Override
    public int rows() {
      return entries.length;
    }

    @Override
    public int columns() {
      return entries.length;
    }

    @Override
    public double[] dense() {
      int d = entries.length;
      double[] a = new double[d * d];
      for (int i = 0; i < d; i++) {
        a[i * d + i] = entries[i];
      }
      return a;
    }

    @Override
    public Weight transposed() {
      return this;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Diagonal other && Arrays.equals(entries, other.entries);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(entries);
    }
  }

  /** General matrix, row-major. */
  record Dense(int rows, int columns, double[] entries) implements Weight {
    public Dense {
      if (entries.length != (long) rows * columns) {
        throw new IllegalArgumentException(
            "a "
                + rows
                + " x "
                + columns
                + " matrix needs "
                + (long) rows * columns
                + " entries, got "
                + entries.length);
      }
    }

    @Override
    public double[] dense() {
      return entries.clone();
    }

    @Override
    public Weight transposed() {
      double[] a = new double[entries.length];
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
          a[j * rows + i] = entries[i * columns + j];
        }
      }
      return new Dense(columns, rows, a);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Dense other
          && rows == other.rows
          && columns == other.columns
          && Arrays.equals(entries, other.entries);
    }

    @Override
    public int hashCode() {
      return 31 * rows + Arrays.hashCode(entries);
    }
  }

  /** The product W U; stays scalar or diagonal where both factors are. */
  default Weight times(Weight u) {
    if (columns() != u.rows()) {
      throw new IllegalArgumentException(
          "cannot multiply "
              + rows()
              + " x "
              + columns()
              + " by "
              + u.rows()
              + " x "
              + u.columns());
    }
    if (this instanceof Scalar a && u instanceof Scalar b) {
      return new Scalar(a.d, a.c * b.c);
    }
    if (this instanceof Scalar a) {
      return u.scaled(a.c);
    }
    if (u instanceof Scalar b) {
      return scaled(b.c);
    }
    if (this instanceof Diagonal a && u instanceof Diagonal b) {
      double[] e = new double[a.entries.length];
      for (int i = 0; i < e.length; i++) {
        e[i] = a.entries[i] * b.entries[i];
      }
      return new Diagonal(e);
    }
    int m = rows();
    int n = u.columns();
    double[] c = MatrixProduct.of(dense(), u.dense(), m, columns(), n);
    return new Dense(m, n, c);
  }

  /** The matrix times a number. */
  default Weight scaled(double c) {
    if (c == 1) {
      return this;
    }
    if (this instanceof Scalar a) {
      return new Scalar(a.d, a.c * c);
    }
    double[] e = this instanceof Diagonal g ? g.entries.clone() : dense();
    for (int i = 0; i < e.length; i++) {
      e[i] *= c;
    }
    return this instanceof Diagonal ? new Diagonal(e) : new Dense(rows(), columns(), e);
  }
}
