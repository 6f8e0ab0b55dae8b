package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.integrate.Pause;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.cpu.fast.FastProvider;
import org.starling.cpu.reference.ReferenceEngine;

@DisplayName("How a run can end")
class OutcomeTest {
  private static final Shape TWO = new Shape(1, 2, 1);

  /** x' = e^{x^2} x for the second token, which blows up before t = 0.3; the first stays at 0. */
  private static Dynamics blowUp() {
    return Rig.dynamics(
        Geometry.EUCLIDEAN, Mask.window(1), Normalisation.UNNORMALISED, 1, Rig.identity(1));
  }

  private static Outcome end(Rig rig, int attempts) {
    Integrator i = rig.integrator;
    for (int s = 0; s < attempts && i.failure(0) == null; s++) {
      rig.attempts(1);
    }
    assertNotNull(i.failure(0), "the run goes on at t = " + i.time(0));
    for (double v : rig.state()) {
      assertTrue(Double.isFinite(v), "the last good state has been lost");
    }
    assertEquals(i.time(0), i.failure(0).time());
    assertEquals(i.steps(0), i.failure(0).step());
    assertTrue(i.failure(0).sentence().endsWith("."), i.failure(0).sentence());
    return i.failure(0);
  }

  @Test
  @DisplayName("a blow-up in finite time: the step underflows, the token is named")
  void underflow() {
    try (Rig rig = new Rig(IntegratorSpec.dopri5(1e-6, 1e-9), TWO, new double[] {0, 1}, blowUp())) {
      Outcome o = end(rig, 20000);
      assertEquals(Outcome.Kind.STEP_UNDERFLOW, o.kind());
      assertEquals(1, o.token());
      assertTrue(o.time() > 0.1 && o.time() < 0.3, o.sentence());
      assertTrue(o.sentence().contains("token 1"), o.sentence());
    }
  }

  @Test
  @DisplayName("float32 growth to the largest number: steps that move nothing end the run")
  void growth() {
    EngineProvider java = new FastProvider();
    double[] far = {3e18, 1e18, 2e18, -1e18, -1e18, 2e18};
    try (Rig rig =
        new Rig(
            java.open(java.devices().get(0), EngineProvider.EngineOptions.of(Precision.SINGLE)),
            IntegratorSpec.dopri5(1e-6, 1e-9),
            new Shape(1, 3, 2),
            far,
            Rig.plain(Geometry.EUCLIDEAN, 2, 1))) {
      Outcome o = end(rig, 2000);
      assertEquals(Outcome.Kind.NON_FINITE, o.kind());
      assertTrue(o.token() >= 0, o.sentence());
      assertTrue(o.sentence().contains("that moves a token"), o.sentence());
    }
  }

