package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Philox;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

@Tag("noise")
@DisplayName("Euler-Maruyama steps")
class NoiseTest {
  private static final IntegratorSpec SPEC = IntegratorSpec.fixed(Method.EULER_MARUYAMA, 0.01);
  private static final long SEED = 51;

  private static Dynamics noisy(Geometry g, Mask mask, Head head, double noise) {
    return new Dynamics(
        g, mask, Normalisation.SOFTMAX, 2, WeightSchedule.constant(List.of(head)), 1, null, noise);
  }

  private static Rig rig(Shape shape, double[] x, Dynamics dynamics) {
    Philox[] streams = new Philox[shape.replicas()];
    Arrays.setAll(streams, r -> Philox.stream(SEED, Philox.Purpose.NOISE, r));
    Dynamics[] each = new Dynamics[shape.replicas()];
    Arrays.fill(each, dynamics);
    return new Rig(SPEC, shape, x, streams, each);
  }

  private static Head still(int d) {
    return new Head(Weight.identity(d), Weight.identity(d), Weight.scalar(d, 0));
  }

  @ParameterizedTest(name = "{0}: without noise they are those of euler, bit for bit")
  @EnumSource(
      value = Geometry.class,
      names = {"SPHERE", "EUCLIDEAN"})
  void withoutNoise(Geometry g) {
    Shape s = new Shape(1, 6, 3);
    double[] x = Rig.tokens(g, s, SEED);
    Dynamics plain = Rig.plain(g, 3, 2);
    try (Rig euler = new Rig(IntegratorSpec.fixed(Method.EULER, 0.01), s, x, plain);
        Rig same = new Rig(SPEC, s, x, plain)) {
      assertArrayEquals(euler.attempts(9).state(), same.attempts(9).state(), 0);
      assertArrayEquals(euler.side(0.095), same.side(0.095), 0);
    }
    Dynamics quiet = noisy(g, Mask.FULL, Rig.identity(3), 0);
    try (Rig euler = new Rig(IntegratorSpec.fixed(Method.EULER, 0.01), s, x, plain);
        Rig same = rig(s, x, quiet)) {
      assertArrayEquals(euler.attempts(9).state(), same.attempts(9).state(), 0);
    }
  }

  @Test
  @DisplayName("Brownian motion in R^d has variance sigma^2 t, and replicas differ")
  void varianceOfBrownianMotion() {
    Shape s = new Shape(2, 2000, 2);
    double[] x = new double[(int) s.size()];
    try (Rig rig = rig(s, x, noisy(Geometry.EUCLIDEAN, Mask.FULL, still(2), 0.5))) {
      double[] y = rig.attempts(100).state();
      double sum = 0;
      double mixed = 0;
      for (int k = 0; k < y.length; k++) {
        sum += y[k] * y[k] / y.length;
        mixed += y[k] * y[(k + y.length / 2) % y.length] / y.length;
      }
      // 8000 numbers: the deviation of their mean square is sqrt(2 / 8000) of it.
      assertEquals(0.25, sum, 4 * 0.25 * Math.sqrt(2.0 / 8000));
      assertEquals(0, mixed, 4 * 0.25 / Math.sqrt(4000));
    }
  }

  @Test
  @DisplayName("Brownian motion on the sphere forgets its start like e^{-(d - 1) t / kappa}")
  void decayOnTheSphere() {
    int n = 4000;
    int d = 3;
    Shape s = new Shape(1, n, d);
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      x[i * d] = 1;
    }
    double kappa = 4;
    Dynamics motion = noisy(Geometry.SPHERE, Mask.FULL, still(d), Math.sqrt(2 / kappa));
    try (Rig rig = rig(s, x, motion)) {
      double[] y = rig.attempts(100).state();
      double mean = 0;
      for (int i = 0; i < n; i++) {
        mean += y[i * d] / n;
        assertEquals(1, Math.hypot(Math.hypot(y[i * d], y[i * d + 1]), y[i * d + 2]), 1e-14);
      }
      assertEquals(Math.exp(-(d - 1) / kappa), mean, 0.02);
    }
  }

  @Test
  @DisplayName("a causal prefix has the bits it has without later tokens")
  void causalPrefix() {
    Shape many = new Shape(1, 9, 3);
    double[] x = Rig.tokens(Geometry.SPHERE, many, SEED);
    Dynamics causal = noisy(Geometry.SPHERE, Mask.CAUSAL, Rig.gaussian(3, SEED), 0.3);
    try (Rig all = rig(many, x, causal);
        Rig first = rig(new Shape(1, 4, 3), Arrays.copyOf(x, 12), causal)) {
      double[] y = all.attempts(50).state();
      assertArrayEquals(first.attempts(50).state(), Arrays.copyOf(y, 12), 0);
      assertFalse(Arrays.equals(Arrays.copyOf(x, 12), Arrays.copyOf(y, 12)), "moved");
    }
  }

  @Test
  @DisplayName("output within a step leads to its end, and is the side step made before it")
  void outputWithinAStep() {
    Shape s = new Shape(1, 5, 2);
    double[] x = Rig.tokens(Geometry.SPHERE, s, SEED);
    Dynamics motion = noisy(Geometry.SPHERE, Mask.FULL, Rig.identity(2), 0.3);
    try (Rig rig = rig(s, x, motion)) {
      rig.attempts(7);
      double t = rig.integrator.time(0) + 0.004;
      double[] ahead = rig.side(t);
      rig.attempts(1);
      assertArrayEquals(ahead, rig.dense(t), 0);
      double[] nearEnd = rig.dense(rig.integrator.time(0) - 1e-13);
      assertEquals(0, Rig.distance(nearEnd, rig.state()), 1e-8);
    }
  }

  @Test
  @DisplayName("what noise cannot be added to is refused with the way on")
  void refusals() {
    Shape s = new Shape(1, 3, 2);
    double[] x = Rig.tokens(Geometry.SPHERE, s, SEED);
    Dynamics motion = noisy(Geometry.SPHERE, Mask.FULL, Rig.identity(2), 0.3);
    refused("euler-maruyama", IntegratorSpec.dopri5(1e-6, 1e-9), s, x, motion);
    refused("euler-maruyama", IntegratorSpec.fixed(Method.RK4, 0.1), s, x, motion);
    refused("leave out merge", SPEC.withMerging(new Merging(1e-3, 5)), s, x, motion);
    Dynamics rescaled = noisy(Geometry.RESCALED, Mask.FULL, Rig.identity(2), 0.3);
    refused("geometry euclidean", SPEC, s, x, rescaled);
    refused("a stream of random numbers", SPEC, s, x, motion);
  }

  private static void refused(
      String way, IntegratorSpec spec, Shape s, double[] x, Dynamics dynamics) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new Rig(spec, s, x, dynamics));
    assertTrue(e.getMessage().contains(way), e.getMessage());
  }
}
