package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Precision;

/** Operations on states and fields that integrators are built of. */
abstract class StateContract extends ContractTheme {
  private static final int R = 3;

  @ParameterizedTest(name = "n={0}")
  @ValueSource(ints = {1, 2, 47, 129})
  void givesBackWhatItWasGiven(int n) {
    for (int d : new int[] {1, 3, 17}) {
      Shape shape = new Shape(R, n, d);
      double[] x = Tokens.gaussian(R * n, d, 61);
      try (State s = state(shape, x);
          Field v = field(shape, x)) {
        assertEquals(shape, s.shape());
        assertEquals(shape, v.shape());
        for (int a = 0; a < x.length; a++) {
          double tolerance = subject().stateEpsilon() * Math.abs(x[a]);
          Close.to(x[a], engine.download(s)[a], tolerance, "state[" + a + "]");
          Close.to(x[a], engine.download(v)[a], subject().epsilon() * Math.abs(x[a]), "field");
        }
        double[] exact = subject().representable(x);
        engine.upload(s, exact);
        Close.sameBits(exact, engine.download(s), "state");
      }
    }
  }

  @Test
  void combinesWithCoefficientsOfEachReplica() {
    int n = 49;
    int d = 3;
    int size = n * d;
    Shape shape = new Shape(R, n, d);
    double[] x = subject().representable(Tokens.gaussian(R * n, d, 62));
    double[] k0 = subject().representable(Tokens.gaussian(R * n, d, 63));
    double[] k1 = subject().representable(Tokens.gaussian(R * n, d, 64));
    double[][] c = {{0.5, 1e-3, 2}, {-0.25, 3e-3, 0}};
    boolean[] active = {true, false, true};
    double[] old = subject().representable(Tokens.gaussian(R * n, d, 65));
    try (State s = state(shape, x);
        State out = state(shape, old);
        Field f0 = field(shape, k0);
        Field f1 = field(shape, k1)) {
      engine.combine(out, s, c, new Field[] {f0, f1}, active);
      double[] y = engine.download(out);
      Close.sameBits(old, y, size, 2 * size, "inactive replica");
      Close.sameBits(x, engine.download(s), "input state");
      for (int r : new int[] {0, 2}) {
        for (int a = r * size; a < (r + 1) * size; a++) {
          double expected = x[a] + c[0][r] * k0[a] + c[1][r] * k1[a];
          double terms = Math.abs(x[a]) + Math.abs(c[0][r] * k0[a]) + Math.abs(c[1][r] * k1[a]);
          Close.to(
              expected, y[a], 4 * subject().epsilon() * terms, "replica " + r + " [" + a + "]");
        }
      }
      engine.combine(s, s, c, new Field[] {f0, f1}, active);
      double[] aliased = engine.download(s);
      Close.sameBits(y, aliased, 0, size, "aliased, replica 0");
      Close.sameBits(x, aliased, size, 2 * size, "aliased, inactive replica");
      Close.sameBits(y, aliased, 2 * size, 3 * size, "aliased, replica 2");
    }
  }

  @Test
  void combinesTwiceAtOnceWithTheBitsOfTwoCalls() {
    int n = 49;
    int d = 3;
    Shape shape = new Shape(R, n, d);
    double[] x = Tokens.gaussian(R * n, d, 101);
    double[] y = Tokens.gaussian(R * n, d, 102);
    boolean[] active = {true, false, true};
    double[] same = {0.3, 0.3, 0.3};
    double[] each = {0.3, -1, 1e-3};
    for (double[] c : new double[][] {same, each}) {
      double[] e = {0.7, 0.7, c[2]};
      try (State s = state(shape, x);
          State out = state(shape, y);
          State also = state(shape, y);
          State one = state(shape, y);
          State other = state(shape, y);
          Field k = field(shape, Tokens.gaussian(R * n, d, 103))) {
        engine.combine(one, s, new double[][] {c}, new Field[] {k}, active);
        engine.combine(other, other, new double[][] {e}, new Field[] {k}, active);
        engine.combineBoth(out, s, c, also, also, e, k, active);
        assertArrayEquals(engine.snapshot(one), engine.snapshot(out), "first");
        assertArrayEquals(engine.snapshot(other), engine.snapshot(also), "second");
      }
    }
  }

  @Test
  void retractsIntoAnotherStateWithTheBitsOfARetractionInPlace() {
    for (int d : new int[] {2, 9, 33}) {
      Shape shape = new Shape(R, 19, d);
      double[] x = Tokens.gaussian(R * 19, d, 104);
      double[] y = Tokens.gaussian(R * 19, d, 105);
      boolean[] active = {true, false, true};
      try (State s = state(shape, x);
          State out = state(shape, y);
          State one = state(shape, y)) {
        byte[] before = engine.snapshot(s);
        engine.combine(one, s, new double[0][], new Field[0], active);
        engine.retract(one, active);
        engine.retract(out, s, active);
        assertArrayEquals(engine.snapshot(one), engine.snapshot(out), "d=" + d);
        assertArrayEquals(before, engine.snapshot(s), "from, d=" + d);
      }
    }
  }

