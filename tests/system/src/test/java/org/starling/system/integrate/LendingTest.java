package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** Fields that integrators lend, and the times at which they need no state to look at. */
class LendingTest {
  private static final Shape SHAPE = new Shape(2, 6, 3);
  private static final long SEED = 31;

  private static Rig rig(Method method, Geometry g) {
    IntegratorSpec spec =
        method.adaptive()
            // A first step that is far too large brings rejections.
            ? IntegratorSpec.adaptive(method, 1e-8, 1e-11).withFirstStep(2)
            : IntegratorSpec.fixed(method, 0.013);
    return new Rig(spec, SHAPE, Rig.tokens(g, SHAPE, SEED), Rig.plain(g, 3, 1), Rig.plain(g, 3, 4));
  }

  /** Fills the rows of one replica, as a borrower may. */
  private static void spoil(Rig rig, int replica) {
    boolean[] which = new boolean[2];
    which[replica] = true;
    Field lent = rig.integrator.lend(which);
    double[] values = rig.engine.download(lent);
    int size = values.length / 2;
    Arrays.fill(values, replica * size, (replica + 1) * size, Double.NaN);
    rig.engine.upload(lent, values);
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void lendingChangesNoLaterBit(Method method) {
    for (Geometry g : new Geometry[] {Geometry.SPHERE, Geometry.EUCLIDEAN}) {
      try (Rig quiet = rig(method, g);
          Rig lending = rig(method, g)) {
        for (int attempt = 0; attempt < 60; attempt++) {
          spoil(lending, attempt % 2);
          quiet.attempts(1);
          lending.attempts(1);
        }
        assertArrayEquals(quiet.state(), lending.state(), 0, "on " + g);
        assertArrayEquals(quiet.integrator.save(), lending.integrator.save(), "on " + g);
        if (method.adaptive()) {
          assertTrue(quiet.integrator.rejected(0) > 0, "no rejection has been exercised");
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Method.class)
  void outputIsRightOrRefused(Method method) {
    try (Rig quiet = rig(method, Geometry.SPHERE);
        Rig lending = rig(method, Geometry.SPHERE)) {
      quiet.attempts(20);
      lending.attempts(20);
      assertTrue(quiet.integrator.accepted(0) && quiet.integrator.accepted(1));
      spoil(lending, 1);
      double[] ends = {lending.integrator.time(0), lending.integrator.time(1)};
      double[] middles = new double[2];
      for (int r = 0; r < 2; r++) {
        middles[r] = 0.5 * (lending.integrator.previousTime(r) + ends[r]);
      }
      double[] withEnd = {middles[0], ends[1]};
      assertArrayEquals(quiet.dense(withEnd), lending.dense(withEnd), 0);
      if (method.adaptive() && !method.implicit()) {
        assertThrows(IllegalStateException.class, () -> lending.dense(middles));
        quiet.attempts(1);
        lending.attempts(1);
        for (int r = 0; r < 2; r++) {
          middles[r] = 0.5 * (quiet.integrator.previousTime(r) + quiet.integrator.time(r));
        }
      }
      assertArrayEquals(quiet.dense(middles), lending.dense(middles), 0);
    }
  }

  @ParameterizedTest(name = "dt {0}, layers of {1}")
  @CsvSource({
    "0.1, 0",
    "0.013, 0",
    "0.25, 1",
    "0.1, 1",
    "0.1, 0.25",
    "0.3, 1",
    "1, 1",
    "0.0333333333333333, 1"
  })
  void stepEndsAreKnownBeforehand(double dt, double layerTime) {
    Dynamics dynamics =
        layerTime == 0
            ? Rig.plain(Geometry.SPHERE, 3, 1)
            : new Dynamics(
                Geometry.SPHERE,
                Mask.FULL,
                Normalisation.SOFTMAX,
                1,
                Rig.perLayer(3, Integer.MAX_VALUE, SEED),
                layerTime,
                null);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.EULER, dt);
    Shape one = new Shape(1, 2, 3);
    try (Rig rig = new Rig(spec, one, Rig.tokens(Geometry.SPHERE, one, SEED), dynamics)) {
      Integrator integrator = rig.integrator;
      double[] visited = new double[300];
      for (int s = 1; s < visited.length; s++) {
        visited[s] = rig.attempts(1).integrator.time(0);
        double begin = integrator.previousTime(0);
        for (double t :
            new double[] {visited[s], Math.nextUp(visited[s]), 0.3 * begin + 0.7 * visited[s]}) {
          assertEquals(
              t == visited[s],
              Integrators.stepsEndAt(new double[] {t}, spec, dynamics),
              "t = " + t);
        }
        double before = Math.nextDown(visited[s]);
        assertEquals(
            before == begin, Integrators.stepsEndAt(new double[] {before}, spec, dynamics));
      }
      assertTrue(Integrators.stepsEndAt(visited, spec, dynamics));
    }
  }

  @Test
  void stepEndsAreNotKnownOfAdaptiveStepsAndOfHorizons() {
    double[] times = {0, 0.5, 1};
    IntegratorSpec half = IntegratorSpec.fixed(Method.RK4, 0.5);
    Dynamics rescaled = Rig.plain(Geometry.RESCALED, 3, 1);
    Dynamics sphere = Rig.plain(Geometry.SPHERE, 3, 1);
    assertEquals(true, Integrators.stepsEndAt(times, half, sphere));
    assertEquals(false, Integrators.stepsEndAt(times, half, rescaled));
    assertEquals(false, Integrators.stepsEndAt(times, IntegratorSpec.dopri5(1e-6, 1e-9), sphere));
  }
}
