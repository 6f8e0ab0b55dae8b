package org.starling.cpu.fast;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tiles of {@link VectorTilesDouble} with differences from the row's own token in place of the
 * products' second factor.
 */
final class VectorDifferencesDouble {
  private static final VectorSpecies<Double> S = DoubleVector.SPECIES_PREFERRED;
  private static final int W = S.length();
  private static final int WIDTH = 2 * W;

  private VectorDifferencesDouble() {}

  /** Relative scores of four keys from {@code at} on. */
  static void relative4(double[] keys, int at, int d, double[] y, double[] x, double[] s, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector b0 = DoubleVector.zero(S);
    DoubleVector b1 = DoubleVector.zero(S);
    DoubleVector c0 = DoubleVector.zero(S);
    DoubleVector c1 = DoubleVector.zero(S);
    DoubleVector d0 = DoubleVector.zero(S);
    DoubleVector d1 = DoubleVector.zero(S);
    for (int c = 0; c < d; c++) {
      DoubleVector q0 = DoubleVector.fromArray(S, y, c * WIDTH);
      DoubleVector q1 = DoubleVector.fromArray(S, y, c * WIDTH + W);
      DoubleVector x0 = DoubleVector.fromArray(S, x, c * WIDTH);
      DoubleVector x1 = DoubleVector.fromArray(S, x, c * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, keys[at + c]);
      a0 = z.sub(x0).fma(q0, a0);
      a1 = z.sub(x1).fma(q1, a1);
      z = DoubleVector.broadcast(S, keys[at + d + c]);
      b0 = z.sub(x0).fma(q0, b0);
      b1 = z.sub(x1).fma(q1, b1);
      z = DoubleVector.broadcast(S, keys[at + 2 * d + c]);
      c0 = z.sub(x0).fma(q0, c0);
      c1 = z.sub(x1).fma(q1, c1);
      z = DoubleVector.broadcast(S, keys[at + 3 * d + c]);
      d0 = z.sub(x0).fma(q0, d0);
      d1 = z.sub(x1).fma(q1, d1);
    }
    a0.intoArray(s, to);
    a1.intoArray(s, to + W);
    b0.intoArray(s, to + WIDTH);
    b1.intoArray(s, to + WIDTH + W);
    c0.intoArray(s, to + 2 * WIDTH);
    c1.intoArray(s, to + 2 * WIDTH + W);
    d0.intoArray(s, to + 3 * WIDTH);
    d1.intoArray(s, to + 3 * WIDTH + W);
  }

  /** Relative scores of one key. */
  static void relative1(double[] keys, int at, int d, double[] y, double[] x, double[] s, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    for (int c = 0; c < d; c++) {
      DoubleVector q0 = DoubleVector.fromArray(S, y, c * WIDTH);
      DoubleVector q1 = DoubleVector.fromArray(S, y, c * WIDTH + W);
      DoubleVector x0 = DoubleVector.fromArray(S, x, c * WIDTH);
      DoubleVector x1 = DoubleVector.fromArray(S, x, c * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, keys[at + c]);
      a0 = z.sub(x0).fma(q0, a0);
      a1 = z.sub(x1).fma(q1, a1);
    }
    a0.intoArray(s, to);
    a1.intoArray(s, to + W);
  }

  /** Adds the differences of four coordinates from {@code at} on. */
  static void differences4(
      double[] values,
      int at,
      int d,
      double[] p,
      int k0,
      int k1,
      double[] x,
      double[] acc,
      int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector b0 = DoubleVector.zero(S);
    DoubleVector b1 = DoubleVector.zero(S);
    DoubleVector c0 = DoubleVector.zero(S);
    DoubleVector c1 = DoubleVector.zero(S);
    DoubleVector d0 = DoubleVector.zero(S);
    DoubleVector d1 = DoubleVector.zero(S);
    DoubleVector x00 = DoubleVector.fromArray(S, x, to);
    DoubleVector x01 = DoubleVector.fromArray(S, x, to + W);
    DoubleVector x10 = DoubleVector.fromArray(S, x, to + WIDTH);
    DoubleVector x11 = DoubleVector.fromArray(S, x, to + WIDTH + W);
    DoubleVector x20 = DoubleVector.fromArray(S, x, to + 2 * WIDTH);
    DoubleVector x21 = DoubleVector.fromArray(S, x, to + 2 * WIDTH + W);
    DoubleVector x30 = DoubleVector.fromArray(S, x, to + 3 * WIDTH);
    DoubleVector x31 = DoubleVector.fromArray(S, x, to + 3 * WIDTH + W);
    int from = at;
    for (int k = k0; k < k1; k++) {
      DoubleVector p0 = DoubleVector.fromArray(S, p, k * WIDTH);
      DoubleVector p1 = DoubleVector.fromArray(S, p, k * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, values[from]);
      a0 = z.sub(x00).fma(p0, a0);
      a1 = z.sub(x01).fma(p1, a1);
      z = DoubleVector.broadcast(S, values[from + 1]);
      b0 = z.sub(x10).fma(p0, b0);
      b1 = z.sub(x11).fma(p1, b1);
      z = DoubleVector.broadcast(S, values[from + 2]);
      c0 = z.sub(x20).fma(p0, c0);
      c1 = z.sub(x21).fma(p1, c1);
      z = DoubleVector.broadcast(S, values[from + 3]);
      d0 = z.sub(x30).fma(p0, d0);
      d1 = z.sub(x31).fma(p1, d1);
      from += d;
    }
    a0.add(DoubleVector.fromArray(S, acc, to)).intoArray(acc, to);
    a1.add(DoubleVector.fromArray(S, acc, to + W)).intoArray(acc, to + W);
    b0.add(DoubleVector.fromArray(S, acc, to + WIDTH)).intoArray(acc, to + WIDTH);
    b1.add(DoubleVector.fromArray(S, acc, to + WIDTH + W)).intoArray(acc, to + WIDTH + W);
    c0.add(DoubleVector.fromArray(S, acc, to + 2 * WIDTH)).intoArray(acc, to + 2 * WIDTH);
    c1.add(DoubleVector.fromArray(S, acc, to + 2 * WIDTH + W)).intoArray(acc, to + 2 * WIDTH + W);
    d0.add(DoubleVector.fromArray(S, acc, to + 3 * WIDTH)).intoArray(acc, to + 3 * WIDTH);
    d1.add(DoubleVector.fromArray(S, acc, to + 3 * WIDTH + W)).intoArray(acc, to + 3 * WIDTH + W);
  }

  /** Adds the differences of one coordinate. */
  static void differences1(
      double[] values,
      int at,
      int d,
      double[] p,
      int k0,
      int k1,
      double[] x,
      double[] acc,
      int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector x00 = DoubleVector.fromArray(S, x, to);
    DoubleVector x01 = DoubleVector.fromArray(S, x, to + W);
    int from = at;
    for (int k = k0; k < k1; k++) {
      DoubleVector p0 = DoubleVector.fromArray(S, p, k * WIDTH);
      DoubleVector p1 = DoubleVector.fromArray(S, p, k * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, values[from]);
      a0 = z.sub(x00).fma(p0, a0);
      a1 = z.sub(x01).fma(p1, a1);
      from += d;
    }
    a0.add(DoubleVector.fromArray(S, acc, to)).intoArray(acc, to);
    a1.add(DoubleVector.fromArray(S, acc, to + W)).intoArray(acc, to + W);
  }
}
