package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
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
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.cpu.reference.ReferenceEngine;

/** Whole steps of replicas on the device, beside single operations on the reference. */
class WholeStepsTest {
  private static final int SEED = 5;
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
    Dynamics[] dynamics = dynamics(d);
    Shape shape = new Shape(dynamics.length, n, d);
    double[] start = tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(method, DT);
    double[] mine;
    double[] between;
    double[] exact;
    double[] exactBetween;
    double[] at = new double[shape.replicas()];
    boolean[] all = all(shape);
    try (Engine engine = engine(precision, gpu);
        State out = engine.allocateState(shape);
        Integrator i = Integrators.create(spec, engine, dynamics, upload(engine, shape, start))) {
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
        Integrator i = Integrators.create(spec, engine, dynamics, upload(engine, shape, start))) {
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
    Dynamics[] dynamics = dynamics(d);
    Shape shape = new Shape(dynamics.length, 21, d);
    double[] start = tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.RK4, DT);
    try (Engine engine = engine(Precision.SINGLE, false);
        Integrator many = Integrators.create(spec, engine, dynamics, upload(engine, shape, start));
        Integrator single =
            Integrators.create(spec, engine, dynamics, upload(engine, shape, start))) {
      boolean[] all = all(shape);
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
  void aReplicaThatLeavesTheFiniteNumbersKeepsItsLastState() {
    Shape shape = new Shape(2, 20, 2);
    Dynamics calm = plain(Geometry.EUCLIDEAN, 2, Weight.identity(2), 1);
    Dynamics wild = plain(Geometry.EUCLIDEAN, 2, Weight.scalar(2, 1e15), 1);
    Dynamics[] dynamics = {calm, wild};
    double[] start = tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.fixed(Method.EULER, 1);
    try (Engine engine = engine(Precision.SINGLE, false);
        Integrator i = Integrators.create(spec, engine, dynamics, upload(engine, shape, start))) {
      boolean[] active = all(shape);
      for (int k = 0; k < 10 && i.steps(0) < 4; k++) {
        i.advance(active, new Pause(4, Double.POSITIVE_INFINITY));
        active[1] = i.failure(1) == null;
      }
      assertEquals(4, i.steps(0));
      assertEquals(Outcome.Kind.NON_FINITE, i.failure(1).kind());
      assertTrue(i.failure(1).token() >= 0, () -> i.failure(1).sentence());
      assertEquals(i.time(1), i.steps(1));
      for (double c : engine.download(i.state())) {
        assertTrue(Double.isFinite(c));
      }
    }
  }

  private static Engine engine(Precision precision, boolean gpu) {
    if (!gpu) {
      return TestDevices.open(TestDevices.api(), precision);
    }
    OpenClProvider provider = TestDevices.provider(WorkGroupKernelsTest.asGpu(TestDevices.api()));
    return provider.open(TestDevices.first(provider), EngineOptions.of(precision));
  }

  private static State upload(Engine engine, Shape shape, double[] start) {
    State x = engine.allocateState(shape);
    engine.upload(x, start);
    return x;
  }

  private static boolean[] all(Shape shape) {
    boolean[] all = new boolean[shape.replicas()];
    Arrays.fill(all, true);
    return all;
  }

  /** Replicas of one launch differ in everything a launch allows. */
  private static Dynamics[] dynamics(int d) {
    Weight one = Weight.identity(d);
    Weight dense = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 1));
    Weight other = Weight.dense(d, d, gaussian(d * d, 1 / Math.sqrt(d), SEED + 2));
    Mask mixed = Mask.prefix(7).and(Mask.window(5));
    return new Dynamics[] {
      dynamics(Mask.FULL, Normalisation.SOFTMAX, 4, new Head(one, one, one)),
      dynamics(Mask.FULL, Normalisation.SOFTMAX, 81, new Head(one, one, one)),
      dynamics(Mask.CAUSAL, Normalisation.SOFTMAX, 9, new Head(one, one, one)),
      dynamics(Mask.CAUSAL, Normalisation.SOFTMAX, 200, new Head(one, one, one)),
      dynamics(Mask.window(5), Normalisation.SOFTMAX, 2, new Head(one, dense, other)),
      dynamics(mixed, Normalisation.SOFTMAX, 1, new Head(dense, one, one)),
      dynamics(Mask.alibi(0.2), Normalisation.SOFTMAX, 3, new Head(one, one, other)),
      dynamics(Mask.CAUSAL, Normalisation.UNNORMALISED, 1, new Head(one, one, one)),
      dynamics(Mask.FULL, Normalisation.UNNORMALISED, -1, new Head(one, one, dense)),
      dynamics(
          Mask.FULL,
          Normalisation.SOFTMAX,
          2,
          new Head(dense, one, one),
          new Head(one, other, dense),
          new Head(one, one, Weight.scalar(d, -0.5)))
    };
  }

  private static Dynamics dynamics(Mask mask, Normalisation rule, double beta, Head... heads) {
    return new Dynamics(
        Geometry.SPHERE, mask, rule, beta, WeightSchedule.constant(List.of(heads)), 1, null);
  }

  private static Dynamics plain(Geometry geometry, int d, Weight v, double beta) {
    Head head = new Head(Weight.identity(d), Weight.identity(d), v);
    return new Dynamics(
        geometry,
        Mask.FULL,
        Normalisation.SOFTMAX,
        beta,
        WeightSchedule.constant(List.of(head)),
        1,
        null);
  }

  private static double[] tokens(Shape shape, Dynamics[] dynamics) {
    double[] x = gaussian((int) shape.size(), 1, SEED);
    int size = shape.n() * shape.d();
    for (int at = 0; at < x.length; at += shape.d()) {
      if (dynamics[at / size].geometry() == Geometry.SPHERE) {
        double square = 0;
        for (int c = 0; c < shape.d(); c++) {
          square += x[at + c] * x[at + c];
        }
        for (int c = 0; c < shape.d(); c++) {
          x[at + c] /= Math.sqrt(square);
        }
      }
    }
    return x;
  }

  private static double[] gaussian(int count, double deviation, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] g = new double[count];
    for (int k = 0; k < count; k++) {
      double radius = Math.sqrt(-2 * Math.log(1 - random.nextDouble()));
      g[k] = deviation * radius * Math.cos(2 * Math.PI * random.nextDouble());
    }
    return g;
  }
}
