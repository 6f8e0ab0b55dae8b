package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Geometry;

@DisplayName("Output between steps")
class DenseOutputTest {

  static Stream<Arguments> fixed() {
    return OrderOfAccuracyTest.methods();
  }

  static Stream<Arguments> all() {
    return Stream.concat(
        fixed(), Stream.of(Geometry.values()).map(g -> Arguments.of(Method.DOPRI5, g)));
  }

  static IntegratorSpec spec(Method m) {
    return m.adaptive() ? IntegratorSpec.dopri5(1e-5, 1e-8) : IntegratorSpec.fixed(m, 0.07);
  }

  @ParameterizedTest(name = "{0} on {1}: of the method''s own order")
  @MethodSource("fixed")
  void orderOfFixedSteps(Method method, Geometry g) {
    // T/3 lies a third into a step for each of these.
    int[] counts = method.order() == 4 ? new int[] {10, 40} : new int[] {40, 160, 640};
    double[] errors = new double[counts.length];
    double[] exact;
    try (Rig rig = OrderOfAccuracyTest.rig(IntegratorSpec.fixed(Method.RK4, 1.0 / 1500), g)) {
      exact = rig.at(1.0 / 3);
    }
    for (int m = 0; m < counts.length; m++) {
      try (Rig rig = OrderOfAccuracyTest.rig(IntegratorSpec.fixed(method, 1.0 / counts[m]), g)) {
        rig.attempts(counts[m] / 3 + 1);
        errors[m] = Rig.distance(rig.dense(1.0 / 3), exact);
      }
    }
    double slope = Ladder.slope(counts, errors);
    assertTrue(
        Math.abs(slope - method.order()) <= 0.2,
        () -> "slope " + slope + " from errors " + Arrays.toString(errors));
  }

  @ParameterizedTest(name = "dopri5 on {0}: local error of order 5")
  @EnumSource(Geometry.class)
  void orderOfDormandPrince(Geometry g) {
    int[] counts = {8, 16, 32};
    double[] errors = new double[counts.length];
    for (int m = 0; m < counts.length; m++) {
      double h = 1.0 / counts[m];
      IntegratorSpec loose = IntegratorSpec.dopri5(0.9, 1).withFirstStep(h);
      try (Rig exact = OrderOfAccuracyTest.rig(IntegratorSpec.fixed(Method.RK4, h / 300), g);
          Rig rig = OrderOfAccuracyTest.rig(loose, g)) {
        rig.attempts(1);
        assertEquals(h, rig.integrator.time(0));
        errors[m] = Rig.distance(rig.dense(h / 3), exact.at(h / 3));
      }
    }
    double slope = Ladder.slope(counts, errors);
    assertTrue(
        Math.abs(slope - 5) <= 0.3,
        () -> "slope " + slope + " from errors " + Arrays.toString(errors));
  }

  @ParameterizedTest(name = "{0} on {1}: joins the accepted states")
  @MethodSource("all")
  void ends(Method method, Geometry g) {
    try (Rig rig = OrderOfAccuracyTest.rig(spec(method), g)) {
      rig.attempts(3);
      double[] before = rig.state();
      rig.attempts(1);
      Integrator i = rig.integrator;
      assertTrue(i.accepted(0));
      assertArrayEquals(rig.state(), rig.dense(i.time(0)), 0);
      assertArrayEquals(before, rig.dense(i.previousTime(0)), 1e-14);
      double nearEnd = i.time(0) - 1e-9 * (i.time(0) - i.previousTime(0));
      assertArrayEquals(rig.state(), rig.dense(nearEnd), 1e-8);
    }
  }

  @ParameterizedTest(name = "{0} on {1}: changes no later bit and no count")
  @MethodSource("all")
  void independence(Method method, Geometry g) {
    try (Rig quiet = OrderOfAccuracyTest.rig(spec(method), g);
        Rig busy = OrderOfAccuracyTest.rig(spec(method), g)) {
      quiet.attempts(25);
      for (int s = 0; s < 25; s++) {
        busy.attempts(1);
        Integrator i = busy.integrator;
        if (i.accepted(0)) {
          busy.dense(0.3 * i.previousTime(0) + 0.7 * i.time(0));
        }
        busy.side(i.time(0) + 0.1 * i.stepSize(0));
      }
      assertArrayEquals(quiet.state(), busy.state(), 0);
      assertArrayEquals(quiet.integrator.save(), busy.integrator.save());
    }
  }

  @ParameterizedTest(name = "{0} on {1}: a side step of full length is the step")
  @MethodSource("all")
  void sideStepIsTheStep(Method method, Geometry g) {
    try (Rig rig = OrderOfAccuracyTest.rig(spec(method), g)) {
      rig.attempts(2);
      double[] side = rig.side(rig.integrator.time(0) + rig.integrator.stepSize(0));
      rig.attempts(1);
      assertArrayEquals(rig.state(), side, 1e-14);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Method.class)
  @DisplayName("times outside of the step are refused")
  void refused(Method method) {
    try (Rig rig =
        new Rig(
            spec(method),
            new Shape(1, 3, 2),
            Rig.tokens(Geometry.SPHERE, new Shape(1, 3, 2), 1),
            Rig.plain(Geometry.SPHERE, 2, 1))) {
      rig.attempts(2);
      double t = rig.integrator.time(0);
      assertThrows(IllegalArgumentException.class, () -> rig.dense(t * 1.5));
      assertThrows(IllegalArgumentException.class, () -> rig.dense(Double.NaN));
      assertThrows(IllegalArgumentException.class, () -> rig.side(t / 2));
    }
  }
}
