package org.starling.system.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations.Linkage;
import org.starling.core.engine.State;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RowCheck;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.run.StopRule;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.Json;
import org.starling.core.store.Npy;
import org.starling.core.store.RunDirectory;
import org.starling.core.store.StoreException;
import org.starling.system.run.Runs.Case;

/** How runs end, and what they leave then. */
class EndingTest {
  private static final IntegratorSpec DOPRI5 = IntegratorSpec.dopri5(1e-6, 1e-9);

  private final LyingFileStore store = new LyingFileStore();

  private List<Map<String, Object>> scalars() {
    return AppendedLines.read(store, Runs.DIR.resolve("scalars.jsonl"));
  }

  private Map<String, Object> manifest() {
    return Json.read(store.read(Runs.DIR.resolve("manifest.json")), "manifest");
  }

  private double[] array(String file, int... shape) {
    return Npy.decode(store.read(Runs.DIR.resolve(file)), file).requireShape(shape).doubles();
  }

  @Test
  void reportsStandAtTheirTimesAndTheEndIsOneOfThem() {
    Runs.start(Case.of(1, DOPRI5, OutputTimes.every(0.3), 1), RunControl.plain(), store, Runs.DIR);
    assertEquals(
        List.of(0.0, 0.3, 0.6, 0.9, 1.0), scalars().stream().map(m -> m.get("t")).toList());
    // The last frame comes from dense output, the final state from a side step of higher accuracy.
    double[] last = array("traj/000001.npy", 1, Runs.N, Runs.D);
    assertArrayEquals(last, array("final.npy", Runs.N, Runs.D), 1e-5);
    assertEquals(true, manifest().get("finished"));
  }

