package org.starling.cpu.fast;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The tiles of {@link VectorTilesSingle} with differences from the row's own token in place of the
 * products' second factor.
 */
final class VectorDifferencesSingle {
  private static final VectorSpecies<Float> S = FloatVector.SPECIES_PREFERRED;
  private static final int W = S.length();
  private static final int WIDTH = 2 * W;

  private VectorDifferencesSingle() {}

  /** Relative scores of four keys from {@code at} on. */
  static void relative4(float[] keys, int at, int d, float[] y, float[] x, float[] s, int to) {
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = FloatVector.zero(S);
    FloatVector b0 = FloatVector.zero(S);
    FloatVector b1 = FloatVector.zero(S);
    FloatVector c0 = FloatVector.zero(S);
    FloatVector c1 = FloatVector.zero(S);
    FloatVector d0 = FloatVector.zero(S);
    FloatVector d1 = FloatVector.zero(S);
    for (int c = 0; c < d; c++) {
      FloatVector q0 = FloatVector.fromArray(S, y, c * WIDTH);
      FloatVector q1 = FloatVector.fromArray(S, y, c * WIDTH + W);
      FloatVector x0 = FloatVector.fromArray(S, x, c * WIDTH);
      FloatVector x1 = FloatVector.fromArray(S, x, c * WIDTH + W);
      FloatVector z = FloatVector.broadcast(S, keys[at + c]);
      a0 = z.sub(x0).fma(q0, a0);
      a1 = z.sub(x1).fma(q1, a1);
      z = FloatVector.broadcast(S, keys[at + d + c]);
      b0 = z.sub(x0).fma(q0, b0);
      b1 = z.sub(x1).fma(q1, b1);
      z = FloatVector.broadcast(S, keys[at + 2 * d + c]);
      c0 = z.sub(x0).fma(q0, c0);
      c1 = z.sub(x1).fma(q1, c1);
      z = FloatVector.broadcast(S, keys[at + 3 * d + c]);
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
  static void relative1(float[] keys, int at, int d, float[] y, float[] x, float[] s, int to) {
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = FloatVector.zero(S);
    for (int c = 0; c < d; c++) {
      FloatVector q0 = FloatVector.fromArray(S, y, c * WIDTH);
      FloatVector q1 = FloatVector.fromArray(S, y, c * WIDTH + W);
      FloatVector x0 = FloatVector.fromArray(S, x, c * WIDTH);
      FloatVector x1 = FloatVector.fromArray(S, x, c * WIDTH + W);
      FloatVector z = FloatVector.broadcast(S, keys[at + c]);
      a0 = z.sub(x0).fma(q0, a0);
      a1 = z.sub(x1).fma(q1, a1);
    }
    a0.intoArray(s, to);
    a1.intoArray(s, to + W);
  }

  /** Adds the differences of four coordinates from {@code at} on. */
  static void differences4(
      float[] values, int at, int d, float[] p, int k0, int k1, float[] x, float[] acc, int to) {
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = FloatVector.zero(S);
    FloatVector b0 = FloatVector.zero(S);
    FloatVector b1 = FloatVector.zero(S);
    FloatVector c0 = FloatVector.zero(S);
    FloatVector c1 = FloatVector.zero(S);
    FloatVector d0 = FloatVector.zero(S);
    FloatVector d1 = FloatVector.zero(S);
    FloatVector x00 = FloatVector.fromArray(S, x, to);
    FloatVector x01 = FloatVector.fromArray(S, x, to + W);
    FloatVector x10 = FloatVector.fromArray(S, x, to + WIDTH);
    FloatVector x11 = FloatVector.fromArray(S, x, to + WIDTH + W);
    FloatVector x20 = FloatVector.fromArray(S, x, to + 2 * WIDTH);
    FloatVector x21 = FloatVector.fromArray(S, x, to + 2 * WIDTH + W);
    FloatVector x30 = FloatVector.fromArray(S, x, to + 3 * WIDTH);
    FloatVector x31 = FloatVector.fromArray(S, x, to + 3 * WIDTH + W);
    int from = at;
    for (int k = k0; k < k1; k++) {
      FloatVector p0 = FloatVector.fromArray(S, p, k * WIDTH);
      FloatVector p1 = FloatVector.fromArray(S, p, k * WIDTH + W);
      FloatVector z = FloatVector.broadcast(S, values[from]);
      a0 = z.sub(x00).fma(p0, a0);
      a1 = z.sub(x01).fma(p1, a1);
      z = FloatVector.broadcast(S, values[from + 1]);
      b0 = z.sub(x10).fma(p0, b0);
      b1 = z.sub(x11).fma(p1, b1);
      z = FloatVector.broadcast(S, values[from + 2]);
      c0 = z.sub(x20).fma(p0, c0);
      c1 = z.sub(x21).fma(p1, c1);
      z = FloatVector.broadcast(S, values[from + 3]);
      d0 = z.sub(x30).fma(p0, d0);
      d1 = z.sub(x31).fma(p1, d1);
      from += d;
    }
    a0.add(FloatVector.fromArray(S, acc, to)).intoArray(acc, to);
    a1.add(FloatVector.fromArray(S, acc, to + W)).intoArray(acc, to + W);
    b0.add(FloatVector.fromArray(S, acc, to + WIDTH)).intoArray(acc, to + WIDTH);
    b1.add(FloatVector.fromArray(S, acc, to + WIDTH + W)).intoArray(acc, to + WIDTH + W);
    c0.add(FloatVector.fromArray(S, acc, to + 2 * WIDTH)).intoArray(acc, to + 2 * WIDTH);
    c1.add(FloatVector.fromArray(S, acc, to + 2 * WIDTH + W)).intoArray(acc, to + 2 * WIDTH + W);
    d0.add(FloatVector.fromArray(S, acc, to + 3 * WIDTH)).intoArray(acc, to + 3 * WIDTH);
    d1.add(FloatVector.fromArray(S, acc, to + 3 * WIDTH + W)).intoArray(acc, to + 3 * WIDTH + W);
  }

  /** Adds the differences of one coordinate. */
  static void differences1(
      float[] values, int at, int d, float[] p, int k0, int k1, float[] x, float[] acc, int to) {
    FloatVector a0 = FloatVector.zero(S);
    FloatVector a1 = FloatVector.zero(S);
    FloatVector x00 = FloatVector.fromArray(S, x, to);
    FloatVector x01 = FloatVector.fromArray(S, x, to + W);
    int from = at;
    for (int k = k0; k < k1; k++) {
      FloatVector p0 = FloatVector.fromArray(S, p, k * WIDTH);
      FloatVector p1 = FloatVector.fromArray(S, p, k * WIDTH + W);
      FloatVector z = FloatVector.broadcast(S, values[from]);
      a0 = z.sub(x00).fma(p0, a0);
      a1 = z.sub(x01).fma(p1, a1);
      from += d;
    }
    a0.add(FloatVector.fromArray(S, acc, to)).intoArray(acc, to);
    a1.add(FloatVector.fromArray(S, acc, to + W)).intoArray(acc, to + W);
  }
}
