package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;

@DisplayName("Replicas do not know of each other")
class ReplicaTest {
  private static final int R = 3;
  private static final Shape BATCH = new Shape(R, 6, 3);
  private static final Shape ONE = new Shape(1, 6, 3);
  private static final double[] BETA = {0.5, 4, 20};

  @ParameterizedTest(name = "{0}: alone and in a batch, the same bits")
  @EnumSource(Method.class)
  void sameBitsAlone(Method method) {
    IntegratorSpec spec = DenseOutputTest.spec(method);
    double[] x0 = Rig.tokens(Geometry.SPHERE, BATCH, 77);
    int size = (int) ONE.size();
    try (Rig batch = new Rig(spec, BATCH, x0, dynamics(Geometry.SPHERE))) {
      batch.attempts(10);
      // One replica ends early; the others go on.
      boolean[] rest = {true, false, true};
      for (int s = 0; s < 20; s++) {
        batch.integrator.attempt(rest);
      }
      double[] together = batch.state();
      for (int r = 0; r < R; r++) {
        double[] mine = Arrays.copyOfRange(x0, r * size, (r + 1) * size);
        try (Rig alone = new Rig(spec, ONE, mine, dynamics(Geometry.SPHERE)[r])) {
          alone.attempts(rest[r] ? 30 : 10);
          assertArrayEquals(
              alone.state(), Arrays.copyOfRange(together, r * size, (r + 1) * size), 0);
          assertEquals(alone.integrator.time(0), batch.integrator.time(r));
          assertEquals(alone.integrator.stepSize(0), batch.integrator.stepSize(r));
          assertEquals(alone.integrator.steps(0), batch.integrator.steps(r));
          assertEquals(alone.integrator.rejected(0), batch.integrator.rejected(r));
        }
      }
      if (method.adaptive()) {
        assertNotEquals(batch.integrator.time(0), batch.integrator.time(2));
      }
    }
  }

  @Test
  @DisplayName("output of one replica leaves the others' last step in place")
  void outputOfOne() {
    double[] x0 = Rig.tokens(Geometry.EUCLIDEAN, BATCH, 78);
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-6, 1e-9);
    try (Rig rig = new Rig(spec, BATCH, x0, dynamics(Geometry.EUCLIDEAN))) {
      rig.attempts(4);
      Integrator i = rig.integrator;
      double[] t = new double[R];
      for (int r = 0; r < R; r++) {
        t[r] = 0.5 * (i.previousTime(r) + i.time(r));
      }
      double[] before = rig.dense(t);
      var out = rig.engine.allocateState(BATCH);
      i.sideStep(new double[] {i.time(0) + 1e-3, 0, 0}, new boolean[] {true, false, false}, out);
      boolean[] others = {false, true, true};
      i.interpolate(t, others, out);
      double[] after = rig.engine.download(out);
      int size = (int) ONE.size();
      assertArrayEquals(
          Arrays.copyOfRange(before, size, R * size), Arrays.copyOfRange(after, size, R * size), 0);
      out.close();
    }
  }

  private static Dynamics[] dynamics(Geometry g) {
    Dynamics[] each = new Dynamics[R];
    for (int r = 0; r < R; r++) {
      each[r] = Rig.plain(g, 3, g == Geometry.SPHERE ? BETA[r] : 0.1 * BETA[r]);
    }
    return each;
  }
}
