package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.WeightSchedule;

@DisplayName("Weights per layer")
class SwitchTest {
  private static final Shape SHAPE = new Shape(1, 6, 3);
  private static final double LAYER_TIME = 0.7;
  private static final int LAYERS = 4;
  private static final long SEED = 5;

  private static Dynamics layered() {
    return new Dynamics(
        Geometry.SPHERE,
        Mask.FULL,
        Normalisation.SOFTMAX,
        2,
        Rig.perLayer(3, LAYERS, SEED),
        LAYER_TIME,
        null);
  }

  private static IntegratorSpec spec(Method m) {
    return m.adaptive() ? IntegratorSpec.adaptive(m, 1e-9, 1e-12) : IntegratorSpec.fixed(m, 0.3);
  }

  @ParameterizedTest(name = "{0}: the same as one integration after the other")
  @EnumSource(value = Method.class, mode = EnumSource.Mode.EXCLUDE, names = "ARCLENGTH")
  void chained(Method method) {
    double[] x = Rig.tokens(Geometry.SPHERE, SHAPE, SEED);
    double[] whole;
    try (Rig rig = new Rig(spec(method), SHAPE, x, layered())) {
      whole = rig.at(LAYERS * LAYER_TIME);
    }
    for (int l = 0; l < LAYERS; l++) {
      Dynamics one =
          Rig.dynamics(
              Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 2, Rig.gaussian(3, SEED + l));
      try (Rig rig = new Rig(spec(method), SHAPE, x, one)) {
        x = rig.at(LAYER_TIME);
      }
    }
    assertArrayEquals(x, whole, method.adaptive() ? 2e-8 : 1e-14);
  }

  @ParameterizedTest(
      name = "{0}: steps end at every switch, and after the last layer nothing comes")
  @EnumSource(value = Method.class, mode = EnumSource.Mode.EXCLUDE, names = "ARCLENGTH")
  void times(Method method) {
    try (Rig rig =
        new Rig(spec(method), SHAPE, Rig.tokens(Geometry.SPHERE, SHAPE, SEED), layered())) {
      Integrator i = rig.integrator;
      int switches = 0;
      while (i.failure(0) == null) {
        double step = i.stepSize(0);
        double middle = i.time(0) + 0.5 * step;
        double[] expected = step > 0 ? rig.side(middle) : null;
        rig.attempts(1);
        if (i.accepted(0)) {
          assertEquals(i.previousTime(0) + step, i.time(0), 1e-15);
          int before = (int) Math.floor(i.previousTime(0) / LAYER_TIME + 1e-9);
          double end = (before + 1) * LAYER_TIME;
          assertTrue(i.time(0) <= end, "a step went across the switch at " + end);
          switches += i.time(0) == end ? 1 : 0;
          // Output from inside a step uses the weights of that step, at a switch too.
          assertArrayEquals(expected, rig.dense(middle), method.adaptive() ? 1e-7 : 1e-14);
        }
      }
      assertEquals(LAYERS, switches);
      assertEquals(LAYERS * LAYER_TIME, i.time(0));
      assertEquals(Outcome.Kind.STOP_CONDITION, i.failure(0).kind());
      assertEquals(0, i.stepSize(0));
      assertThrows(IllegalStateException.class, () -> rig.attempts(1));
    }
  }

  @Test
  @DisplayName("steps that divide the layer time leave no sliver before a switch")
  void noSlivers() {
    Dynamics dynamics =
        new Dynamics(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            2,
            Rig.perLayer(3, Integer.MAX_VALUE, SEED),
            0.3,
            null);
    IntegratorSpec tenths = IntegratorSpec.fixed(Method.EULER, 0.1);
    try (Rig rig = new Rig(tenths, SHAPE, Rig.tokens(Geometry.SPHERE, SHAPE, SEED), dynamics)) {
      rig.attempts(3000);
      assertNull(rig.integrator.failure(0));
      assertEquals(1000 * 0.3, rig.integrator.time(0));
    }
  }

  @Test
  @DisplayName("fixed steps: times are products, never sums")
  void products() {
    IntegratorSpec tenths = IntegratorSpec.fixed(Method.EULER, 0.1);
    try (Rig rig =
        new Rig(
            tenths,
            SHAPE,
            Rig.tokens(Geometry.SPHERE, SHAPE, SEED),
            Rig.plain(Geometry.SPHERE, 3, 1))) {
      for (int s = 1; s <= 1000; s++) {
        rig.attempts(1);
        assertEquals(s * 0.1, rig.integrator.time(0));
      }
    }
  }

  @Test
  @DisplayName("the step size from before a clipped step is kept")
  void stepSizeKept() {
    WeightSchedule same =
        new WeightSchedule() {
          @Override
          public List<Head> heads(int layer) {
            return List.of(Rig.identity(3));
          }

          @Override
          public boolean constant() {
            return false;
          }

          @Override
          public int layers() {
            return LAYERS;
          }
        };
    Dynamics still =
        new Dynamics(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 2, same, LAYER_TIME, null);
    double[] equal = {1, 0, 0, 1, 0, 0};
    // The first step leaves 2 percent of the layer, and without any motion steps grow tenfold: from
    // the clipped step alone they would reach a fifth of the next layer.
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-3, 1e-6).withFirstStep(0.98 * LAYER_TIME);
    try (Rig rig = new Rig(spec, new Shape(1, 2, 3), equal, still)) {
      rig.attempts(2);
      assertEquals(LAYER_TIME, rig.integrator.time(0));
      assertEquals(LAYER_TIME, rig.integrator.stepSize(0), 1e-15);
    }
  }
}
