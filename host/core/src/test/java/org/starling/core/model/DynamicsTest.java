package org.starling.core.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DynamicsTest {
  private static final Head IDENTITY =
      new Head(Weight.identity(2), Weight.identity(2), Weight.identity(2));

  private static Dynamics of(Geometry g, WeightSchedule w, double layerTime) {
    return new Dynamics(g, Mask.FULL, Normalisation.SOFTMAX, 1, w, layerTime, null);
  }

  private static WeightSchedule growing() {
    return new WeightSchedule() {
      @Override
      public List<Head> heads(int layer) {
        return List.of(
            new Head(Weight.identity(2), Weight.identity(2), Weight.scalar(2, layer + 1)));
      }

      @Override
      public boolean constant() {
        return false;
      }

      @Override
      public int layers() {
        return Integer.MAX_VALUE;
      }
    };
  }

  @Test
  @DisplayName("start(l) <= t < start(l + 1) holds for every rounding of a switch time")
  void layerIndex() {
    for (double layerTime : new double[] {0.1, 0.3, 0.7, 1, 1.1, 1e-3}) {
      Dynamics d = of(Geometry.SPHERE, growing(), layerTime);
      for (int l = 0; l < 2000; l++) {
        double t = d.start(l);
        assertEquals(l, d.layerIndex(t));
        assertEquals(l, d.layerIndex(Math.nextUp(t)));
        if (l > 0) {
          assertEquals(l - 1, d.layerIndex(Math.nextDown(t)));
        }
        assertEquals(d.start(l + 1), d.end(l));
      }
    }
  }

  @Test
  @DisplayName("constant weights have one layer without end")
  void constant() {
    Dynamics d = of(Geometry.SPHERE, WeightSchedule.constant(List.of(IDENTITY)), 1);
    assertEquals(0, d.layerIndex(1e9));
    assertEquals(Double.POSITIVE_INFINITY, d.end(0));
    assertSame(d.at(0, 0), d.at(7, 0));
  }

  @Test
  @DisplayName("replicas in different layers do not take each other's layer object")
  void sharing() {
    Dynamics d = of(Geometry.EUCLIDEAN, growing(), 1);
    Layer first = d.at(0.5, 0);
    Layer second = d.at(1.5, 1);
    assertNotSame(first, second);
    assertSame(first, d.at(0.9, 0));
    assertSame(second, d.at(1.1, 1));
    assertEquals(Weight.scalar(2, 1), first.heads().get(0).v());
    assertEquals(Weight.scalar(2, 2), second.heads().get(0).v());
  }

  @Test
  @DisplayName("rescaled, one head: S = e^{tV^T} Q^T K e^{tV}, the value matrix is V itself")
  void rescaled() {
    Weight q = Weight.dense(2, 2, new double[] {1, 2, 3, 4});
    Weight k = Weight.dense(2, 2, new double[] {0, 1, -1, 2});
    Weight v = Weight.diagonal(1, -2);
    Dynamics d = of(Geometry.RESCALED, WeightSchedule.constant(List.of(new Head(q, k, v))), 1);
    double t = 0.7;
    Layer.LayerHead head = d.at(t, 0).heads().get(0);
    double[] e = {Math.exp(t), Math.exp(-2 * t)};
    double[] b = q.transposed().times(k).dense();
    double[] expected = new double[4];
    for (int i = 0; i < 2; i++) {
      for (int j = 0; j < 2; j++) {
        expected[2 * i + j] = e[i] * b[2 * i + j] * e[j];
      }
    }
    assertArrayEquals(expected, head.s().dense(), 1e-14);
    assertArrayEquals(expected, head.q().transposed().times(head.k()).dense(), 1e-14);
    assertSame(v, head.v());
    assertTrue(d.at(0, 0).heads().get(0).s().dense()[0] == b[0]);
  }

  @Test
  @DisplayName("rescaled, two heads: values e^{-tV} V_h e^{tV} with V their sum")
  void rescaledHeads() {
    Weight v1 = Weight.dense(2, 2, new double[] {0, 1, 0, 0});
    Weight v2 = Weight.dense(2, 2, new double[] {1, -1, 0, -1});
    Head h1 = new Head(Weight.identity(2), Weight.identity(2), v1);
    Head h2 = new Head(Weight.identity(2), Weight.identity(2), v2);
    assertArrayEquals(new double[] {1, 0, 0, -1}, Dynamics.totalValue(List.of(h1, h2)).dense(), 0);
    Dynamics d = of(Geometry.RESCALED, WeightSchedule.constant(List.of(h1, h2)), 1);
    double t = 0.4;
    // V = diag(1, -1): the off-diagonal entry scales by e^{-t} on the left and e^{-t} on the right.
    assertArrayEquals(
        new double[] {0, Math.exp(-2 * t), 0, 0}, d.at(t, 0).heads().get(0).v().dense(), 1e-15);
  }

  @Test
  @DisplayName("eigenvalues: symmetric, rotation, diagonal")
  void spectrum() {
    Spectrum symmetric = Spectrum.of(Weight.dense(2, 2, new double[] {2, 1, 1, 2}));
    assertEquals(3, symmetric.largestRealPart(), 1e-14);
    assertEquals(1, symmetric.smallestRealPart(), 1e-14);
    Spectrum spiral = Spectrum.of(Weight.dense(2, 2, new double[] {0.5, -3, 3, 0.5}));
    assertEquals(0.5, spiral.largestRealPart(), 1e-14);
    assertEquals(3, Math.abs(spiral.im()[0]), 1e-14);
    assertEquals(-1, Spectrum.of(Weight.diagonal(4, -1, 2)).smallestRealPart());
    assertEquals(2.5, Spectrum.of(Weight.scalar(3, 2.5)).largestRealPart());
  }

  @Test
  @DisplayName("products and solutions agree with plain sums at odd sizes, threads or not")
  void products() {
    java.util.Random random = new java.util.Random(3);
    for (int d : new int[] {1, 3, 4, 5, 67, 130}) {
      double[] a = random.doubles((long) d * d, -1, 1).toArray();
      double[] b = random.doubles((long) d * d, -1, 1).toArray();
      double[] c = MatrixProduct.of(a, b, d, d, d);
      double[] plain = new double[d * d];
      for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
          for (int l = 0; l < d; l++) {
            plain[i * d + j] += a[i * d + l] * b[l * d + j];
          }
        }
      }
      assertArrayEquals(plain, c, 0);
      double[] x = MatrixProduct.solve(a.clone(), c.clone(), d);
      assertArrayEquals(b, x, 1e-9, "d = " + d);
    }
  }
}