  @Test
  void aConditionEndsTheRunAtTheReportWhereItHolds() {
    Case run =
        Case.of(1, DOPRI5, OutputTimes.every(0.5), 50)
            .stopping(new StopRule.Clusters(Linkage.COSINE, 0.99, 1, 0));
    RunResult result = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.STOP_CONDITION, result.outcome().kind());
    List<Map<String, Object>> lines = scalars();
    Map<String, Object> last = lines.get(lines.size() - 1);
    assertEquals(result.outcome().time(), Json.number(last.get("t")));
    assertEquals(1, last.get("clusters"));
    assertTrue((Integer) lines.get(lines.size() - 2).get("clusters") > 1);
    assertTrue(result.outcome().time() < 50);
    int segments = (lines.size() + 3) / 4;
    double[] frames =
        array(
            String.format("traj/%06d.npy", segments - 1),
            lines.size() - 4 * (segments - 1),
            Runs.N,
            Runs.D);
    double[] end = array("final.npy", Runs.N, Runs.D);
    assertArrayEquals(
        end, java.util.Arrays.copyOfRange(frames, frames.length - end.length, frames.length));
  }

  @Test
  void aCollapseIsSeenBetweenReportsWhenAskedFor() {
    Case run =
        Case.of(1, IntegratorSpec.fixed(Method.RK4, 0.05), OutputTimes.endsOnly(), 50)
            .stopping(new StopRule.Collapse(0.1, 10));
    RunResult result = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.STOP_CONDITION, result.outcome().kind());
    assertEquals(0, result.steps() % 10);
    assertEquals(1, scalars().size());
    double[] x = array("final.npy", Runs.N, Runs.D);
    for (int i = 0; i < Runs.N; i++) {
      double square = 0;
      for (int c = 0; c < Runs.D; c++) {
        square += Math.pow(x[i * Runs.D + c] - x[c], 2);
      }
      assertTrue(Math.sqrt(square) < 0.1, "token " + i);
    }
  }

  @Test
  void momentsOfEventsAreFoundWithinSteps() {
    // Loose and tight steps see one moment; without the search they would differ by a step.
    List<List<Double>> found = new ArrayList<>();
    for (double rtol : new double[] {1e-6, 1e-9}) {
      LyingFileStore files = new LyingFileStore();
      RunResult result =
          Runs.start(
              Case.of(1, IntegratorSpec.dopri5(rtol, rtol), OutputTimes.endsOnly(), 12)
                  .noting(
                      new StopRule.Merged(Linkage.COSINE, 0.99, 9, 1),
                      new StopRule.PlateauLeft(0.1, 0.2, 1),
                      new StopRule.Collapse(0.1, 1)),
              RunControl.plain(),
              files,
              Runs.DIR);
      List<Map<String, Object>> lines = AppendedLines.read(files, Runs.DIR.resolve("events.jsonl"));
      assertEquals(result.events().size(), lines.size());
      List<Double> merged = new ArrayList<>();
      double before = 0;
      for (Map<String, Object> line : lines) {
        double t = Json.number(line.get("t"));
        assertTrue(before <= t && Json.number(line.get("after")) < t, () -> lines.toString());
        before = t;
        // Two mergings within one loose step are one event.
        if (line.get("event").equals("collapse")
            || line.get("found").toString().contains("1 cluster is left")) {
          merged.add(t);
        }
      }
      assertTrue(lines.toString().contains("of 2 clusters 1 cluster is left"), lines.toString());
      assertEquals(1, lines.stream().filter(m -> m.get("event").equals("collapse")).count());
      found.add(merged);
    }
    assertEquals(2, found.get(0).size());
    for (int k = 0; k < found.get(0).size(); k++) {
      assertEquals(found.get(1).get(k), found.get(0).get(k), 1e-4, "event " + k);
    }
  }

  @Test
  void theFirstPlateauThatIsLeftEndsARun() {
    // beta = 1 and one cluster at the end: the only plateau is the last one, which is never left.
    Case run =
        Case.of(1, DOPRI5, OutputTimes.every(0.5), 30)
            .stopping(new StopRule.PlateauLeft(1e-3, 2, 1));
    RunResult result = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.COMPLETED, result.outcome().kind());
    LyingFileStore other = new LyingFileStore();
    RunResult wide =
        Runs.start(
            run.stopping(new StopRule.PlateauLeft(0.2, 0.2, 1)),
            RunControl.plain(),
            other,
            Runs.DIR);
    assertEquals(Outcome.Kind.STOP_CONDITION, wide.outcome().kind());
    assertTrue(wide.outcome().sentence().contains("has left the plateau"), wide::toString);
  }

  @Test
  void aNonFiniteRunStopsWithTimeTokenAndCheckpoint() {
    Case run =
        Case.of(1, IntegratorSpec.fixed(Method.EULER, 1e30), OutputTimes.every(1e30), 1e32)
            .in(Geometry.EUCLIDEAN);
    RunResult result = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.NON_FINITE, result.outcome().kind());
    assertEquals(4, result.outcome().kind().exitCode());
    assertTrue(result.outcome().token() >= 0);
    assertTrue(
        result.outcome().sentence().contains("Last good checkpoint: t = "),
        result.outcome().sentence());
    assertFalse(store.exists(Runs.DIR.resolve("final.npy")));
    assertEquals(false, manifest().get("finished"));
    // Going on from the checkpoint meets the same end, and never a different file.
    Map<String, byte[]> left = Runs.results(store);
    RunResult again = Runs.resume(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.NON_FINITE, again.outcome().kind());
    Runs.assertSame(left, Runs.results(store), "second failure");
  }

  @Test
  void stepsThatWouldNeverReachTheEndAreNotMade() {
    Case run = Case.of(1, IntegratorSpec.fixed(Method.EULER, 1e-7), OutputTimes.endsOnly(), 1000);
    RunResult result = Runs.start(run, RunControl.plain(), store, Runs.DIR);
    assertEquals(Outcome.Kind.STEP_LIMIT, result.outcome().kind());
    String sentence = result.outcome().sentence();
    assertTrue(sentence.contains("1.00e+10 of them away"), sentence);
    assertTrue(sentence.contains("Last good checkpoint: t = "), sentence);
    assertTrue(result.outcome().token() >= 0 && result.steps() < 10_000, sentence);
    // The same steps to an end that they can reach.
    RunResult near =
        Runs.start(run.until(1e-3), RunControl.plain(), new LyingFileStore(), Runs.DIR);
    assertEquals(Outcome.Kind.COMPLETED, near.outcome().kind());
    assertEquals(10_000, near.steps(), 1);
  }

  @Test
  void oneFailedReplicaLeavesTheOthersAlone() {
    Case run = Case.of(3, DOPRI5, OutputTimes.every(0.5), 2);
    LyingFileStore whole = new LyingFileStore();
    Runs.start(run, RunControl.plain(), whole, Runs.DIR);
    // As many attempts as one replica needs: too few for the others.
    long[] attempts =
        AppendedLines.read(whole, Runs.DIR.resolve("replicas.jsonl")).stream()
            .mapToLong(EndingTest::attempts)
            .toArray();
    long enough = java.util.Arrays.stream(attempts).min().orElseThrow();
    assertTrue(java.util.Arrays.stream(attempts).anyMatch(a -> a > enough), "all need the same");
    RunResult result =
        Runs.start(
            Case.of(3, DOPRI5.withMaxSteps(enough), OutputTimes.every(0.5), 2),
            RunControl.plain(),
            store,
            Runs.DIR);
    assertEquals(Outcome.Kind.STEP_LIMIT, result.outcome().kind());
    double[] found = array("final.npy", 3, Runs.N, Runs.D);
    double[] wanted = Npy.decode(whole.read(Runs.DIR.resolve("final.npy")), "final").doubles();
    double[] order = array("observables/order-parameter.npy", 5, 3);
    for (int r = 0; r < 3; r++) {
      boolean completes = attempts[r] == enough;
      assertEquals(
          completes ? Outcome.Kind.COMPLETED : Outcome.Kind.STEP_LIMIT,
          result.replicas().get(r).kind());
      assertEquals(completes, !Double.isNaN(order[12 + r]), "last report of replica " + r);
      for (int k = r * Runs.N * Runs.D; k < (r + 1) * Runs.N * Runs.D; k++) {
        assertEquals(completes ? wanted[k] : Double.NaN, found[k], "replica " + r);
      }
    }
    assertEquals(3, AppendedLines.read(store, Runs.DIR.resolve("replicas.jsonl")).size());
  }

  private static long attempts(Map<String, Object> replica) {
    return Json.integer(replica.get("steps")) + Json.integer(replica.get("rejected"));
  }

  /** Finds fault with the third comparison. */
  private static final class Doubt implements RowCheck {
    final List<Long> numbers = new ArrayList<>();

    @Override
    public long everySteps() {
      return 5;
    }

    @Override
    public Finding check(
        Engine engine,
        State x,
        Velocities velocities,
        Layer[] layers,
        boolean[] active,
        Field scratch,
        long number) {
      numbers.add(number);
      return number < 2 ? null : new Finding(0, 3, "token 3 is off by 1e-3");
    }
  }

  @Test
  void driftStopsTheRunWithStepTokenAndCheckpoint() {
    Doubt doubt = new Doubt();
    RunResult result =
        Runs.start(
            Case.of(1, IntegratorSpec.fixed(Method.RK4, 0.05), OutputTimes.every(1), 2),
            RunControl.plain().withCheck(doubt),
            store,
            Runs.DIR);
    assertEquals(List.of(0L, 1L, 2L), doubt.numbers);
    assertEquals(Outcome.Kind.DRIFT, result.outcome().kind());
    assertEquals(10, result.steps());
    assertEquals(3, result.outcome().token());
    assertTrue(result.outcome().sentence().contains("step 10"), result.outcome().sentence());
    assertTrue(result.outcome().sentence().contains("checkpoint"), result.outcome().sentence());
  }

  @Test
  void aRunIsNeverOverwrittenUnasked() {
    Case run = Case.of(1, DOPRI5, OutputTimes.every(0.5), 1);
    Runs.start(run, RunControl.plain(), store, Runs.DIR);
    StoreException finished =
        assertThrows(
            StoreException.class,
            () -> RunDirectory.create(store, Runs.DIR, "other", false).close());
    assertEquals(StoreException.Kind.REFUSED, finished.kind());
    assertTrue(finished.getMessage().contains("finished run"), finished.getMessage());
    assertTrue(finished.getMessage().contains("--force"), finished.getMessage());

    store.createDirectories(Runs.DIR.resolveSibling("notes"));
    store.write(Runs.DIR.resolveSibling("notes").resolve("a.txt"), new byte[1]);
    StoreException foreign =
        assertThrows(
            StoreException.class,
            () -> RunDirectory.create(store, Runs.DIR.resolveSibling("notes"), "x", true).close());
    assertTrue(foreign.getMessage().contains("a.txt"), foreign.getMessage());

    try (RunDirectory held = RunDirectory.create(store, Runs.DIR, run.text(), true)) {
      assertFalse(store.exists(held.finalState()));
      assertFalse(store.exists(held.trajectory().resolve("000000.npy")));
      StoreException locked =
          assertThrows(StoreException.class, () -> RunDirectory.open(store, Runs.DIR));
      assertEquals(StoreException.Kind.LOCKED, locked.kind());
      assertNull(held.readManifest().get("finished"));
    }
  }
}
