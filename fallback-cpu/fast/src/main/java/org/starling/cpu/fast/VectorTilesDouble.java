package org.starling.cpu.fast;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of a strip of rows with keys and values in float64, in tiles that grow in registers: two
 * vectors of rows by eight, four or one. They are written out since the compiler keeps no array of
 * vectors in registers.
 */
final class VectorTilesDouble {
  private static final VectorSpecies<Double> S = DoubleVector.SPECIES_PREFERRED;
  private static final int W = S.length();
  private static final int WIDTH = 2 * W;

  private VectorTilesDouble() {}

  /** Scores of eight keys from {@code at} on. */
  static void scores8(double[] keys, int at, int d, double[] y, double[] s, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector b0 = DoubleVector.zero(S);
    DoubleVector b1 = DoubleVector.zero(S);
    DoubleVector c0 = DoubleVector.zero(S);
    DoubleVector c1 = DoubleVector.zero(S);
    DoubleVector d0 = DoubleVector.zero(S);
    DoubleVector d1 = DoubleVector.zero(S);
    DoubleVector e0 = DoubleVector.zero(S);
    DoubleVector e1 = DoubleVector.zero(S);
    DoubleVector f0 = DoubleVector.zero(S);
    DoubleVector f1 = DoubleVector.zero(S);
    DoubleVector g0 = DoubleVector.zero(S);
    DoubleVector g1 = DoubleVector.zero(S);
    DoubleVector h0 = DoubleVector.zero(S);
    DoubleVector h1 = DoubleVector.zero(S);
    for (int c = 0; c < d; c++) {
      DoubleVector q0 = DoubleVector.fromArray(S, y, c * WIDTH);
      DoubleVector q1 = DoubleVector.fromArray(S, y, c * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, keys[at + c]);
      a0 = z.fma(q0, a0);
      a1 = z.fma(q1, a1);
      z = DoubleVector.broadcast(S, keys[at + d + c]);
      b0 = z.fma(q0, b0);
      b1 = z.fma(q1, b1);
      z = DoubleVector.broadcast(S, keys[at + 2 * d + c]);
      c0 = z.fma(q0, c0);
      c1 = z.fma(q1, c1);
      z = DoubleVector.broadcast(S, keys[at + 3 * d + c]);
      d0 = z.fma(q0, d0);
      d1 = z.fma(q1, d1);
      z = DoubleVector.broadcast(S, keys[at + 4 * d + c]);
      e0 = z.fma(q0, e0);
      e1 = z.fma(q1, e1);
      z = DoubleVector.broadcast(S, keys[at + 5 * d + c]);
      f0 = z.fma(q0, f0);
      f1 = z.fma(q1, f1);
      z = DoubleVector.broadcast(S, keys[at + 6 * d + c]);
      g0 = z.fma(q0, g0);
      g1 = z.fma(q1, g1);
      z = DoubleVector.broadcast(S, keys[at + 7 * d + c]);
      h0 = z.fma(q0, h0);
      h1 = z.fma(q1, h1);
    }
    a0.intoArray(s, to);
    a1.intoArray(s, to + W);
    b0.intoArray(s, to + WIDTH);
    b1.intoArray(s, to + WIDTH + W);
    c0.intoArray(s, to + 2 * WIDTH);
    c1.intoArray(s, to + 2 * WIDTH + W);
    d0.intoArray(s, to + 3 * WIDTH);
    d1.intoArray(s, to + 3 * WIDTH + W);
    e0.intoArray(s, to + 4 * WIDTH);
    e1.intoArray(s, to + 4 * WIDTH + W);
    f0.intoArray(s, to + 5 * WIDTH);
    f1.intoArray(s, to + 5 * WIDTH + W);
    g0.intoArray(s, to + 6 * WIDTH);
    g1.intoArray(s, to + 6 * WIDTH + W);
    h0.intoArray(s, to + 7 * WIDTH);
    h1.intoArray(s, to + 7 * WIDTH + W);
  }

