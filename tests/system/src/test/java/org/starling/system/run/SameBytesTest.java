package org.starling.system.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Merging;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Geometry;
import org.starling.core.model.Precision;
import org.starling.core.observe.Column;
import org.starling.core.observe.Observer;
import org.starling.core.observe.Readings;
import org.starling.core.observe.Snapshot;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.run.StopRequest;
import org.starling.core.run.StopRule;
import org.starling.cpu.fast.FastProvider;
import org.starling.system.run.Runs.Case;

/** Interrupted, extended and single runs leave the same bytes. */
class SameBytesTest {
  private static final IntegratorSpec DOPRI5 = IntegratorSpec.dopri5(1e-6, 1e-9);
  private static final IntegratorSpec NOISY = IntegratorSpec.fixed(Method.EULER_MARUYAMA, 0.05);
  private static final IntegratorSpec RK4 = IntegratorSpec.fixed(Method.RK4, 0.05);

  /** Asks for a stop at the first report at or after a time. */
  private record StopAt(double order, StopRequest request, AtomicLong reports) implements Observer {
    @Override
    public List<Column> columns(Shape shape) {
      return List.of();
    }

    @Override
    public void observe(Snapshot at, Readings out) {
      if (reports.incrementAndGet() >= order) {
        request.stop("the test");
      }
    }
  }

  static Stream<Arguments> cases() {
    return Stream.concat(
        onTheReference(),
        Stream.of(Precision.SINGLE, Precision.MIXED).flatMap(SameBytesTest::onJava));
  }

  /** The engine that a user has: float32, several threads. */
  private static Stream<Arguments> onJava(Precision precision) {
    String name = "java " + precision.name().toLowerCase(Locale.ROOT) + ", ";
    IntegratorSpec loose = IntegratorSpec.dopri5(1e-4, 1e-7);
    return Stream.of(
            Arguments.of("rk4", Case.of(1, RK4, OutputTimes.every(0.3), 1.99)),
            Arguments.of("euler-maruyama", Case.of(2, NOISY, OutputTimes.every(0.3), 1.99)),
            Arguments.of("dopri5", Case.of(1, loose, OutputTimes.every(0.05), 2)),
            Arguments.of(
                "3 replicas, euclidean",
                Case.of(3, loose, OutputTimes.every(0.05), 1).in(Geometry.EUCLIDEAN)))
        .map(c -> Arguments.of(name + c.get()[0], ((Case) c.get()[1]).on(() -> java(precision))));
  }

  private static Engine java(Precision precision) {
    FastProvider provider = new FastProvider();
    return provider.open(provider.devices().get(0), EngineProvider.EngineOptions.of(precision));
  }

  private static Stream<Arguments> onTheReference() {
    IntegratorSpec dyadic = IntegratorSpec.fixed(Method.RK4, 0.0625);
    return Stream.of(
        Arguments.of("rk4, reports at step ends", Case.of(1, dyadic, OutputTimes.every(0.125), 2)),
        Arguments.of(
            "3 replicas, rk4, stop by clusters at step ends",
            Case.of(3, dyadic, OutputTimes.every(0.25), 6)
                .stopping(new StopRule.Clusters(Linkage.COSINE, 0.99, 2, 0))),
        Arguments.of("rk4", Case.of(1, RK4, OutputTimes.every(0.1), 2)),
        Arguments.of("2 replicas, noise", Case.of(2, NOISY, OutputTimes.every(0.12), 1.99)),
        Arguments.of("rk4, end between steps", Case.of(1, RK4, OutputTimes.every(0.3), 1.99)),
        Arguments.of(
            "layers",
            Case.of(1, IntegratorSpec.fixed(Method.LAYERS, 1), OutputTimes.every(1), 6)
                .in(Geometry.EUCLIDEAN)),
        Arguments.of("dopri5", Case.of(1, DOPRI5, OutputTimes.every(0.1), 2)),
        Arguments.of(
            "2 replicas, radau5",
            Case.of(
                2,
                IntegratorSpec.adaptive(Method.RADAU5, 1e-5, 1e-8),
                OutputTimes.logSpaced(0.1, 4, 9),
                5)),
        // Two of five tokens merge at the start, all before the end.
        Arguments.of(
            "dopri5, merging",
            Case.of(2, DOPRI5.withMerging(new Merging(0.7, 4)), OutputTimes.every(0.1), 4)),
        Arguments.of(
            "dopri5, reports finer than steps", Case.of(1, DOPRI5, OutputTimes.every(0.01), 1)),
        Arguments.of("dopri5, log", Case.of(1, DOPRI5, OutputTimes.logSpaced(1e-3, 2, 12), 2.5)),
        Arguments.of(
            "dopri5, euclidean",
            Case.of(1, DOPRI5, OutputTimes.every(0.1), 1).in(Geometry.EUCLIDEAN)),
        Arguments.of(
            "dopri5, rescaled",
            Case.of(1, DOPRI5, OutputTimes.every(0.1), 1).in(Geometry.RESCALED)),
        Arguments.of("3 replicas", Case.of(3, DOPRI5, OutputTimes.every(0.25), 2)),
        Arguments.of(
            "3 replicas, events",
            Case.of(3, DOPRI5, OutputTimes.every(0.25), 6)
                .noting(
                    new StopRule.Merged(Linkage.COSINE, 0.99, 9, 1),
                    new StopRule.PlateauLeft(0.1, 0.3, 1),
                    new StopRule.Collapse(0.1, 0),
                    new StopRule.Clusters(Linkage.COSINE, 0.99, 2, 2))),
        Arguments.of("3 replicas, fine", Case.of(3, DOPRI5, OutputTimes.every(0.01), 0.5)),
        Arguments.of("3 replicas, ends only", Case.of(3, DOPRI5, OutputTimes.endsOnly(), 2)),
        Arguments.of(
            "3 replicas, euclidean",
            Case.of(3, DOPRI5, OutputTimes.every(0.05), 1).in(Geometry.EUCLIDEAN)),
        Arguments.of(
            "3 replicas, stop by clusters",
            Case.of(3, DOPRI5, OutputTimes.every(0.25), 6)
                .stopping(new StopRule.Clusters(Linkage.COSINE, 0.99, 2, 0))),
        Arguments.of(
            "3 replicas, stop by clusters every 5 steps",
            Case.of(3, DOPRI5, OutputTimes.every(0.25), 6)
                .stopping(new StopRule.Clusters(Linkage.COSINE, 0.99, 2, 5))));
  }

