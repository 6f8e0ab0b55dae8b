package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

@DisplayName("200 attempts are 100, a restart, and 100 more, byte for byte")
class CheckpointTest {
  private static final Shape SHAPE = new Shape(2, 6, 3);
  private static final long SEED = 12;

  static Stream<Arguments> cases() {
    return Stream.of(Method.values())
        .flatMap(
            m ->
                Stream.of(Geometry.values())
                    .filter(
                        g ->
                            g != Geometry.RESCALED || (m != Method.LAYERS && m != Method.ARCLENGTH))
                    .flatMap(
                        g ->
                            Stream.of(false, true)
                                .filter(
                                    layered ->
                                        !layered
                                            || (g != Geometry.RESCALED && m != Method.ARCLENGTH))
                                .map(layered -> Arguments.of(m, g, layered))));
  }

  @ParameterizedTest(name = "{0} on {1}, weights per layer: {2}")
  @MethodSource("cases")
  void sameBytes(Method method, Geometry g, boolean layered) {
    try (Rig whole = rig(method, g, layered);
        Rig first = rig(method, g, layered);
        Rig second = rig(method, g, layered)) {
      whole.attempts(200);
      first.attempts(100);
      second.engine.restore(
          second.integrator.state(), first.engine.snapshot(first.integrator.state()));
      second.integrator.restore(first.integrator.save());
      assertArrayEquals(first.integrator.save(), second.integrator.save());
      second.attempts(100);
      assertArrayEquals(
          whole.engine.snapshot(whole.integrator.state()),
          second.engine.snapshot(second.integrator.state()));
      assertArrayEquals(whole.integrator.save(), second.integrator.save());
      assertEquals(whole.integrator.evaluations(), second.integrator.evaluations());
      if (method.adaptive()) {
        assertTrue(whole.integrator.rejected(0) > 0, "no rejection has been exercised");
      }
      if (layered) {
        assertTrue(whole.integrator.time(0) > 0.5, "no switch has been exercised");
      }
    }
  }

  @Test
  @DisplayName("saved before the first attempt, and foreign bytes")
  void edges() {
    try (Rig a = rig(Method.DOPRI5, Geometry.SPHERE, false);
        Rig b = rig(Method.DOPRI5, Geometry.SPHERE, false);
        Rig euler = rig(Method.EULER, Geometry.SPHERE, false)) {
      byte[] fresh = a.integrator.save();
      b.integrator.restore(fresh);
      assertArrayEquals(a.attempts(5).state(), b.attempts(5).state(), 0);
      assertArrayEquals(a.integrator.save(), b.integrator.save());
      byte[] cut = java.util.Arrays.copyOf(fresh, fresh.length - 1);
      byte[] longer = java.util.Arrays.copyOf(fresh, fresh.length + 1);
      for (byte[] bad : new byte[][] {cut, longer, new byte[40], euler.integrator.save()}) {
        assertThrows(IllegalArgumentException.class, () -> a.integrator.restore(bad));
      }
    }
  }

  private static Rig rig(Method method, Geometry g, boolean layered) {
    IntegratorSpec spec =
        method.adaptive()
            // A first step that is far too large brings rejections on every geometry.
            ? IntegratorSpec.adaptive(method, 1e-8, 1e-11).withFirstStep(2)
            : IntegratorSpec.fixed(method, 0.013);
    Dynamics[] each = new Dynamics[2];
    for (int r = 0; r < 2; r++) {
      each[r] =
          layered
              ? new Dynamics(
                  g,
                  Mask.CAUSAL,
                  Normalisation.SOFTMAX,
                  1 + r,
                  Rig.perLayer(3, Integer.MAX_VALUE, SEED),
                  0.25,
                  null)
              : Rig.dynamics(g, Mask.CAUSAL, Normalisation.SOFTMAX, 1 + r, Rig.gaussian(3, SEED));
    }
    return new Rig(spec, SHAPE, Rig.tokens(g, SHAPE, SEED), each);
  }
}