  @Test
  void combinesSevenFields() {
    int n = 5;
    int d = 9;
    Shape shape = new Shape(1, n, d);
    double[] x = subject().representable(Tokens.gaussian(n, d, 66));
    double[] expected = x.clone();
    Field[] k = new Field[7];
    double[][] c = new double[7][1];
    try (State s = state(shape, x)) {
      for (int m = 0; m < k.length; m++) {
        double[] values = subject().representable(Tokens.gaussian(n, d, 67 + m));
        k[m] = field(shape, values);
        c[m][0] = 0.1 * (m + 1);
        for (int a = 0; a < x.length; a++) {
          expected[a] += c[m][0] * values[a];
        }
      }
      engine.combine(s, s, c, k, all(1));
      Close.to(expected, engine.download(s), 64 * subject().epsilon(), "sum of seven");
    } finally {
      for (Field f : k) {
        f.close();
      }
    }
  }

  @Test
  void keepsSmallStepsWherePrecisionPromisesIt() {
    int n = 3;
    int d = 2;
    Shape shape = new Shape(1, n, d);
    double step = subject().precision() == Precision.SINGLE ? 1e-4 : 1e-10;
    double[] ones = {1, 1, 1, 1, 1, 1};
    double[] start = {0.5, 1, 0.25, -1, 0.75, 0.125};
    int steps = 1000;
    try (State s = state(shape, start);
        Field k = field(shape, ones)) {
      for (int m = 0; m < steps; m++) {
        engine.combine(s, s, new double[][] {{step}}, new Field[] {k}, all(1));
      }
      double[] y = engine.download(s);
      for (int a = 0; a < y.length; a++) {
        Close.to(
            start[a] + steps * step,
            y[a],
            steps * subject().stateEpsilon() + 2e-7 * steps * step,
            "coordinate " + a);
      }
    }
  }

  @Test
  void retractsOntoTheSphere() {
    for (int d : new int[] {1, 2, 3, 9, 64, 257}) {
      int n = 49;
      Shape shape = new Shape(R, n, d);
      double[] x = Tokens.gaussian(R * n, d, 71);
      boolean[] active = {true, false, true};
      try (State s = state(shape, x)) {
        double[] before = engine.download(s);
        engine.retract(s, active);
        double[] y = engine.download(s);
        Close.sameBits(before, y, n * d, 2 * n * d, "inactive replica");
        for (int i = 0; i < R * n; i++) {
          if (i >= n && i < 2 * n) {
            continue;
          }
          double norm = Naive.norm(before, i * d, d);
          for (int a = i * d; a < (i + 1) * d; a++) {
            Close.to(
                before[a] / norm, y[a], 8 * subject().stateEpsilon(), "d=" + d + " [" + a + "]");
          }
        }
      }
    }
  }

  @Test
  void retractsLongAndShortVectors() {
    double big = subject().precision() == Precision.DOUBLE ? 1e200 : 1e25;
    double[] x = {3 * big, 4 * big, 3 / big, -4 / big};
    try (State s = state(new Shape(1, 2, 2), x)) {
      engine.retract(s, all(1));
      Close.to(
          new double[] {0.6, 0.8, 0.6, -0.8},
          engine.download(s),
          8 * subject().epsilon(),
          "unit vectors");
    }
  }

  @Test
  void retractsNoDirectionToNan() {
    double nan = Double.NaN;
    double[] x = {0, 0, 1, 1, nan, 1, Double.POSITIVE_INFINITY, 0};
    try (State s = state(new Shape(1, 4, 2), x)) {
      engine.retract(s, all(1));
      double[] y = engine.download(s);
      double[] expected = {nan, nan, Math.sqrt(0.5), Math.sqrt(0.5), nan, nan, nan, nan};
      Close.to(expected, y, 4 * subject().epsilon(), "retracted");
    }
  }

