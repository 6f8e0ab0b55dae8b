package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.integrate.Pause;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.run.StopRule;
import org.starling.cpu.reference.ReferenceEngine;

/**
 * Whole steps in many dimensions, which threads share, beside single operations on the reference.
 */
class BlockStepsTest {
  private static final double FOREVER = Double.POSITIVE_INFINITY;

  /** Two blocks of rows on usual tiles, the second one with few. */
  private static final int N = 53;

  private static final int D = 11;
  private static final double REACH = 1;

  /**
   * Replicas of one launch that differ in all that one allows, but for scores that others form, and
   * for tokens that nothing moves.
   */
  private static Dynamics[] dynamics() {
    Dynamics[] all = Replicas.dynamics(D);
    return IntStream.range(0, all.length)
        .filter(r -> r != 1 && r != 3)
        .mapToObj(r -> all[r])
        .toArray(Dynamics[]::new);
  }

  private static IntegratorSpec spec(Method method, boolean wide) {
    if (!method.adaptive()) {
      return IntegratorSpec.fixed(method, 0.125);
    }
    return wide ? IntegratorSpec.dopri5(1e-7, 1e-9) : IntegratorSpec.dopri5(1e-5, 1e-6);
  }

  @ParameterizedTest(name = "{0} {1} seed " + Replicas.SEED)
  @CsvSource({"SINGLE,RK4", "DOUBLE,HEUN", "SINGLE,LAYERS", "SINGLE,DOPRI5", "DOUBLE,DOPRI5"})
  void agreeWithTheReference(Precision precision, Method method) {
    boolean wide = precision == Precision.DOUBLE;
    Dynamics[] dynamics = dynamics();
    Shape shape = new Shape(dynamics.length, N, D);
    double[] start = Replicas.tokens(shape, dynamics);
    double[][] found = new double[2][];
    double[][] between = new double[2][];
    for (int k = 0; k < 2; k++) {
      try (Engine engine = k == 0 ? Replicas.engine(precision, false) : new ReferenceEngine();
          State out = engine.allocateState(shape);
          Integrator i =
              Integrators.create(
                  spec(method, wide), engine, dynamics, Replicas.upload(engine, shape, start))) {
        assertEquals(k == 0, i.getClass().getSimpleName().startsWith("Whole"));
        reach(i, shape, new Pause(REACH, FOREVER));
        double[] at = new double[shape.replicas()];
        Arrays.fill(at, REACH);
        i.interpolate(at, Replicas.all(shape), out);
        between[k] = engine.download(out);
        for (int r = 0; r < at.length; r++) {
          at[r] = i.time(r) + 0.01;
        }
        double[] here = engine.download(i.state());
        // Adaptive steps of float32 end at other times.
        found[k] = method.adaptive() ? between[k] : here;
        i.sideStep(at, Replicas.all(shape), out);
        assertArrayEquals(here, engine.download(i.state()), "a side step leaves the state alone");
      }
    }
    double allowed = method.adaptive() ? (wide ? 1e-9 : 1e-4) : (wide ? 1e-13 : 2e-5);
    for (int r = 0; r < shape.replicas(); r++) {
      double scale = 0;
      double worst = 0;
      for (int c = r * N * D; c < (r + 1) * N * D; c++) {
        scale = Math.max(scale, Math.abs(found[1][c]));
        worst = Math.max(worst, Math.abs(found[0][c] - found[1][c]));
        worst = Math.max(worst, Math.abs(between[0][c] - between[1][c]));
      }
      String fault = "replica " + r + " is off by " + worst + " of " + scale;
      assertTrue(worst <= allowed * scale, fault);
    }
  }

  private static int reach(Integrator i, Shape shape, Pause pause) {
    int calls = 0;
    while (true) {
      boolean[] active = new boolean[shape.replicas()];
      for (int r = 0; r < active.length; r++) {
        active[r] = i.failure(r) == null && i.time(r) < pause.reach();
      }
      if (!Replicas.anyTrue(active)) {
        return calls;
      }
      i.advance(active, pause);
      calls++;
    }
  }