  @Test
  @DisplayName("a smallest step of the user's own")
  void userMinimum() {
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-6, 1e-9).withMinStep(1e-3);
    try (Rig rig = new Rig(spec, TWO, new double[] {0, 1}, blowUp())) {
      Outcome o = end(rig, 2000);
      assertEquals(Outcome.Kind.STEP_UNDERFLOW, o.kind());
      assertTrue(o.sentence().contains("0.001"), o.sentence());
    }
  }

  @ParameterizedTest(name = "{0}: a fixed step into infinity keeps the last good state")
  @EnumSource(
      value = Method.class,
      names = {"EULER", "HEUN", "RK4", "LAYERS"})
  void nonFinite(Method method) {
    try (Rig rig = new Rig(IntegratorSpec.fixed(method, 0.1), TWO, new double[] {0, 1}, blowUp())) {
      Outcome o = end(rig, 100);
      assertEquals(Outcome.Kind.NON_FINITE, o.kind());
      assertEquals(1, o.token());
      assertEquals(rig.integrator.time(0), rig.integrator.previousTime(0));
      assertArrayEquals(rig.state(), rig.dense(o.time()), 0);
    }
  }

  @ParameterizedTest(name = "{0}: steps made without a look end where single ones do")
  @EnumSource(
      value = Method.class,
      names = {"EULER", "HEUN", "RK4", "LAYERS"})
  void manyAtOnce(Method method) {
    IntegratorSpec spec = IntegratorSpec.fixed(method, 1e-2);
    double[] from = {0, 0.8};
    try (Rig one = new Rig(spec, TWO, from, blowUp());
        Rig many = new Rig(spec, TWO, from, blowUp())) {
      Outcome o = end(one, 1000);
      Pause pause = new Pause(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 5);
      int calls = 0;
      for (; many.integrator.failure(0) == null; calls++) {
        many.integrator.advance(new boolean[] {true}, pause);
        assertEquals(many.integrator.failure(0) == null, many.integrator.accepted(0));
      }
      assertTrue(calls < o.step(), calls + " calls for " + o.step() + " steps");
      assertEquals(o, many.integrator.failure(0));
      assertEquals(one.integrator.evaluations(), many.integrator.evaluations());
      assertEquals(one.integrator.previousTime(0), many.integrator.previousTime(0));
      assertArrayEquals(one.state(), many.state(), 0);
    }
  }

  @Test
  @DisplayName("dopri5: an infinite velocity at the start")
  void infiniteVelocity() {
    try (Rig rig =
        new Rig(IntegratorSpec.dopri5(1e-6, 1e-9), TWO, new double[] {0, 30}, blowUp())) {
      Outcome o = end(rig, 1000);
      assertEquals(Outcome.Kind.NON_FINITE, o.kind());
      assertEquals(1, o.token());
      assertEquals(0, o.step());
    }
  }

  @Test
  @DisplayName("one replica fails, the other goes on")
  void oneOfTwo() {
    Dynamics calm = Rig.plain(Geometry.EUCLIDEAN, 1, 0);
    try (Rig rig =
        new Rig(
            IntegratorSpec.fixed(Method.EULER, 0.1),
            new Shape(2, 2, 1),
            new double[] {0, 1, 0, 1},
            blowUp(),
            calm)) {
      for (int s = 0; s < 50; s++) {
        rig.integrator.attempt(new boolean[] {rig.integrator.failure(0) == null, true});
      }
      assertEquals(Outcome.Kind.NON_FINITE, rig.integrator.failure(0).kind());
      assertTrue(rig.integrator.failure(0).sentence().startsWith("Replica 0: "));
      assertNull(rig.integrator.failure(1));
      assertEquals(50, rig.integrator.steps(1));
    }
  }

  @ParameterizedTest(name = "{0}: the step limit is met exactly")
  @EnumSource(Method.class)
  void stepLimit(Method method) {
    Shape s = new Shape(1, 3, 2);
    IntegratorSpec spec = DenseOutputTest.spec(method).withMaxSteps(7);
    try (Rig rig =
        new Rig(spec, s, Rig.tokens(Geometry.SPHERE, s, 1), Rig.plain(Geometry.SPHERE, 2, 1))) {
      rig.attempts(7);
      assertNull(rig.integrator.failure(0));
      Outcome o = end(rig, 1);
      assertEquals(Outcome.Kind.STEP_LIMIT, o.kind());
      assertEquals(7, rig.integrator.steps(0) + rig.integrator.rejected(0));
      assertTrue(o.sentence().contains("max_steps"), o.sentence());
    }
  }

  @ParameterizedTest(name = "{0}: the resolution horizon is reached exactly and named")
  @EnumSource(
      value = Method.class,
      names = {"RK4", "DOPRI5"})
  void horizon(Method method) {
    Shape s = new Shape(1, 3, 2);
    Head grows = new Head(Weight.identity(2), Weight.identity(2), Weight.diagonal(14, -1));
    Dynamics dynamics =
        Rig.dynamics(Geometry.RESCALED, Mask.FULL, Normalisation.SOFTMAX, 1e-6, grows);
    IntegratorSpec spec =
        method.adaptive() ? IntegratorSpec.dopri5(1e-4, 1e-6) : IntegratorSpec.fixed(method, 0.003);
    try (Rig rig = new Rig(spec, s, Rig.tokens(Geometry.EUCLIDEAN, s, 1), dynamics)) {
      while (rig.integrator.time(0) < 2) {
        assertNull(rig.integrator.failure(0));
        rig.attempts(1);
      }
      assertEquals(2, rig.integrator.time(0));
      assertNull(rig.integrator.failure(0));
      assertThrows(IllegalArgumentException.class, () -> rig.side(2.1));
      Outcome o = end(rig, 1);
      assertEquals(Outcome.Kind.RESOLUTION_HORIZON, o.kind());
      assertTrue(o.sentence().contains("terminal law"), o.sentence());
      assertEquals(4, o.kind().exitCode());
    }
  }

  @ParameterizedTest(name = "{0}: frozen float32 motion gives a hint, once")
  @EnumSource(
      value = Method.class,
      names = {"EULER", "DOPRI5"})
  void hint(Method method) {
    Shape s = new Shape(1, 3, 2);
    double[] close = {1, 0, Math.cos(1e-5), Math.sin(1e-5), Math.cos(2e-5), Math.sin(2e-5)};
    for (Precision p : new Precision[] {Precision.SINGLE, Precision.MIXED, Precision.DOUBLE}) {
      IntegratorSpec spec =
          method.adaptive()
              ? IntegratorSpec.dopri5(1e-10, 1e-30).withFirstStep(1e-6)
              : IntegratorSpec.fixed(method, 1e-4);
      try (Rig rig = new Rig(claiming(p), spec, s, close, Rig.plain(Geometry.SPHERE, 2, 1))) {
        String hint = null;
        int hints = 0;
        for (int n = 0; n < 200; n++) {
          rig.attempts(1);
          String one = rig.integrator.takeHint();
          hints += one == null ? 0 : 1;
          hint = one == null ? hint : one;
        }
        if (p == Precision.SINGLE && !method.adaptive()) {
          assertEquals(1, hints);
          assertTrue(hint.contains("mixed or double"), hint);
        } else if (p != Precision.SINGLE) {
          assertEquals(0, hints);
        }
      }
    }
  }

  @Test
  @DisplayName("tolerances that a precision cannot resolve are told of beforehand")
  void beyondPrecision() {
    IntegratorSpec fine = IntegratorSpec.dopri5(1e-8, 1e-10);
    assertTrue(fine.beyondPrecision(Precision.SINGLE).contains("rtol 1.00e-08"));
    assertNull(fine.beyondPrecision(Precision.MIXED));
    assertNull(IntegratorSpec.dopri5(1e-6, 1e-9).beyondPrecision(Precision.SINGLE));
    assertNotNull(IntegratorSpec.dopri5(1e-15, 1e-17).beyondPrecision(Precision.DOUBLE));
    assertNull(IntegratorSpec.fixed(Method.RK4, 1e-9).beyondPrecision(Precision.SINGLE));
  }

  @Test
  @DisplayName("motion that float32 resolves gives no hint")
  void noHint() {
    Shape s = new Shape(1, 3, 2);
    try (Rig rig =
        new Rig(
            claiming(Precision.SINGLE),
            IntegratorSpec.fixed(Method.EULER, 1e-3),
            s,
            Rig.tokens(Geometry.SPHERE, s, 1),
            Rig.plain(Geometry.SPHERE, 2, 1))) {
      rig.attempts(200);
      assertNull(rig.integrator.takeHint());
    }
  }

  @Test
  @DisplayName("what has no meaning is refused with the reason")
  void refusals() {
    Shape s = new Shape(1, 3, 2);
    double[] x = Rig.tokens(Geometry.EUCLIDEAN, s, 1);
    IllegalArgumentException layers =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new Rig(
                    IntegratorSpec.fixed(Method.LAYERS, 1),
                    s,
                    x,
                    Rig.plain(Geometry.RESCALED, 2, 1)));
    assertTrue(layers.getMessage().contains("rescaled"), layers.getMessage());
    Dynamics switching =
        new Dynamics(
            Geometry.RESCALED, Mask.FULL, Normalisation.SOFTMAX, 1, Rig.perLayer(2, 3, 1), 1, null);
    IllegalArgumentException weights =
        assertThrows(
            IllegalArgumentException.class,
            () -> new Rig(IntegratorSpec.dopri5(1e-6, 1e-9), s, x, switching));
    assertTrue(weights.getMessage().contains("one V"), weights.getMessage());
    assertFalse(weights.getMessage().isBlank());
  }

  /** The reference engine under the name of another precision. */
  private static Engine claiming(Precision p) {
    Engine real = new ReferenceEngine();
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (self, method, args) -> {
              if (method.getName().equals("precision")) {
                return p;
              }
              try {
                return method.invoke(real, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
