package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Field;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/** Wrong requests are refused with the numbers; NaN comes out where it went in; memory is O(nd). */
abstract class RequestsContract extends ContractTheme {
  private static void assertRefused(Executable request, String... mentions) {
    RuntimeException e = assertThrows(RuntimeException.class, request);
    assertTrue(
        e instanceof EngineException engine
            ? engine.kind() == EngineException.Kind.REQUEST
            : e instanceof IllegalArgumentException,
        e::toString);
    for (String mention : mentions) {
      assertTrue(e.getMessage().contains(mention), () -> mention + " in: " + e.getMessage());
    }
  }

  @Test
  void checkRefusesLayersThatDoNotFit() {
    Layer four = Layers.identity(4, 1);
    assertRefused(() -> engine.check(new Shape(1, 7, 3), List.of(four)), "3", "4");
    assertRefused(() -> engine.check(new Shape(3, 7, 4), List.of(four, four)), "3", "2");
    EngineException e =
        assertThrows(EngineException.class, () -> engine.check(new Shape(1, 7, 3), List.of(four)));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    engine.check(new Shape(2, 7, 4), List.of(four, four));
  }

  @Test
  void wrongSizesAreRefused() {
    Shape shape = new Shape(2, 7, 3);
    try (State s = engine.allocateState(shape);
        Field f = engine.allocateField(shape)) {
      assertRefused(() -> engine.upload(s, new double[41]), "42", "41");
      assertRefused(() -> engine.upload(f, new double[43]), "42", "43");
      assertRefused(() -> engine.restore(s, new byte[5]), "5");
    }
  }

  @Test
  void shapesMustMatch() {
    Layer[] layers = {Layers.identity(3, 1)};
    try (State s = engine.allocateState(new Shape(1, 7, 3));
        State t = engine.allocateState(new Shape(1, 8, 3));
        Field f = engine.allocateField(new Shape(1, 8, 3))) {
      assertRefused(() -> engine.velocity(s, layers, all(1), f));
      assertRefused(() -> engine.attend(s, layers, all(1), f));
      assertRefused(() -> engine.combine(s, t, new double[][] {{1}}, new Field[] {f}, all(1)));
    }
  }

  @Test
  void statesOfAnotherEngineAreRefused() {
    Shape shape = new Shape(1, 7, 3);
    try (Engine other = subject().engine().get();
        State theirs = other.allocateState(shape);
        Field theirField = other.allocateField(shape);
        State ours = engine.allocateState(shape);
        Field ourField = engine.allocateField(shape)) {
      Layer[] layers = {Layers.identity(3, 1)};
      assertRefused(() -> engine.download(theirs));
      assertRefused(() -> engine.velocity(theirs, layers, all(1), ourField));
      assertRefused(() -> engine.velocity(ours, layers, all(1), theirField));
      assertRefused(() -> engine.observations().norms(theirs));
    }
  }

  @Test
  void oneNanTokenShowsInEveryRowThatSeesIt() {
    int n = 129;
    for (int d : new int[] {3, 17}) {
      double[] x = subject().representable(Tokens.sphere(n, d, 391));
      x[77 * d + 1] = Double.NaN;
      double[] v = velocity(n, d, x, Layers.identity(d, 3));
      double[] u = attend(n, d, x, Layers.identity(d, 3));
      for (int i = 0; i < n; i++) {
        Close.to(Double.NaN, Naive.norm(v, i * d, d), 0, "velocity of token " + i + " d=" + d);
        Close.to(Double.NaN, Naive.norm(u, i * d, d), 0, "attention of token " + i + " d=" + d);
      }
    }
  }

  @Test
  void theMemoryPlanIsLinearInTokens() {
    int d = 16;
    List<Layer> layers = List.of(Layers.identity(d, 1));
    MemoryPlan small = engine.plan(new Shape(1, 4096, d), layers, 3, 7);
    MemoryPlan large = engine.plan(new Shape(1, 8192, d), layers, 3, 7);
    assertTrue(small.totalBytes() >= 10 * small.stateBytes(), "10 states and fields at least");
    assertTrue(
        large.totalBytes() <= 2.1 * small.totalBytes() + (1 << 20),
        () -> small.totalBytes() + " -> " + large.totalBytes());
    assertTrue(small.fits() && small.largestN() >= 4096, small::toString);
    int bytes = subject().precision() == Precision.DOUBLE ? 8 : 4;
    // In mixed precision a state is a value and a correction.
    assertTrue(
        small.stateBytes() == (long) 4096 * d * bytes
            || small.stateBytes() == 2L * 4096 * d * bytes
                && subject().precision() == Precision.MIXED,
        small::toString);
    MemoryPlan huge =
        engine.plan(new Shape(1, 1 << 30, 1024), List.of(Layers.identity(1024, 1)), 3, 7);
    assertFalse(huge.fits(), "8 TB and more");
    assertTrue(huge.largestN() < 1 << 30);
  }
}