  /** Scores of four keys from {@code at} on. */
  static void scores4(double[] keys, int at, int d, double[] y, double[] s, int to) {
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
      DoubleVector z = DoubleVector.broadcast(S, keys[at + c]);
      a0 = z.fma(q0, a0);
      a1 = z.fma(q1, a1);
      z = DoubleVector.broadcast(S, keys[at + d + c]);
      b0 = z.fma(q0, b0);
      b1 = z.fma(q1, b1);
      z = DoubleVector.broadcast(S, keys[at + 2 * d + c]);
      c0 = z.fma(q0, c0);
      c1 = z.fma(q1, c1);
      z = DoubleVector.broadcast(S, keys[at + 3 * d + c]);
      d0 = z.fma(q0, d0);
      d1 = z.fma(q1, d1);
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

  /** Scores of one key. */
  static void scores1(double[] keys, int at, int d, double[] y, double[] s, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    for (int c = 0; c < d; c++) {
      DoubleVector q0 = DoubleVector.fromArray(S, y, c * WIDTH);
      DoubleVector q1 = DoubleVector.fromArray(S, y, c * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, keys[at + c]);
      a0 = z.fma(q0, a0);
      a1 = z.fma(q1, a1);
    }
    a0.intoArray(s, to);
    a1.intoArray(s, to + W);
  }

  /** Adds the values of eight coordinates from {@code at} on. */
  static void values8(
      double[] values, int at, int d, double[] p, int k0, int k1, double[] acc, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector b0 = DoubleVector.zero(S);
    DoubleVector b1 = DoubleVector.zero(S);
    DoubleVector c0 = DoubleVector.zero(S);
    DoubleVector c1 = DoubleVector.zero(S);
    DoubleVector d0 = DoubleVector.zero(S);
    DoubleVector d1 = DoubleVector.zero(S);
    DoubleVector e0 = DoubleVector.zero(S);
    DoubleVector e1 = DoubleVector.zero(S);
    DoubleVector f0 = DoubleVector.zero(S);
    DoubleVector f1 = DoubleVector.zero(S);
    DoubleVector g0 = DoubleVector.zero(S);
    DoubleVector g1 = DoubleVector.zero(S);
    DoubleVector h0 = DoubleVector.zero(S);
    DoubleVector h1 = DoubleVector.zero(S);
    int from = at;
    for (int k = k0; k < k1; k++) {
      DoubleVector p0 = DoubleVector.fromArray(S, p, k * WIDTH);
      DoubleVector p1 = DoubleVector.fromArray(S, p, k * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, values[from]);
      a0 = z.fma(p0, a0);
      a1 = z.fma(p1, a1);
      z = DoubleVector.broadcast(S, values[from + 1]);
      b0 = z.fma(p0, b0);
      b1 = z.fma(p1, b1);
      z = DoubleVector.broadcast(S, values[from + 2]);
      c0 = z.fma(p0, c0);
      c1 = z.fma(p1, c1);
      z = DoubleVector.broadcast(S, values[from + 3]);
      d0 = z.fma(p0, d0);
      d1 = z.fma(p1, d1);
      z = DoubleVector.broadcast(S, values[from + 4]);
      e0 = z.fma(p0, e0);
      e1 = z.fma(p1, e1);
      z = DoubleVector.broadcast(S, values[from + 5]);
      f0 = z.fma(p0, f0);
      f1 = z.fma(p1, f1);
      z = DoubleVector.broadcast(S, values[from + 6]);
      g0 = z.fma(p0, g0);
      g1 = z.fma(p1, g1);
      z = DoubleVector.broadcast(S, values[from + 7]);
      h0 = z.fma(p0, h0);
      h1 = z.fma(p1, h1);
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
    e0.add(DoubleVector.fromArray(S, acc, to + 4 * WIDTH)).intoArray(acc, to + 4 * WIDTH);
    e1.add(DoubleVector.fromArray(S, acc, to + 4 * WIDTH + W)).intoArray(acc, to + 4 * WIDTH + W);
    f0.add(DoubleVector.fromArray(S, acc, to + 5 * WIDTH)).intoArray(acc, to + 5 * WIDTH);
    f1.add(DoubleVector.fromArray(S, acc, to + 5 * WIDTH + W)).intoArray(acc, to + 5 * WIDTH + W);
    g0.add(DoubleVector.fromArray(S, acc, to + 6 * WIDTH)).intoArray(acc, to + 6 * WIDTH);
    g1.add(DoubleVector.fromArray(S, acc, to + 6 * WIDTH + W)).intoArray(acc, to + 6 * WIDTH + W);
    h0.add(DoubleVector.fromArray(S, acc, to + 7 * WIDTH)).intoArray(acc, to + 7 * WIDTH);
    h1.add(DoubleVector.fromArray(S, acc, to + 7 * WIDTH + W)).intoArray(acc, to + 7 * WIDTH + W);
  }

  /** Adds the values of four coordinates from {@code at} on. */
  static void values4(
      double[] values, int at, int d, double[] p, int k0, int k1, double[] acc, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    DoubleVector b0 = DoubleVector.zero(S);
    DoubleVector b1 = DoubleVector.zero(S);
    DoubleVector c0 = DoubleVector.zero(S);
    DoubleVector c1 = DoubleVector.zero(S);
    DoubleVector d0 = DoubleVector.zero(S);
    DoubleVector d1 = DoubleVector.zero(S);
    int from = at;
    for (int k = k0; k < k1; k++) {
      DoubleVector p0 = DoubleVector.fromArray(S, p, k * WIDTH);
      DoubleVector p1 = DoubleVector.fromArray(S, p, k * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, values[from]);
      a0 = z.fma(p0, a0);
      a1 = z.fma(p1, a1);
      z = DoubleVector.broadcast(S, values[from + 1]);
      b0 = z.fma(p0, b0);
      b1 = z.fma(p1, b1);
      z = DoubleVector.broadcast(S, values[from + 2]);
      c0 = z.fma(p0, c0);
      c1 = z.fma(p1, c1);
      z = DoubleVector.broadcast(S, values[from + 3]);
      d0 = z.fma(p0, d0);
      d1 = z.fma(p1, d1);
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

  /** Adds the values of one coordinate. */
  static void values1(
      double[] values, int at, int d, double[] p, int k0, int k1, double[] acc, int to) {
    DoubleVector a0 = DoubleVector.zero(S);
    DoubleVector a1 = DoubleVector.zero(S);
    int from = at;
    for (int k = k0; k < k1; k++) {
      DoubleVector p0 = DoubleVector.fromArray(S, p, k * WIDTH);
      DoubleVector p1 = DoubleVector.fromArray(S, p, k * WIDTH + W);
      DoubleVector z = DoubleVector.broadcast(S, values[from]);
      a0 = z.fma(p0, a0);
      a1 = z.fma(p1, a1);
      from += d;
    }
    a0.add(DoubleVector.fromArray(S, acc, to)).intoArray(acc, to);
    a1.add(DoubleVector.fromArray(S, acc, to + W)).intoArray(acc, to + W);
  }

  /** Multiplies {@code count} strips of numbers by one. */
  static void scale(double[] a, int count, double[] factor) {
    DoubleVector f0 = DoubleVector.fromArray(S, factor, 0);
    DoubleVector f1 = DoubleVector.fromArray(S, factor, W);
    for (int c = 0; c < count; c++) {
      int at = c * WIDTH;
      DoubleVector.fromArray(S, a, at).mul(f0).intoArray(a, at);
      DoubleVector.fromArray(S, a, at + W).mul(f1).intoArray(a, at + W);
    }
  }
}
