package org.starling.core.integrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

@DisplayName("Step sizes, limits and what a method needs")
class StepControlTest {

  @Test
  void bounds() {
    assertEquals(10, StepControl.afterAccept(1, 0, 1e-4, false));
    assertEquals(1, StepControl.afterAccept(1, 0, 1e-4, true));
    assertEquals(0.9, StepControl.afterAccept(1, 1, 1, false), 1e-15);
    assertTrue(
        StepControl.afterAccept(1, 1, 1e-4, false) < 0.7, "a rising error shortens the step");
    assertEquals(0.2, StepControl.afterReject(1, 1e9));
    assertEquals(0.1, StepControl.afterReject(1, Double.NaN));
    assertEquals(0.1, StepControl.afterReject(1, Double.POSITIVE_INFINITY));
    assertTrue(StepControl.afterReject(1, 1.0000001) <= 0.9);
  }

  @Test
  @DisplayName("the first step is positive and finite whatever the norms")
  void first() {
    double[] norms = {0, 1e-300, 1e-5, 1, 1e12, 1e300, Double.POSITIVE_INFINITY, Double.NaN};
    for (double d0 : norms) {
      for (double d1 : norms) {
        double guess = StepControl.firstGuess(d0, d1);
        assertTrue(guess > 0 && guess < Double.POSITIVE_INFINITY, "guess " + d0 + " " + d1);
        for (double d2 : norms) {
          double h = StepControl.first(guess, d1, d2);
          assertTrue(h > 0 && h <= 100 * guess, "first " + d0 + " " + d1 + " " + d2);
        }
      }
    }
  }

  @Test
  @DisplayName("arrays: at most 4 for rk4 and 8 for dopri5")
  void memory() {
    IntegratorSpec rk4 = IntegratorSpec.fixed(Method.RK4, 0.1);
    IntegratorSpec dopri5 = IntegratorSpec.dopri5(1e-6, 1e-9);
    assertEquals(4, Integrators.states(rk4) + Integrators.fields(rk4));
    assertEquals(8, Integrators.states(dopri5) + Integrators.fields(dopri5));
  }

  @Test
  void refusedSpecs() {
    assertThrows(IllegalArgumentException.class, () -> IntegratorSpec.fixed(Method.RK4, 0));
    assertThrows(
        IllegalArgumentException.class, () -> IntegratorSpec.fixed(Method.RK4, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> IntegratorSpec.fixed(Method.DOPRI5, 0.1));
    assertThrows(IllegalArgumentException.class, () -> IntegratorSpec.dopri5(-1, 1e-9));
    assertThrows(IllegalArgumentException.class, () -> IntegratorSpec.dopri5(1e-6, 0));
    IntegratorSpec good = IntegratorSpec.dopri5(1e-6, 1e-9);
    assertThrows(IllegalArgumentException.class, () -> good.withMaxSteps(0));
    assertThrows(IllegalArgumentException.class, () -> good.withFirstStep(Double.NaN));
    assertEquals(
        "unknown method 'rk5'; known: euler, heun, rk4, dopri5, layers, euler-maruyama, radau5, arclength",
        assertThrows(IllegalArgumentException.class, () -> Method.of("rk5")).getMessage());
  }

  @Test
  @DisplayName("the horizon: 28 / lambda_1 in float64, 12 / lambda_1 in float32, none elsewhere")
  void horizon() {
    Weight spiral = Weight.dense(2, 2, new double[] {0.5, -3, 3, 0.5});
    assertEquals(56, Horizon.of(rescaled(spiral), Precision.DOUBLE).time(), 1e-11);
    assertEquals(24, Horizon.of(rescaled(spiral), Precision.SINGLE).time(), 1e-11);
    Horizon mixed = Horizon.of(rescaled(spiral), Precision.MIXED);
    assertEquals(24, mixed.time(), 1e-11);
    assertTrue(mixed.sentence().contains("terminal law"), mixed.sentence());
    assertEquals(
        Double.POSITIVE_INFINITY,
        Horizon.of(rescaled(Weight.scalar(2, -1)), Precision.DOUBLE).time());
    // Two heads need e^{-tV} as well.
    Horizon range =
        Horizon.of(rescaled(Weight.scalar(2, -1), Weight.scalar(2, -6)), Precision.DOUBLE);
    assertEquals(100, range.time(), 1e-11);
  }

  private static Dynamics rescaled(Weight... values) {
    List<Head> heads =
        java.util.Arrays.stream(values)
            .map(v -> new Head(Weight.identity(2), Weight.identity(2), v))
            .toList();
    return new Dynamics(
        Geometry.RESCALED,
        Mask.FULL,
        Normalisation.SOFTMAX,
        1,
        WeightSchedule.constant(heads),
        1,
        null);
  }
}