  @ParameterizedTest(name = "{0} {1} seed " + Replicas.SEED)
  @CsvSource({"RK4,SPHERE", "DOPRI5,SPHERE", "DOPRI5,EUCLIDEAN"})
  void bitsDoNotDependOnTheStepsOfACallOrOnOtherReplicasOrOnARestart(
      Method method, Geometry geometry) {
    Dynamics[] dynamics =
        geometry == Geometry.SPHERE
            ? dynamics()
            : new Dynamics[] {
              Replicas.plain(Geometry.EUCLIDEAN, D, Weight.identity(D), 1),
              Replicas.plain(Geometry.EUCLIDEAN, D, Weight.scalar(D, -2), 3)
            };
    Shape shape = new Shape(dynamics.length, N, D);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = spec(method, false);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        State out = engine.allocateState(shape);
        Integrator many =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start));
        Integrator single =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start));
        Integrator again =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      reach(many, shape, new Pause(REACH, FOREVER));
      Integrator one = single;
      for (int attempts = 0; ; attempts++) {
        boolean[] odd = new boolean[shape.replicas()];
        boolean[] even = new boolean[shape.replicas()];
        for (int r = 0; r < odd.length; r++) {
          (r % 2 == 0 ? even : odd)[r] = one.time(r) < REACH;
        }
        if (!Replicas.anyTrue(odd) && !Replicas.anyTrue(even)) {
          break;
        }
        one.attempt(odd);
        one.attempt(even);
        if (attempts == 1) {
          engine.restore(again.state(), engine.snapshot(single.state()));
          again.restore(single.save());
          one = again;
        }
      }
      assertArrayEquals(many.save(), one.save());
      assertArrayEquals(engine.snapshot(many.state()), engine.snapshot(one.state()));
      assertEquals(many.takeReport(), single.takeReport().and(again.takeReport()));
      double[] at = new double[shape.replicas()];
      Arrays.fill(at, REACH);
      many.interpolate(at, Replicas.all(shape), out);
      double[] between = engine.download(out);
      one.interpolate(at, Replicas.all(shape), out);
      assertArrayEquals(between, engine.download(out));
    }
  }

  /** A row under a causal mask knows nothing of later tokens, nor of how many there are. */
  @Test
  void aCausalPrefixTakesTheSameSteps() {
    Dynamics causal = Replicas.dynamics(D)[2];
    Shape whole = new Shape(1, N, D);
    Shape part = new Shape(1, 19, D);
    double[] start = Replicas.tokens(whole, new Dynamics[] {causal});
    double[][] found = new double[2][];
    try (Engine engine = Replicas.engine(Precision.SINGLE, false)) {
      for (int k = 0; k < 2; k++) {
        Shape shape = k == 0 ? part : whole;
        double[] tokens = Arrays.copyOf(start, (int) shape.size());
        try (Integrator i =
            Integrators.create(
                spec(Method.RK4, false),
                engine,
                new Dynamics[] {causal},
                Replicas.upload(engine, shape, tokens))) {
          reach(i, shape, new Pause(REACH, FOREVER));
          found[k] = Arrays.copyOf(engine.download(i.state()), (int) part.size());
        }
      }
    }
    assertArrayEquals(found[0], found[1]);
  }

  @Test
  void aReplicaThatLeavesTheFiniteNumbersKeepsItsLastStateAndTheOneBefore() {
    Shape shape = new Shape(2, N, D);
    Dynamics calm = Replicas.plain(Geometry.EUCLIDEAN, D, Weight.identity(D), 1);
    Dynamics wild = Replicas.plain(Geometry.EUCLIDEAN, D, Weight.scalar(D, 1e15), 1);
    Dynamics[] dynamics = {calm, wild};
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.EULER, 1);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        State out = engine.allocateState(shape);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      boolean[] active = Replicas.all(shape);
      for (int k = 0; k < 10 && i.steps(0) < 4; k++) {
        i.advance(active, new Pause(4, FOREVER));
        active[1] = i.failure(1) == null;
      }
      assertEquals(4, i.steps(0));
      assertEquals(Outcome.Kind.NON_FINITE, i.failure(1).kind());
      assertTrue(i.failure(1).token() >= 0, () -> i.failure(1).sentence());
      assertTrue(i.steps(1) > 0);
      assertEquals(i.time(1), i.steps(1));
      double[] last = engine.download(i.state());
      assertTrue(Arrays.stream(last).allMatch(Double::isFinite));
      // In the middle of the last step made: by then 1e15 times of what it began with is half
      // there.
      i.interpolate(new double[] {3.5, i.time(1) - 0.5}, Replicas.all(shape), out);
      double[] between = engine.download(out);
      for (int c = N * D; c < last.length; c++) {
        assertEquals(last[c] / 2, between[c], Math.abs(last[c]) * 1e-5, "coordinate " + c);
      }
    }
  }

  @ParameterizedTest(name = "{0} seed " + Replicas.SEED)
  @CsvSource({"RK4", "DOPRI5"})
  void stepsPauseWhereAStopRuleLooks(Method method) {
    Dynamics[] dynamics = {Replicas.plain(Geometry.SPHERE, D, Weight.identity(D), 1)};
    Shape shape = new Shape(1, N, D);
    StopRule.Plain rule = new StopRule.Clusters(Linkage.COSINE, 0.999, 1, 3);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Integrator i =
            Integrators.create(
                spec(method, false),
                engine,
                dynamics,
                Replicas.upload(engine, shape, Replicas.tokens(shape, dynamics)))) {
      Pause pause = new Pause(REACH, FOREVER, List.of(rule.watch()));
      while (i.time(0) < REACH) {
        long looked = i.steps(0) / 3;
        i.advance(new boolean[] {true}, pause);
        assertTrue(i.steps(0) / 3 <= looked + 1, "a look was passed at step " + i.steps(0));
        assertTrue(i.steps(0) / 3 == looked || i.steps(0) % 3 == 0, "passed: " + i.steps(0));
      }
    }
  }

  @Test
  void whatDecidesTheBitsIsNamedAndPinned() {
    Shape shape = new Shape(1, N, D);
    Dynamics[] dynamics = {Replicas.plain(Geometry.SPHERE, D, Weight.identity(D), 1)};
    OpenClProvider provider = TestDevices.provider(TestDevices.api());
    for (String pinned :
        new String[] {"panel=16 alone=6500000 shared=10", "panel=8 alone=1 shared=10"}) {
      try (Engine engine =
              provider.open(
                  TestDevices.first(provider),
                  new EngineOptions(Precision.SINGLE, Map.of("whole steps", pinned)));
          Integrator i =
              Integrators.create(
                  spec(Method.RK4, false),
                  engine,
                  dynamics,
                  Replicas.upload(engine, shape, Replicas.tokens(shape, dynamics)))) {
        assertEquals(pinned, engine.identity().settings().get("whole steps"));
        assertEquals("FixedStepper", i.getClass().getSimpleName());
      }
    }
  }
}
