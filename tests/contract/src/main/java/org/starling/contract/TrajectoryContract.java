package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Trajectories known in closed form, by quadrature, or from an independent solver. */
abstract class TrajectoryContract extends ContractTheme {
  private boolean isDouble() {
    return subject().precision() == Precision.DOUBLE;
  }

  private IntegratorSpec adaptive() {
    return isDouble() ? IntegratorSpec.dopri5(1e-10, 1e-13) : IntegratorSpec.dopri5(1e-5, 1e-7);
  }

  /** How far a trajectory over a few units of time may be off, in units of |x|. */
  private double tolerance() {
    return isDouble() ? 1e-8 : 2e-4;
  }

  private static Dynamics dynamics(
      Geometry geometry, Mask mask, Normalisation normalisation, double beta, Weight v) {
    Head head = new Head(Weight.identity(v.rows()), Weight.identity(v.rows()), v);
    return new Dynamics(
        geometry, mask, normalisation, beta, WeightSchedule.constant(List.of(head)), 1, null);
  }

  private static Dynamics sphere(int d, double beta) {
    return dynamics(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, beta, Weight.identity(d));
  }

  /** The state at time t, reached by whole steps and a last shortened one. */
  private double[] run(IntegratorSpec spec, int n, int d, double[] x, Dynamics dynamics, double t) {
    Shape shape = new Shape(1, n, d);
    boolean[] active = all(1);
    try (Integrator integrator =
            Integrators.create(spec, engine, new Dynamics[] {dynamics}, state(shape, x));
        State out = engine.allocateState(shape)) {
      while (integrator.time(0) + integrator.stepSize(0) < t) {
        integrator.attempt(active);
        assertNull(integrator.failure(0));
      }
      assertTrue(integrator.sideStep(new double[] {t}, active, out)[0], "the last short step");
      return engine.download(out);
    }
  }