  /** A clock that ticks once a question: a wall time then interrupts at any place of the loop. */
  private static RunControl ticking(long walltime) {
    AtomicLong clock = new AtomicLong();
    return RunControl.plain()
        .withClock(() -> clock.getAndAdd(1_000_000_000L))
        .withWalltime(walltime)
        .withCheckpointEvery(7);
  }

  /** A checkpoint at every step, also between the end of the first replica and of the last. */
  private static RunControl oftenCheckpointed() {
    AtomicLong clock = new AtomicLong();
    return RunControl.plain()
        .withClock(() -> clock.getAndAdd(1_000_000_000L))
        .withCheckpointEvery(1);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void interruptionsLeaveNoTrace(String name, Case run) {
    LyingFileStore undisturbed = new LyingFileStore();
    RunResult whole = Runs.start(run, RunControl.plain(), undisturbed, Runs.DIR);
    assertEquals(0, whole.outcome().kind().exitCode(), whole.outcome().sentence());
    for (long walltime : new long[] {1, 23, 60}) {
      LyingFileStore store = new LyingFileStore();
      RunResult result = Runs.start(run, ticking(walltime), store, Runs.DIR);
      int sessions = 1;
      while (result.outcome().kind() == Outcome.Kind.WALLTIME) {
        result = Runs.resume(run, ticking(walltime), store, Runs.DIR);
        assertTrue(++sessions < 10_000, "no progress");
      }
      assertTrue(walltime > 1 || sessions > 3, "interrupted " + (sessions - 1) + " times only");
      Runs.assertSame(
          Runs.results(undisturbed), Runs.results(store), name + ", " + sessions + " sessions");
      assertEquals(whole.steps(), result.steps());
      assertEquals(whole.report(), result.report());
    }
  }

  static Stream<Arguments> extensible() {
    return cases().filter(c -> !((String) c.get()[0]).contains("stop"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("extensible")
  void anExtendedRunIsALongRun(String name, Case run) {
    double end = run.tEnd();
    LyingFileStore once = new LyingFileStore();
    Runs.start(run, RunControl.plain(), once, Runs.DIR);
    for (double part : new double[] {0.3, 0.5, 0.77}) {
      LyingFileStore store = new LyingFileStore();
      Case first = run.until(part * end);
      assertEquals(
          Outcome.Kind.COMPLETED,
          Runs.start(first, oftenCheckpointed(), store, Runs.DIR).outcome().kind());
      Runs.resume(run.until(0.9 * end), RunControl.plain(), store, Runs.DIR);
      RunResult result = Runs.resume(run, RunControl.plain(), store, Runs.DIR);
      assertEquals(Outcome.Kind.COMPLETED, result.outcome().kind());
      Runs.assertSame(Runs.results(once), Runs.results(store), name + ", first to " + part);
    }
  }

  @Test
  void twoHundredStepsAreTwiceAHundred() {
    Case run = Case.of(1, IntegratorSpec.fixed(Method.HEUN, 0.01), OutputTimes.every(0.1), 2);
    LyingFileStore undisturbed = new LyingFileStore();
    RunResult whole = Runs.start(run, RunControl.plain(), undisturbed, Runs.DIR);
    assertEquals(200, whole.steps());

    StopRequest request = new StopRequest();
    LyingFileStore store = new LyingFileStore();
    RunResult half =
        Runs.start(
            run.observing(new StopAt(11, request, new AtomicLong())),
            RunControl.plain().withStop(request),
            store,
            Runs.DIR);
    assertEquals(Outcome.Kind.INTERRUPTED, half.outcome().kind());
    assertEquals(75, half.outcome().kind().exitCode());
    assertEquals(100, half.steps());
    RunResult rest = Runs.resume(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.COMPLETED, rest.outcome().kind());
    Runs.assertSame(Runs.results(undisturbed), Runs.results(store), "100 + 100");
  }

  @Test
  void aFinishedRunIsNotComputedAgain() {
    Case run = Case.of(1, RK4, OutputTimes.every(0.5), 1);
    LyingFileStore store = new LyingFileStore();
    RunResult first = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    Map<String, byte[]> files = Runs.results(store);
    long changes = store.changes();
    RunResult second = Runs.resume(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(first.outcome(), second.outcome());
    assertEquals(first.steps(), second.steps());
    assertEquals(changes, store.changes());
    Runs.assertSame(files, Runs.results(store), "second run");
  }
}
