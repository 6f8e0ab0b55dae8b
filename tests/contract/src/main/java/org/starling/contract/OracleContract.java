package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/** Velocities known in closed form. */
abstract class OracleContract extends ContractTheme {
  /**
   * Orthonormal tokens keep one common inner product g with g' = 2 (1-g)((n-1)g+1) / (e^{beta(1-g)}
   * + n - 1); here at g = 0, where g' = 2 &lt;v_i, x_j&gt; for all i != j.
   */
  @ParameterizedTest(name = "n={0} d={1} beta={2}")
  @CsvSource({"2,2,0", "2,3,9", "7,7,1", "7,9,9", "48,64,0", "49,64,9", "49,64,30"})
  void equalAngles(int n, int d, double beta) {
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      x[i * d + i] = 1;
    }
    double expected = 2 / (Math.exp(beta) + n - 1);
    double[] v = velocity(n, d, x, Layers.identity(d, beta));
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double rate = 2 * v[i * d + j];
        Close.to(
            i == j ? 0 : expected,
            rate,
            (64 + 4 * beta) * subject().epsilon() * expected,
            "rate of <x_" + i + ",x_" + j + ">");
      }
    }
  }

  /**
   * Two tokens at angle theta move at speed sin(theta) e^{beta cos}/(e^beta + e^{beta cos}) each;
   * float32 holds even the slowest of these.
   */
  @ParameterizedTest(name = "d={0} beta={1} theta={2}")
  @CsvSource({
    "2,0,1",
    "3,1,2.5",
    "2,9,0.5",
    "9,9,1",
    "64,81,0.7",
    "3,81,1.4",
    "17,1,0.01",
    "3,1,1e-3"
  })
  void twoTokens(int d, double beta, double theta) {
    double[] x = new double[2 * d];
    x[0] = 1;
    x[d] = Math.cos(theta);
    x[d + 1] = Math.sin(theta);
    x = subject().representable(x);
    // The angle and the length of what the engine really holds.
    double angle = Math.atan2(x[d + 1], x[d]);
    double length = Math.hypot(x[d], x[d + 1]);
    double r = -beta * (1 - length * Math.cos(angle));
    double speed = length * Math.sin(angle) / (1 + Math.exp(-r));
    double[] v = velocity(2, d, x, Layers.identity(d, beta));
    double weight = 1 / (1 + Math.exp(-r));
    double tolerance = subject().epsilon() * ((16 + 8 * beta) * speed + 8 * weight);
    Close.to(0, v[0], tolerance, "along the token");
    Close.to(speed, v[1], tolerance, "towards the other");
    for (int a = 2; a < d; a++) {
      Close.to(0, v[a], 0, "out of the plane");
    }
  }

  @ParameterizedTest(name = "n={0} d={1} seed 281")
  @CsvSource({"1,3", "7,1", "49,3", "129,17"})
  void withoutScoresEveryTokenMovesAlongTheMean(int n, int d) {
    double[] x = subject().representable(Tokens.gaussian(n, d, 281));
    double[] mean = new double[d];
    for (int a = 0; a < n * d; a++) {
      mean[a % d] += x[a] / n;
    }
    Layer layer =
        Layers.of(
            Geometry.EUCLIDEAN, Mask.FULL, Normalisation.SOFTMAX, 0, d, Layers.Weights.IDENTITY, 0);
    double[] v = velocity(n, d, x, layer);
    for (int a = 0; a < n * d; a++) {
      Close.to(mean[a % d], v[a], 64 * subject().epsilon(), "coordinate " + a);
    }
  }

  @ParameterizedTest
  @EnumSource(Geometry.class)
  void equalTokensDoNotAttractEachOther(Geometry geometry) {
    int n = 49;
    for (int d : new int[] {3, 17}) {
      double[] one = subject().representable(Tokens.sphere(1, d, 291));
      double[] x = new double[n * d];
      Arrays.setAll(x, a -> one[a % d]);
      Layer layer =
          Layers.of(geometry, Mask.FULL, Normalisation.SOFTMAX, 9, d, Layers.Weights.SCALAR, 292);
      double[] v = velocity(n, d, x, layer);
      for (int a = 0; a < n * d; a++) {
        double expected = geometry == Geometry.EUCLIDEAN ? 2 * one[a % d] : 0;
        Close.to(expected, v[a], 8 * subject().epsilon() * 2, geometry + " coordinate " + a);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 49, 129})
  void attentionRowsSumToOne(int n) {
    int d = 9;
    double[] x = subject().representable(Tokens.sphere(n, d, 301));
    for (Mask mask : new Mask[] {Mask.FULL, Mask.CAUSAL, Mask.window(7)}) {
      Layer layer =
          Layers.of(Geometry.SPHERE, mask, Normalisation.SOFTMAX, 30, d, Layers.Weights.DENSE, 302);
      try (State s = state(new Shape(1, n, d), x)) {
        for (double[] row : engine.observations().attentionRows(s, layer, 0, 0, allRows(n))) {
          Close.to(1, Arrays.stream(row).sum(), 64 * subject().epsilon(), mask + " row sum");
        }
      }
    }
  }

  /**
   * For V = Q^T K = I a small step along the velocity raises the energy; for V = -I it lowers it.
   */
  @ParameterizedTest(name = "{0} beta={1} seed 311")
  @CsvSource({"SOFTMAX,1", "SOFTMAX,9", "UNNORMALISED,1", "UNNORMALISED,4"})
  void theVelocityClimbsTheEnergy(Normalisation normalisation, double beta) {
    int n = 49;
    int d = 3;
    double[] x = subject().representable(Tokens.sphere(n, d, 311));
    Shape shape = new Shape(1, n, d);
    for (int sign : new int[] {1, -1}) {
      Layer layer =
          new Layer(
              Geometry.SPHERE,
              Mask.FULL,
              normalisation,
              beta,
              java.util.List.of(
                  Layers.head(Weight.identity(d), Weight.identity(d), Weight.scalar(d, sign))),
              null);
      Layer[] layers = {layer};
      Observations o = engine.observations();
      try (State s = state(shape, x);
          Field v = engine.allocateField(shape)) {
        double before = o.energy(s, layers)[0];
        engine.velocity(s, layers, all(1), v);
        double step = 0.02 / engine.largest(v, all(1))[0].value();
        engine.combine(s, s, new double[][] {{step}}, new Field[] {v}, all(1));
        engine.retract(s, all(1));
        double after = o.energy(s, layers)[0];
        assertTrue(
            sign * (after - before) > 1e-4 * before,
            "V=" + sign + " I: " + before + " -> " + after);
      }
    }
  }

  @Test
  void consensusHasEnergyOne() {
    int n = 49;
    int d = 17;
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      x[i * d + 3] = 1;
    }
    try (State s = state(new Shape(1, n, d), x)) {
      Close.to(
          1,
          engine.observations().energy(s, new Layer[] {Layers.identity(d, 81)})[0],
          64 * subject().epsilon(),
          "energy");
      Close.to(
          Math.log(n),
          engine.observations().attentionEntropy(s, new Layer[] {Layers.identity(d, 81)})[0],
          512 * subject().epsilon(),
          "entropy");
    }
  }
}
