package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

@DisplayName("Order of accuracy, fitted from a ladder of steps")
class OrderOfAccuracyTest {
  private static final long SEED = 41;
  private static final double T = 1;
  private static final Shape SHAPE = new Shape(1, 7, 3);

  static Stream<Arguments> methods() {
    return Stream.of(Geometry.values())
        .flatMap(
            g ->
                Stream.of(Method.EULER, Method.HEUN, Method.RK4, Method.LAYERS)
                    .filter(m -> m != Method.LAYERS || g != Geometry.RESCALED)
                    .map(m -> Arguments.of(m, g)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("methods")
  void slopeIsTheOrder(Method method, Geometry g) {
    double[] exact = exact(g);
    int[] counts = method.order() == 4 ? new int[] {10, 20, 40, 80} : new int[] {40, 80, 160, 320};
    double[] errors = new double[counts.length];
    for (int m = 0; m < counts.length; m++) {
      try (Rig rig = rig(IntegratorSpec.fixed(method, T / counts[m]), g)) {
        errors[m] = Rig.distance(rig.at(T), exact);
      }
    }
    double slope = Ladder.slope(counts, errors);
    assertTrue(
        Math.abs(slope - method.order()) <= 0.15,
        () -> "slope " + slope + " from errors " + java.util.Arrays.toString(errors));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Geometry.class)
  @DisplayName("dopri5: the error follows the tolerance")
  void errorFollowsTolerance(Geometry g) {
    double[] exact = exact(g);
    for (double rtol : new double[] {1e-4, 1e-6, 1e-8, 1e-10}) {
      try (Rig rig = rig(IntegratorSpec.dopri5(rtol, rtol * 1e-3), g)) {
        double error = Rig.distance(rig.at(T), exact);
        assertTrue(error <= 5 * rtol, () -> g + ": error " + error + " at rtol " + rtol);
        assertTrue(error >= rtol * 1e-4, () -> g + ": wasteful, " + error + " at rtol " + rtol);
      }
    }
  }

  static double[] exact(Geometry g) {
    try (Rig rig = rig(IntegratorSpec.fixed(Method.RK4, T / 1500), g)) {
      return rig.at(T);
    }
  }

  static Rig rig(IntegratorSpec spec, Geometry g) {
    Dynamics dynamics =
        Rig.dynamics(g, Mask.FULL, Normalisation.SOFTMAX, 1.5, Rig.gaussian(SHAPE.d(), SEED));
    return new Rig(spec, SHAPE, Rig.tokens(g, SHAPE, SEED), dynamics);
  }
}
