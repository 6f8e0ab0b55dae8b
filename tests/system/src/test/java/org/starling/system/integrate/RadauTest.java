package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;

/** The implicit method: its accuracy, its long steps, what it refuses. */
class RadauTest {
  private static final int MOST_STEPS = 800;

  @ParameterizedTest(name = "{0}")
  @EnumSource(Geometry.class)
  void errorFollowsTolerance(Geometry g) {
    double[] exact = OrderOfAccuracyTest.exact(g);
    for (double rtol : new double[] {1e-4, 1e-6, 1e-8}) {
      IntegratorSpec spec = IntegratorSpec.adaptive(Method.RADAU5, rtol, rtol * 1e-3);
      try (Rig rig = OrderOfAccuracyTest.rig(spec, g)) {
        double error = Rig.distance(rig.at(1), exact);
        assertTrue(error <= 5 * rtol, () -> g + ": error " + error + " at rtol " + rtol);
      }
    }
  }

  /** Two tokens at a right angle: int_0.01^{pi/2} (1 + e^{14 (1 - cos p)}) / (2 sin p) dp. */
  @Test
  void twoTokensMeetAfterAnExponentiallyLongTimeInFewSteps() {
    double meeting = 43425.77383645711;
    Dynamics dynamics = Rig.plain(Geometry.SPHERE, 2, 14);
    IntegratorSpec spec = IntegratorSpec.adaptive(Method.RADAU5, 1e-9, 1e-11);
    try (Rig rig = new Rig(spec, new Shape(1, 2, 2), new double[] {1, 0, 0, 1}, dynamics)) {
      double[] x = rig.at(meeting);
      assertEquals(0.01, Math.hypot(x[0] - x[2], x[1] - x[3]), 2e-4);
      assertTrue(rig.integrator.steps(0) < MOST_STEPS, () -> rig.integrator.steps(0) + " steps");
    }
  }

  @Test
  void itRefusesWhatItCannotSolve() {
    Shape large = new Shape(1, 129, 2);
    double[] x = Rig.tokens(Geometry.SPHERE, large, 3);
    IntegratorSpec spec = IntegratorSpec.adaptive(Method.RADAU5, 1e-6, 1e-9);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Rig(spec, large, x, Rig.plain(Geometry.SPHERE, 2, 1)));
    assertTrue(e.getMessage().contains("at most 256, not 129 x 2 = 258"), e.getMessage());
  }
}
