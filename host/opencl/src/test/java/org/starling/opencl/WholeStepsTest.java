package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
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
import org.starling.cpu.reference.ReferenceEngine;

/** Whole steps of replicas on the device, beside single operations on the reference. */
class WholeStepsTest {
  private static final int SEED = Replicas.SEED;
  private static final int STEPS = 5;
  private static final double DT = 0.125;

  @ParameterizedTest(name = "{0} {1} n={2} d={3} gpu={4} seed " + SEED)
  @CsvSource({
    "SINGLE,RK4,37,2,false",
    "SINGLE,HEUN,70,3,false",
    "DOUBLE,EULER,17,8,false",
    "SINGLE,LAYERS,9,1,false",
    "SINGLE,RK4,37,3,true"
  })
  void agreeWithTheReference(Precision precision, Method method, int n, int d, boolean gpu) {
    Dynamics[] dynamics = Replicas.dynamics(d);
    Shape shape = new Shape(dynamics.length, n, d);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(method, DT);
    double[] mine;
    double[] between;
    double[] exact;
    double[] exactBetween;
    double[] at = new double[shape.replicas()];
    boolean[] all = Replicas.all(shape);
    try (Engine engine = Replicas.engine(precision, gpu);
        State out = engine.allocateState(shape);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      assertEquals("WholeFixedStepper", i.getClass().getSimpleName());
      i.advance(all, new Pause(2 * DT, Double.POSITIVE_INFINITY));
      while (i.time(0) < STEPS * DT) {
        i.advance(all, new Pause(STEPS * DT, Double.POSITIVE_INFINITY));
      }
      assertEquals(STEPS, i.steps(0));
      mine = engine.download(i.state());
      Arrays.fill(at, (STEPS - 0.375) * DT);
      i.interpolate(at, all, out);
      between = engine.download(out);
    }
    try (Engine engine = new ReferenceEngine();
        State out = engine.allocateState(shape);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      for (int s = 0; s < STEPS; s++) {
        i.attempt(all);
      }
      exact = engine.download(i.state());
      i.interpolate(at, all, out);
      exactBetween = engine.download(out);
    }
    double allowed = precision == Precision.DOUBLE ? 1e-13 : 2e-5;
    int size = n * d;
    List<String> faults = new ArrayList<>();
    for (int r = 0; r < shape.replicas(); r++) {
      double scale = 0;
      double worst = 0;
      for (int c = r * size; c < (r + 1) * size; c++) {
        scale = Math.max(scale, Math.abs(exact[c]));
        worst = Math.max(worst, Math.abs(mine[c] - exact[c]));
        worst = Math.max(worst, Math.abs(between[c] - exactBetween[c]));
      }
      if (!(worst <= allowed * scale)) {
        faults.add("replica " + r + " is off by " + worst + " of " + scale);
      }
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
  }

  @Test
  void bitsDoNotDependOnTheNumberOfStepsACallOrOnOtherReplicas() {
    int d = 2;
    Dynamics[] dynamics = Replicas.dynamics(d);
    Shape shape = new Shape(dynamics.length, 21, d);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.RK4, DT);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Integrator many =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start));
        Integrator single =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      boolean[] all = Replicas.all(shape);
      while (many.steps(0) < 12) {
        many.advance(all, new Pause(12 * DT, Double.POSITIVE_INFINITY, 12));
      }
      for (int s = 0; s < 12; s++) {
        boolean[] odd = new boolean[all.length];
        boolean[] even = new boolean[all.length];
        for (int r = 0; r < all.length; r++) {
          (r % 2 == 0 ? even : odd)[r] = true;
        }
        single.attempt(odd);
        single.attempt(even);
      }
      assertEquals(many.time(0), single.time(0));
      assertArrayEquals(many.save(), single.save());
      assertArrayEquals(engine.snapshot(many.state()), engine.snapshot(single.state()));
    }
  }

  @Test
  void aReplicaThatLeavesTheFiniteNumbersKeepsItsLastStateAndTheOneBefore() {
    Shape shape = new Shape(2, 20, 2);
    Dynamics calm = Replicas.plain(Geometry.EUCLIDEAN, 2, Weight.identity(2), 1);
    Dynamics wild = Replicas.plain(Geometry.EUCLIDEAN, 2, Weight.scalar(2, 1e15), 1);
    Dynamics[] dynamics = {calm, wild};
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.EULER, 1);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        State out = engine.allocateState(shape);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      boolean[] active = Replicas.all(shape);
      for (int k = 0; k < 10 && i.steps(0) < 4; k++) {
        i.advance(active, new Pause(4, Double.POSITIVE_INFINITY));
        active[1] = i.failure(1) == null;
      }
      assertEquals(4, i.steps(0));
      assertEquals(Outcome.Kind.NON_FINITE, i.failure(1).kind());
      assertTrue(i.failure(1).token() >= 0, () -> i.failure(1).sentence());
      assertEquals(i.time(1), i.steps(1));
      double[] last = engine.download(i.state());
      assertTrue(Arrays.stream(last).allMatch(Double::isFinite));
      // In the middle of the last step made: by then 1e15 times of what it began with is half
      // there.
      i.interpolate(new double[] {3.5, i.time(1) - 0.5}, Replicas.all(shape), out);
      double[] between = engine.download(out);
      for (int c = shape.n() * shape.d(); c < last.length; c++) {
        assertEquals(last[c] / 2, between[c], Math.abs(last[c]) * 1e-5, "coordinate " + c);
      }
    }
  }
}
