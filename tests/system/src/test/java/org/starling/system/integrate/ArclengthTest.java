package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;

/** Steps along the path of the tokens, and what happens where they meet. */
class ArclengthTest {
  private static final double DT = 1e-3;
  private static final Shape THREE = new Shape(1, 3, 2);
  private static final IntegratorSpec SPEC =
      IntegratorSpec.fixed(Method.ARCLENGTH, DT).withMerging(new Merging(2 * DT, 1));

  private static double[] circle(double... angles) {
    double[] x = new double[2 * angles.length];
    for (int i = 0; i < angles.length; i++) {
      x[2 * i] = Math.cos(angles[i]);
      x[2 * i + 1] = Math.sin(angles[i]);
    }
    return x;
  }

  /**
   * A pair at distance D meets after D / sqrt 2, then nothing moves: e^{-200} is not waited for.
   */
  @Test
  void aPairMeetsAfterItsDistanceAndStandsStill() {
    Dynamics dynamics = Rig.plain(Geometry.SPHERE, 2, 200);
    try (Rig rig = new Rig(SPEC, new Shape(1, 2, 2), circle(0, Math.PI / 2), dynamics)) {
      while (rig.integrator.failure(0) == null) {
        rig.attempts(1);
      }
      Outcome end = rig.integrator.failure(0);
      assertEquals(Outcome.Kind.STOP_CONDITION, end.kind(), end.sentence());
      assertEquals(Math.PI / 2 / Math.sqrt(2), rig.integrator.time(0), 3 * DT);
      double[] x = rig.state();
      assertEquals(Math.PI / 4, Math.atan2(x[1], x[0]), 1e-9);
      assertEquals(x[0], x[2]);
      assertEquals(x[1], x[3]);
    }
  }

  /** Glued tokens count with their number: two near ones meet first, then pull the third. */
  @Test
  void gluedTokensMoveTogetherToTheNearestPair() {
    Dynamics dynamics = Rig.plain(Geometry.SPHERE, 2, 60);
    try (Rig rig = new Rig(SPEC, THREE, circle(0, 0.4, 1.4), dynamics)) {
      while (rig.integrator.failure(0) == null) {
        rig.attempts(1);
        double[] x = rig.state();
        if (rig.integrator.time(0) > 0.4 / Math.sqrt(2) + 3 * DT) {
          assertTrue(x[0] == x[2] && x[1] == x[3], "the first pair has come apart");
        } else {
          assertEquals(1.4, Math.atan2(x[5], x[4]), 1e-2);
        }
      }
    }
  }

  @Test
  void itRefusesToPassTokensUnseen() {
    IntegratorSpec fine =
        IntegratorSpec.fixed(Method.ARCLENGTH, DT).withMerging(new Merging(DT, 1));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Rig(fine, THREE, circle(0, 1, 2), Rig.plain(Geometry.SPHERE, 2, 1)));
    assertTrue(e.getMessage().contains("must be at least 2 dt = 0.002"), e.getMessage());
  }
}
