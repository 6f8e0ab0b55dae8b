package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Geometry;

@DisplayName("Exact solutions, with dopri5 at rtol 1e-11")
class ClosedFormTest {
  private static final IntegratorSpec SPEC = IntegratorSpec.dopri5(1e-11, 1e-13);
  private static final double TOLERANCE = 2e-10;

  @ParameterizedTest(name = "orthonormal start, beta = {0}")
  @ValueSource(doubles = {0, 1, 9})
  void equalAngles(double beta) {
    int n = 6;
    double t = 3;
    double[] x0 = new double[n * n];
    for (int i = 0; i < n; i++) {
      x0[i * n + i] = 1;
    }
    double g =
        beta == 0
            ? (Math.exp(2 * t) - 1) / (Math.exp(2 * t) + n - 1)
            : scalar(
                t,
                0,
                u ->
                    2
                        * Math.exp(beta * u)
                        * (1 - u)
                        * (1 + (n - 1) * u)
                        / (Math.exp(beta) + (n - 1) * Math.exp(beta * u)));
    try (Rig rig = new Rig(SPEC, new Shape(1, n, n), x0, Rig.plain(Geometry.SPHERE, n, beta))) {
      double[] x = rig.at(t);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          assertEquals(i == j ? 1 : g, inner(x, n, i, j), TOLERANCE, "pair " + i + ", " + j);
        }
      }
    }
  }

  @ParameterizedTest(name = "two tokens, d = {0}")
  @ValueSource(ints = {2, 3, 17})
  void twoTokens(int d) {
    double beta = 4;
    double angle = 2.5;
    double[] x0 = new double[2 * d];
    x0[0] = 1;
    x0[d] = Math.cos(angle);
    x0[d + 1] = Math.sin(angle);
    double t = 6;
    double expected =
        scalar(
            t,
            angle,
            a -> {
              double e = Math.exp(beta * (Math.cos(a) - 1));
              return -2 * Math.sin(a) * e / (1 + e);
            });
    try (Rig rig = new Rig(SPEC, new Shape(1, 2, d), x0, Rig.plain(Geometry.SPHERE, d, beta))) {
      double[] x = rig.at(t);
      assertEquals(Math.cos(expected), inner(x, d, 0, 1), TOLERANCE);
    }
  }

  @Test
  @DisplayName("R^d at beta = 0: x_i + (e^t - 1) mean")
  void uniformAttention() {
    Shape s = new Shape(1, 9, 4);
    double[] x0 = Rig.tokens(Geometry.EUCLIDEAN, s, 3);
    double t = 1.7;
    double[] expected = x0.clone();
    for (int a = 0; a < s.d(); a++) {
      double mean = 0;
      for (int i = 0; i < s.n(); i++) {
        mean += x0[i * s.d() + a] / s.n();
      }
      for (int i = 0; i < s.n(); i++) {
        expected[i * s.d() + a] += Math.expm1(t) * mean;
      }
    }
    try (Rig rig = new Rig(SPEC, s, x0, Rig.plain(Geometry.EUCLIDEAN, s.d(), 0))) {
      assertArrayEquals(expected, rig.at(t), TOLERANCE);
    }
  }

  @Test
  @DisplayName("equal tokens on the sphere do not move by one bit")
  void equalTokens() {
    Shape s = new Shape(1, 5, 3);
    double[] one = Rig.tokens(Geometry.SPHERE, new Shape(1, 1, 3), 8);
    double[] x0 = new double[15];
    for (int i = 0; i < 5; i++) {
      System.arraycopy(one, 0, x0, 3 * i, 3);
    }
    try (Rig rig = new Rig(SPEC, s, x0, Rig.plain(Geometry.SPHERE, 3, 5))) {
      double[] first = rig.attempts(1).state();
      double[] last = rig.attempts(20).state();
      assertArrayEquals(x0, first, 1e-15);
      assertArrayEquals(first, last, 0);
    }
  }

  @Test
  @DisplayName("a causal first token with V = I stays where it is")
  void firstCausalToken() {
    Shape s = new Shape(1, 6, 3);
    double[] x0 = Rig.tokens(Geometry.SPHERE, s, 8);
    try (Rig rig =
        new Rig(
            SPEC,
            s,
            x0,
            Rig.dynamics(
                Geometry.SPHERE,
                org.starling.core.model.Mask.CAUSAL,
                org.starling.core.model.Normalisation.SOFTMAX,
                2,
                Rig.identity(3)))) {
      double[] x = rig.attempts(30).state();
      for (int a = 0; a < 3; a++) {
        assertEquals(x0[a], x[a], 1e-15);
      }
    }
  }

  private interface Rate {
    double at(double u);
  }

  /** u(t) of u' = rate(u), by an independent integrator. */
  private static double scalar(double t, double u0, Rate rate) {
    OrdinaryDifferentialEquation ode =
        new OrdinaryDifferentialEquation() {
          @Override
          public int getDimension() {
            return 1;
          }

          @Override
          public double[] computeDerivatives(double time, double[] u) {
            return new double[] {rate.at(u[0])};
          }
        };
    return new DormandPrince853Integrator(1e-12, 1, 1e-14, 1e-14)
        .integrate(ode, new ODEState(0, new double[] {u0}), t)
        .getPrimaryState()[0];
  }

  private static double inner(double[] x, int d, int i, int j) {
    double sum = 0;
    for (int a = 0; a < d; a++) {
      sum += x[i * d + a] * x[j * d + a];
    }
    return sum;
  }
}
