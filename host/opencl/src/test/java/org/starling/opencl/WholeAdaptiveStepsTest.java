package org.starling.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Watch;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.integrate.Pause;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.run.StopRule;
import org.starling.core.verify.Measurement;
import org.starling.core.verify.Need;
import org.starling.core.verify.Variant;
import org.starling.core.verify.Verifier;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.cpu.reference.ReferenceJudge;

/** Steps that choose their sizes on the device, beside the reference under the host's stepper. */
class WholeAdaptiveStepsTest {
  private static final double REACH = 1.5;
  private static final double FOREVER = Double.POSITIVE_INFINITY;

  /** Weights of unnormalised attention reach e^beta and more: no reason to call a device wrong. */
  @Test
  void stepsOfUnnormalisedAttentionAreCertified() {
    Variant variant =
        new Variant(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.UNNORMALISED,
            Variant.Form.SCALAR,
            1,
            2,
            Precision.SINGLE,
            null);
    Need.Steps steps = new Need.Steps(Method.DOPRI5, new Shape(100, 40, 2));
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Engine definition = new ReferenceEngine()) {
      List<Measurement> measured =
          new Verifier(engine, definition, new ReferenceJudge(), m -> {})
              .needed(new Need(Set.of(variant), Set.of(), steps, false));
      assertEquals(2, measured.stream().filter(m -> m.operation().equals("whole steps")).count());
      assertEquals(List.of(), measured.stream().filter(m -> !m.passed()).toList());
    }
  }

  @ParameterizedTest(name = "{0} n={1} d={2} gpu={3} euclidean={4} seed " + Replicas.SEED)
  @CsvSource({
    "DOUBLE,37,2,false,false",
    "SINGLE,37,2,false,false",
    "DOUBLE,37,2,false,true",
    "SINGLE,37,3,true,false",
  })
  void agreeWithTheReference(Precision precision, int n, int d, boolean gpu, boolean euclidean) {
    boolean wide = precision == Precision.DOUBLE;
    Dynamics[] dynamics =
        euclidean
            ? new Dynamics[] {
              Replicas.plain(Geometry.EUCLIDEAN, d, Weight.identity(d), 1),
              Replicas.plain(Geometry.EUCLIDEAN, d, Weight.scalar(d, -2), 2)
            }
            : Replicas.dynamics(d);
    Shape shape = new Shape(dynamics.length, n, d);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec =
        wide ? IntegratorSpec.dopri5(1e-7, 1e-9) : IntegratorSpec.dopri5(1e-5, 1e-6);
    Track mine;
    Track exact;
    try (Engine engine = Replicas.engine(precision, gpu);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      assertEquals("WholeAdaptiveStepper", i.getClass().getSimpleName());
      mine = Track.of(engine, i, shape);
    }
    try (Engine engine = new ReferenceEngine();
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      exact = Track.of(engine, i, shape);
    }
    List<String> faults = new ArrayList<>();
    for (int r = 0; r < shape.replicas(); r++) {
      String who = "replica " + r + ": ";
      long apart =
          Math.abs(mine.steps[r] - exact.steps[r]) + Math.abs(mine.rejected[r] - exact.rejected[r]);
      // In float32 rounding is part of the error that decides.
      if (apart > (wide ? 0 : 1 + exact.steps[r] / 10)) {
        faults.add(
            who
                + mine.steps[r]
                + " steps and "
                + mine.rejected[r]
                + " rejected, not "
                + exact.steps[r]
                + " and "
                + exact.rejected[r]);
      }
      double allowed = wide ? 1e-9 : 1e-4;
      double between = distance(mine.between, exact.between, r, n * d);
      double ahead = distance(mine.ahead, exact.ahead, r, n * d);
      // In float32 side steps begin at other times.
      if (!(between <= allowed && (ahead <= allowed || !wide))) {
        faults.add(who + "off by " + between + " within a step, " + ahead + " after a side step");
      }
    }
    assertTrue(faults.isEmpty(), () -> String.join("\n", faults));
  }

  /**
   * Where replicas stand once all have reached a time.
   *
   * @param between positions at that time
   * @param ahead positions a little later, by side steps
   */
  private record Track(long[] steps, long[] rejected, double[] between, double[] ahead) {
    static Track of(Engine engine, Integrator i, Shape shape) {
      boolean[] all = Replicas.all(shape);
      reach(i, shape, new Pause(REACH, FOREVER));
      long[] steps = new long[shape.replicas()];
      long[] rejected = new long[shape.replicas()];
      double[] later = new double[shape.replicas()];
      double[] at = new double[shape.replicas()];
      Arrays.fill(at, REACH);
      for (int r = 0; r < steps.length; r++) {
        steps[r] = i.steps(r);
        rejected[r] = i.rejected(r);
        later[r] = i.time(r) + 0.01;
      }
      try (State out = engine.allocateState(shape)) {
        i.interpolate(at, all, out);
        double[] between = engine.download(out);
        double[] here = engine.download(i.state());
        assertTrue(Replicas.allTrue(i.sideStep(later, all, out)), "side steps are good");
        assertArrayEquals(here, engine.download(i.state()));
        // Times differ by rounding, so what follows is compared from the states on.
        double[] ahead = engine.download(out);
        for (int c = 0; c < ahead.length; c++) {
          ahead[c] -= here[c];
        }
        return new Track(steps, rejected, between, ahead);
      }
    }
  }

  /** Advances all replicas to the pause's time. */
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

  private static double distance(double[] a, double[] b, int r, int size) {
    double scale = 1;
    double worst = 0;
    for (int c = r * size; c < (r + 1) * size; c++) {
      scale = Math.max(scale, Math.abs(b[c]));
      double off = Math.abs(a[c] - b[c]);
      worst = off <= worst ? worst : off;
    }
    return worst / scale;
  }

  @ParameterizedTest(name = "{0} euclidean={1} seed " + Replicas.SEED)
  @CsvSource({"SINGLE,false", "SINGLE,true"})
  void bitsDoNotDependOnTheNumberOfAttemptsACallOrOnOtherReplicasOrOnARestart(
      Precision precision, boolean euclidean) {
    int d = 2;
    Dynamics[] dynamics =
        euclidean
            ? new Dynamics[] {
              Replicas.plain(Geometry.EUCLIDEAN, d, Weight.identity(d), 1),
              Replicas.plain(Geometry.EUCLIDEAN, d, Weight.scalar(d, -2), 3)
            }
            : Replicas.dynamics(d);
    Shape shape = new Shape(dynamics.length, 37, d);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-4, 1e-6);
    try (Engine engine = Replicas.engine(precision, false);
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
        double ahead = one.time(0) + one.stepSize(0);
        one.attempt(odd);
        one.attempt(even);
        if (even[0] && one.accepted(0)) {
          assertEquals(ahead, one.time(0), Math.ulp(ahead), "a float64 sum of times");
        }
        if (attempts == 1) {
          engine.restore(again.state(), engine.snapshot(single.state()));
          again.restore(single.save());
          one = again;
        }
      }
      assertArrayEquals(many.save(), one.save());
      assertArrayEquals(engine.snapshot(many.state()), engine.snapshot(one.state()));
      assertEquals(many.evaluations(), one.evaluations());
      assertEquals(many.takeReport(), single.takeReport().and(again.takeReport()));
      double[] at = new double[shape.replicas()];
      Arrays.fill(at, REACH);
      many.interpolate(at, Replicas.all(shape), out);
      double[] between = engine.download(out);
      one.interpolate(at, Replicas.all(shape), out);
      assertArrayEquals(between, engine.download(out));
    }
  }

  @Test
  void aToleranceThatCannotBeMetEndsTheReplicaAsOnTheHost() {
    Dynamics hard = Replicas.plain(Geometry.SPHERE, 2, Weight.identity(2), 3);
    Dynamics[] dynamics = {hard, hard};
    Shape shape = new Shape(2, 37, 2);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec =
        new IntegratorSpec(Method.DOPRI5, 0, 0, 1e-16, 0, 1e-5, IntegratorSpec.DEFAULT_MAX_STEPS);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      reach(i, shape, new Pause(REACH, FOREVER));
      assertEquals(Outcome.Kind.STEP_UNDERFLOW, i.failure(0).kind());
      assertTrue(i.failure(1).token() >= 0, () -> i.failure(1).sentence());
      assertTrue(i.rejected(0) > 0);
    }
  }

  @Test
  void aVelocityThatIsNotFiniteEndsTheReplicaAndLeavesTheOthersAlone() {
    Shape shape = new Shape(2, 37, 2);
    Dynamics calm = Replicas.plain(Geometry.EUCLIDEAN, 2, Weight.scalar(2, -1), 1);
    Dynamics wild =
        new Dynamics(
            Geometry.EUCLIDEAN, Mask.FULL, Normalisation.UNNORMALISED, 10, calm.weights(), 1, null);
    Dynamics[] dynamics = {calm, wild};
    // Scores beyond the range of an exponential.
    double[] start = Arrays.stream(Replicas.tokens(shape, dynamics)).map(c -> 10 * c).toArray();
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-3, 1e-3);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Integrator i =
            Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
      assertEquals("WholeAdaptiveStepper", i.getClass().getSimpleName());
      reach(i, shape, new Pause(REACH, FOREVER));
      assertTrue(i.time(0) >= REACH);
      assertEquals(Outcome.Kind.NON_FINITE, i.failure(1).kind(), () -> i.failure(1).sentence());
      assertTrue(i.failure(1).token() >= 0, () -> i.failure(1).sentence());
      assertEquals(0, i.time(1));
      for (double c : engine.download(i.state())) {
        assertTrue(Double.isFinite(c));
      }
    }
  }

  @Test
  void stepsNextToTheLargestNumberThatMoveNothingEndTheReplica() {
    Shape shape = new Shape(2, 37, 2);
    Dynamics growing = Replicas.plain(Geometry.EUCLIDEAN, 2, Weight.identity(2), 0);
    Dynamics[] dynamics = {growing, growing};
    double[] start = new double[(int) shape.size()];
    for (int at = 0; at < start.length; at += 2) {
      start[at] = Float.MAX_VALUE;
    }
    IntegratorSpec spec = IntegratorSpec.dopri5(1e-3, 1e-3).withFirstStep(1e-3);
    try (Engine engine = Replicas.engine(Precision.SINGLE, false);
        Integrator i =
            Integrators.create(
                spec.withMaxSteps(1000), engine, dynamics, Replicas.upload(engine, shape, start))) {
      reach(i, shape, new Pause(REACH, FOREVER));
      assertEquals(Outcome.Kind.NON_FINITE, i.failure(0).kind(), () -> i.failure(0).sentence());
      assertTrue(i.time(0) > 0 && i.time(0) < 1e-3);
    }
  }

  @ParameterizedTest(name = "{0} {1} gpu={2} seed " + Replicas.SEED)
  @CsvSource({"SINGLE,DOPRI5,false", "DOUBLE,EULER,false", "SINGLE,EULER,true"})
  void stopsFallOnTheStepsWhereTheyWouldIfEveryStepWereJudged(
      Precision precision, Method method, boolean gpu) {
    int d = 2;
    Dynamics[] dynamics = new Dynamics[6];
    for (int r = 0; r < dynamics.length; r++) {
      dynamics[r] = Replicas.plain(Geometry.SPHERE, d, Weight.identity(d), 1 + 3 * r);
    }
    Shape shape = new Shape(dynamics.length, 37, d);
    double[] start = Replicas.tokens(shape, dynamics);
    IntegratorSpec spec =
        method.adaptive() ? IntegratorSpec.dopri5(1e-4, 1e-5) : IntegratorSpec.fixed(method, 0.25);
    List<StopRule.Plain> rules =
        List.of(
            new StopRule.Clusters(Linkage.COSINE, 0.999, 2, 1),
            new StopRule.Clusters(Linkage.DISTANCE, 0.3, 3, 2),
            new StopRule.Collapse(0.5, 1));
    try (Engine engine = Replicas.engine(precision, gpu)) {
      for (StopRule.Plain rule : rules) {
        long[][] steps = new long[2][];
        int[] calls = new int[2];
        for (int way = 0; way < 2; way++) {
          try (Integrator i =
              Integrators.create(spec, engine, dynamics, Replicas.upload(engine, shape, start))) {
            List<Watch> watches = List.of(rule.watch());
            Pause pause =
                way == 0
                    ? new Pause(12, FOREVER, watches)
                    : new Pause(12, FOREVER, (long) rule.everySteps());
            steps[way] = untilStopped(engine, i, shape, rule, pause, calls, way);
          }
        }
        assertArrayEquals(steps[1], steps[0], rule::toString);
        assertTrue(calls[0] < calls[1], () -> rule + ": " + Arrays.toString(calls));
        assertTrue(Arrays.stream(steps[0]).anyMatch(s -> s > 0), () -> rule + " never holds");
      }
    }
  }

  /** Steps at which replicas meet the rule before t = 12; 0 for those that do not. */
  private static long[] untilStopped(
      Engine engine,
      Integrator i,
      Shape shape,
      StopRule.Plain rule,
      Pause pause,
      int[] calls,
      int way) {
    long[] stopped = new long[shape.replicas()];
    while (true) {
      boolean[] active = new boolean[shape.replicas()];
      for (int r = 0; r < active.length; r++) {
        active[r] = stopped[r] == 0 && i.time(r) < pause.reach();
      }
      if (!Replicas.anyTrue(active)) {
        return stopped;
      }
      i.advance(active, pause);
      calls[way]++;
      String[] found = rule.judge(engine, i.state());
      for (int r = 0; r < active.length; r++) {
        boolean due = active[r] && i.accepted(r) && i.steps(r) % rule.everySteps() == 0;
        if (due && found[r] != null) {
          stopped[r] = i.steps(r);
        }
      }
    }
  }
}