  static Stream<SolverCase> cases() {
    return SolverCase.NAMES.stream().map(SolverCase::load);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void reproducesAnIndependentSolver(SolverCase c) {
    double[] x = run(adaptive(), c.n(), c.d(), c.x0(), c.dynamics(), c.end());
    double largest = Arrays.stream(c.xEnd()).map(Math::abs).max().getAsDouble();
    double moved = 0;
    for (int a = 0; a < x.length; a++) {
      moved = Math.max(moved, Math.abs(c.xEnd()[a] - c.x0()[a]));
    }
    double owed =
        isDouble() ? Math.min(1e-9 * largest, Math.max(1e-9, 1e-6 * moved)) : 1e-3 * largest;
    Close.to(c.xEnd(), x, owed, "state at T=" + c.end());
  }

  /** t(g) = integral of (e^{beta(1-s)} + n - 1) / (2 (1-s) ((n-1)s + 1)) from 0 to g. */
  @ParameterizedTest(name = "n={0} d={1} beta={2} t={3}")
  @CsvSource({"2,2,0,1", "5,5,0,0.7", "5,9,1,1", "7,17,4,3", "4,4,9,50"})
  void orthonormalTokensKeepEqualAngles(int n, int d, double beta, double t) {
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      x[i * d + i] = 1;
    }
    double[] y = run(adaptive(), n, d, x, sphere(d, beta), t);
    double g = Naive.dot(y, 0, y, d, d);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double expected = i == j ? 1 : g;
        Close.to(
            expected, Naive.dot(y, i * d, y, j * d, d), tolerance(), "<x" + i + ",x" + j + ">");
      }
    }
    double time =
        integral(s -> (Math.exp(beta * (1 - s)) + n - 1) / (2 * (1 - s) * ((n - 1) * s + 1)), 0, g);
    double rate = 2 * (1 - g) * ((n - 1) * g + 1) / (Math.exp(beta * (1 - g)) + n - 1);
    assertTrue(g > 0.01, "g = " + g);
    Close.to(t, time, tolerance() * (1 / rate + t), "time at which g is reached");
    if (beta == 0) {
      Close.to(Math.expm1(2 * t) / (Math.exp(2 * t) + n - 1), g, tolerance(), "closed form");
    }
  }

  /** theta' = -2 sin(theta) / (1 + e^{beta(1 - cos theta)}). */
  @ParameterizedTest(name = "d={0} beta={1} theta={2} t={3}")
  @CsvSource({"2,0,2,1", "3,1,3,2", "17,9,1,5", "9,4,0.5,1"})
  void twoTokensFollowTheirAngle(int d, double beta, double theta, double t) {
    double[] x = new double[2 * d];
    x[0] = 1;
    x[d] = Math.cos(theta);
    x[d + d - 1] = Math.sin(theta);
    double[] y = run(adaptive(), 2, d, x, sphere(d, beta), t);
    double sum = 0;
    for (int a = 0; a < d; a++) {
      sum += Math.pow(y[a] - y[d + a], 2);
    }
    double angle = 2 * Math.asin(Math.sqrt(sum) / 2);
    DoubleUnaryOperator slowness =
        s -> (1 + Math.exp(beta * (1 - Math.cos(s)))) / (2 * Math.sin(s));
    assertTrue(angle < theta - 0.01, "the angle must shrink: " + angle);
    Close.to(
        t,
        integral(slowness, angle, theta),
        tolerance() * (slowness.applyAsDouble(angle) + t),
        "time at which the angle is reached");
  }

  /** Simpson's rule on many intervals. */
  private static double integral(DoubleUnaryOperator f, double from, double to) {
    int intervals = 20_000;
    double h = (to - from) / intervals;
    double sum = f.applyAsDouble(from) + f.applyAsDouble(to);
    for (int k = 1; k < intervals; k++) {
      sum += (k % 2 == 0 ? 2 : 4) * f.applyAsDouble(from + k * h);
    }
    return sum * h / 3;
  }

  @Test
  void withoutScoresTokensDriftAlongTheMean() {
    int n = 33;
    int d = 4;
    double t = 1.5;
    double[] x = Tokens.gaussian(n, d, 421);
    double[] y =
        run(
            adaptive(),
            n,
            d,
            x,
            dynamics(Geometry.EUCLIDEAN, Mask.FULL, Normalisation.SOFTMAX, 0, Weight.identity(d)),
            t);
    for (int a = 0; a < n * d; a++) {
      double mean = 0;
      for (int i = 0; i < n; i++) {
        mean += x[i * d + a % d] / n;
      }
      Close.to(x[a] + Math.expm1(t) * mean, y[a], 8 * tolerance(), "coordinate " + a);
    }
  }

  @Test
  void equalTokensFollowTheExponentialOfV() {
    int n = 17;
    int d = 3;
    double t = 1.25;
    double[] one = {0.5, -1, 0.25};
    double[] v = {1, -0.5, 0.25};
    double[] x = new double[n * d];
    Arrays.setAll(x, a -> one[a % d]);
    double[] y =
        run(
            adaptive(),
            n,
            d,
            x,
            dynamics(Geometry.EUCLIDEAN, Mask.FULL, Normalisation.SOFTMAX, 1, Weight.diagonal(v)),
            t);
    for (int a = 0; a < n * d; a++) {
      Close.to(one[a % d] * Math.exp(t * v[a % d]), y[a], 4 * tolerance(), "coordinate " + a);
    }
    double[] still = run(adaptive(), n, d, unit(x, n, d), sphere(d, 9), 2);
    Close.to(unit(x, n, d), still, 16 * subject().epsilon(), "consensus on the sphere");
  }

  private static double[] unit(double[] x, int n, int d) {
    double[] y = new double[n * d];
    for (int a = 0; a < y.length; a++) {
      y[a] = x[a] / Naive.norm(x, a / d * d, d);
    }
    return y;
  }

  @ParameterizedTest(name = "{0} beta={1} V={2} I seed 431")
  @CsvSource({
    "SOFTMAX,1,1",
    "SOFTMAX,9,1",
    "UNNORMALISED,1,1",
    "SOFTMAX,1,-1",
    "UNNORMALISED,2,-1"
  })
  void theEnergyIsMonotone(Normalisation normalisation, double beta, double sign) {
    int n = 33;
    int d = 3;
    Shape shape = new Shape(1, n, d);
    Dynamics dynamics =
        dynamics(Geometry.SPHERE, Mask.FULL, normalisation, beta, Weight.scalar(d, sign));
    Layer[] layers = {dynamics.at(0, 0)};
    try (Integrator integrator =
        Integrators.create(
            IntegratorSpec.fixed(Method.RK4, 0.02),
            engine,
            new Dynamics[] {dynamics},
            state(shape, Tokens.sphere(n, d, 431)))) {
      double start = engine.observations().energy(integrator.state(), layers)[0];
      double energy = start;
      for (int k = 0; k < 50; k++) {
        integrator.attempt(all(1));
        double next = engine.observations().energy(integrator.state(), layers)[0];
        double before = energy;
        assertTrue(
            sign * (next - before) >= -256 * subject().epsilon() * before,
            () -> before + " -> " + next);
        energy = next;
      }
      assertTrue(sign * (energy - start) > 1e-3 * start, start + " -> " + energy);
    }
  }

  @ParameterizedTest(name = "{0} d={1} seed 441")
  @CsvSource({"EULER,3", "RK4,3", "RK4,17"})
  void fixedStepsLeaveCausalPrefixesUntouched(Method method, int d) {
    int n = 65;
    int m = 48;
    Dynamics dynamics =
        dynamics(Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 4, Weight.identity(d));
    IntegratorSpec spec = IntegratorSpec.fixed(method, 0.125);
    double[] x = Tokens.sphere(n, d, 441);
    double[] y = run(spec, n, d, x, dynamics, 2);
    double[] later = Tokens.sphere(n, d, 442);
    System.arraycopy(x, 0, later, 0, m * d);
    Close.sameBits(y, run(spec, n, d, later, dynamics, 2), 0, m * d, "with other later tokens");
    double[] alone = run(spec, m, d, Arrays.copyOf(x, m * d), dynamics, 2);
    Close.sameBits(y, alone, 0, m * d, "without later tokens");
    Close.to(Arrays.copyOf(x, d), Arrays.copyOf(y, d), 4 * subject().epsilon(), "first token");
    assertTrue(Math.abs(y[d] - x[d]) > 1e-3, "the second token moves");
  }

  @Test
  void tokensStayOnTheSphere() {
    int n = 49;
    int d = 9;
    double[] y = run(adaptive(), n, d, Tokens.sphere(n, d, 451), sphere(d, 9), 3);
    for (int i = 0; i < n; i++) {
      Close.to(1, Naive.norm(y, i * d, d), 8 * subject().epsilon(), "norm of token " + i);
    }
  }
}