  @Test
  void measuresErrorsByToken() {
    int n = 49;
    for (int d : new int[] {1, 3, 64}) {
      Shape shape = new Shape(R, n, d);
      double[] x = subject().representable(Tokens.gaussian(R * n, d, 81));
      double[] y = subject().representable(Tokens.gaussian(R * n, d, 82));
      double[] k0 = subject().representable(Tokens.gaussian(R * n, d, 83));
      double[] k1 = subject().representable(Tokens.gaussian(R * n, d, 84));
      double[][] c = {{1e-3, 1, 2e-6}, {-2e-3, 1, 1e-6}};
      boolean[] active = {true, false, true};
      double atol = 1e-5;
      double rtol = 1e-3;
      try (State sx = state(shape, x);
          State sy = state(shape, y);
          Field f0 = field(shape, k0);
          Field f1 = field(shape, k1)) {
        Field[] k = {f0, f1};
        double[] norm = engine.errorNorm(sx, sy, c, k, atol, rtol, active);
        assertEquals(R, norm.length);
        assertEquals(0, norm[1], "inactive replica");
        for (int r : new int[] {0, 2}) {
          double expected = 0;
          for (int i = r * n; i < (r + 1) * n; i++) {
            double[] e = new double[d];
            for (int a = 0; a < d; a++) {
              e[a] = c[0][r] * k0[i * d + a] + c[1][r] * k1[i * d + a];
            }
            double size = Math.max(Naive.norm(x, i * d, d), Naive.norm(y, i * d, d));
            expected = Math.max(expected, Naive.norm(e, 0, d) / (atol + rtol * size));
          }
          Close.to(expected, norm[r], 64 * subject().epsilon() * expected, "d=" + d + " r=" + r);
        }
        y[2 * n * d + 5] = Double.NaN;
        engine.upload(sy, y);
        assertTrue(Double.isNaN(engine.errorNorm(sx, sy, c, k, atol, rtol, active)[2]), "NaN in y");
        k1[7] = Double.POSITIVE_INFINITY;
        engine.upload(f1, k1);
        assertTrue(
            Double.isNaN(engine.errorNorm(sx, sy, c, k, atol, rtol, active)[0]), "infinite k");
      }
    }
  }

  @Test
  void findsTheLargestSpeed() {
    double small = subject().precision() == Precision.DOUBLE ? 1e-250 : 1e-25;
    double[] v = new double[3 * 4 * 2];
    v[2 * 2] = 3;
    v[2 * 2 + 1] = -4;
    v[3 * 2] = 5;
    v[(4 + 1) * 2] = 1;
    v[(8 + 1) * 2] = 3 * small;
    v[(8 + 1) * 2 + 1] = 4 * small;
    try (Field f = field(new Shape(3, 4, 2), v)) {
      Engine.Extreme[] largest = engine.largest(f, new boolean[] {true, false, true});
      assertEquals(new Engine.Extreme(5, 2), largest[0], "ties go to the lowest token");
      assertEquals(0, largest[1].value(), "inactive replica");
      Close.to(5 * small, largest[2].value(), 8 * subject().epsilon() * 5 * small, "small speed");
      assertEquals(1, largest[2].token());
      v[3 * 2 + 1] = Double.NaN;
      v[1 * 2] = Double.POSITIVE_INFINITY;
      engine.upload(f, v);
      assertEquals(new Engine.Extreme(Double.NaN, 1), engine.largest(f, all(3))[0]);
    }
  }

  @Test
  void findsTheLargestOfManyTokens() {
    int n = 1030;
    double[] v = Tokens.gaussian(n, 3, 91);
    v[1029 * 3] = 100;
    try (Field f = field(new Shape(1, n, 3), v)) {
      Engine.Extreme largest = engine.largest(f, all(1))[0];
      assertEquals(1029, largest.token());
      Close.to(Naive.norm(v, 1029 * 3, 3), largest.value(), 1e-4, "speed");
    }
  }

  @Test
  void snapshotsRestoreTheStateBitForBit() {
    int n = 49;
    int d = 5;
    Shape shape = new Shape(2, n, d);
    double[] x = Tokens.gaussian(2 * n, d, 95);
    try (State s = state(shape, x);
        State t = engine.allocateState(shape);
        Field k = field(shape, Tokens.gaussian(2 * n, d, 96))) {
      // Steps below float32 resolution leave a correction that a snapshot must carry.
      for (int m = 0; m < 3; m++) {
        engine.combine(s, s, new double[][] {{1e-9, 1e-9}}, new Field[] {k}, all(2));
      }
      byte[] snapshot = engine.snapshot(s);
      engine.restore(t, snapshot);
      assertArrayEquals(snapshot, engine.snapshot(t), "snapshot of the restored state");
      Close.sameBits(engine.download(s), engine.download(t), "positions");
      for (State each : new State[] {s, t}) {
        engine.combine(each, each, new double[][] {{1e-9, 0.1}}, new Field[] {k}, all(2));
        engine.retract(each, all(2));
      }
      assertArrayEquals(engine.snapshot(s), engine.snapshot(t), "after the same operations");
    }
  }
}
