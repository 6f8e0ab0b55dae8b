package org.starling.system.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.store.AppendedLines;
import org.starling.core.store.FileStore;
import org.starling.core.store.Npy;
import org.starling.core.store.Sha256;
import org.starling.core.store.StoreException;
import org.starling.system.run.LyingFileStore.Fault;
import org.starling.system.run.Runs.Case;

/** Whatever the file system does at its n-th change, at most one segment is lost. */
class CrashTest {
  private static final int FRAMES_PER_SEGMENT = 4;

  private static final Case RUN =
      Case.of(1, IntegratorSpec.dopri5(1e-5, 1e-8), OutputTimes.every(0.1), 1.15);

  private static final Case REPLICAS =
      Case.of(2, IntegratorSpec.dopri5(1e-4, 1e-7), OutputTimes.every(0.25), 1);

  /** Checkpoints at every second step: the clock ticks with every question. */
  private static RunControl control() {
    AtomicLong clock = new AtomicLong();
    return RunControl.plain()
        .withClock(() -> clock.getAndAdd(1_000_000_000L))
        .withCheckpointEvery(12);
  }

  @ParameterizedTest(name = "{0}, {1} replicas, seed {2}")
  @CsvSource({
    "FAIL, 1, 0",
    "SHORT_WRITE, 1, 0",
    "DISK_FULL, 1, 0",
    "CRASH, 1, -1",
    "CRASH, 1, 1",
    "CRASH, 1, 2",
    "CRASH, 1, 3",
    "FAIL, 2, 0",
    "CRASH, 2, -1",
    "CRASH, 2, 1"
  })
  void everyChangeMayFail(Fault fault, int replicas, long seed) {
    Case run = replicas == 1 ? RUN : REPLICAS;
    LyingFileStore undisturbed = new LyingFileStore();
    Runs.start(run, control(), undisturbed, Runs.DIR);
    Map<String, byte[]> wanted = Runs.results(undisturbed);
    long changes = undisturbed.changes();
    assertTrue(changes > 100, "only " + changes + " changes");

    for (long n = 1; n <= changes; n++) {
      String what = fault + " at change " + n + " of " + changes + ", seed " + seed;
      LyingFileStore store = new LyingFileStore(fault, n);
      try {
        Runs.start(run, control(), store, Runs.DIR);
        // Only a full disk can go unnoticed: when nothing is written any more.
        assertTrue(fault == Fault.DISK_FULL && n > changes - 4, what + " went unnoticed");
        continue;
      } catch (StoreException failure) {
        assertEquals(StoreException.Kind.IO, failure.kind(), what);
      }
      int written = frames(store.healed());
      LyingFileStore after =
          fault == Fault.CRASH
              ? store.afterCrash(seed < 0 ? null : new Random(seed * 1_000_003 + n))
              : store.healed();
      int left = frames(after);
      assertTrue(left >= written - FRAMES_PER_SEGMENT, what + ": " + left + " of " + written);
      RunResult result = goOn(run, after);
      assertEquals(Outcome.Kind.COMPLETED, result.outcome().kind(), what);
      Runs.assertSame(wanted, Runs.results(after), what);
    }
  }

  /** A second failure, while the first is being repaired. */
  @ParameterizedTest(name = "seed {0}")
  @CsvSource({"1", "2"})
  void recoveryMayCrashToo(long seed) {
    LyingFileStore undisturbed = new LyingFileStore();
    Runs.start(RUN, control(), undisturbed, Runs.DIR);
    Random random = new Random(seed);
    for (int trial = 0; trial < 100; trial++) {
      LyingFileStore store =
          new LyingFileStore(Fault.CRASH, 1 + random.nextInt((int) undisturbed.changes()));
      assertThrows(StoreException.class, () -> Runs.start(RUN, control(), store, Runs.DIR));
      LyingFileStore state = store.afterCrash(new Random(random.nextLong()));
      for (int again = 0; again < 3; again++) {
        LyingFileStore next = state.failingWith(Fault.CRASH, 1 + random.nextInt(40));
        try {
          goOn(RUN, next);
        } catch (StoreException e) {
          assertEquals(StoreException.Kind.IO, e.kind(), e.getMessage());
        }
        state = next.afterCrash(new Random(random.nextLong()));
      }
      goOn(RUN, state);
      Runs.assertSame(
          Runs.results(undisturbed), Runs.results(state), "seed " + seed + ", trial " + trial);
    }
  }

  private static RunResult goOn(Case run, LyingFileStore store) {
    return store.exists(Runs.DIR.resolve("experiment.yaml"))
        ? Runs.resume(run, control(), store, Runs.DIR)
        : Runs.start(run, control(), store, Runs.DIR);
  }

  /** Frames in sealed segments, each checked against its hash. */
  private static int frames(FileStore store) {
    int frames = 0;
    Path traj = Runs.DIR.resolve("traj");
    for (Map<String, Object> line : AppendedLines.read(store, traj.resolve("index.jsonl"))) {
      byte[] segment = store.read(traj.resolve((String) line.get("file")));
      assertEquals(line.get("sha256"), Sha256.of(segment));
      frames += Npy.decode(segment, "segment").shape()[0];
    }
    Path open = traj.resolve(String.format("%06d.npy", frames / FRAMES_PER_SEGMENT));
    return frames + (store.exists(open) ? headerFrames(store, open) : 0);
  }

  private static int headerFrames(FileStore store, Path open) {
    try {
      return Npy.decode(store.read(open), "open segment").shape()[0];
    } catch (StoreException e) {
      return 0;
    }
  }

  @Test
  void theOlderGenerationServesWhereTheNewerIsDamaged() {
    LyingFileStore undisturbed = new LyingFileStore();
    Runs.start(RUN, control(), undisturbed, Runs.DIR);
    LyingFileStore store = new LyingFileStore(Fault.FAIL, undisturbed.changes() * 2 / 3);
    assertThrows(StoreException.class, () -> Runs.start(RUN, control(), store, Runs.DIR));
    LyingFileStore healed = store.healed();
    Path checkpoints = Runs.DIR.resolve("checkpoint");
    String newest =
        healed.list(checkpoints).stream().filter(f -> f.endsWith(".bin")).reduce("", (a, b) -> b);
    assertTrue(healed.list(checkpoints).size() >= 4, healed.list(checkpoints).toString());
    byte[] bytes = healed.read(checkpoints.resolve(newest));
    bytes[bytes.length / 2] ^= 1;
    healed.write(checkpoints.resolve(newest), bytes);
    Runs.resume(RUN, control(), healed, Runs.DIR);
    Runs.assertSame(Runs.results(undisturbed), Runs.results(healed), "older generation");
  }

  @Test
  void aFlippedBitInTheOpenSegmentIsNamed() {
    // A session makes one step, and five frames are one segment and one frame.
    Case run = Case.of(1, IntegratorSpec.fixed(Method.EULER, 0.05), OutputTimes.every(0.1), 1);
    RunControl brief = control().withWalltime(1e-9);
    LyingFileStore store = new LyingFileStore();
    Runs.start(run, brief, store, Runs.DIR);
    Path open = Runs.DIR.resolve("traj").resolve("000001.npy");
    for (int k = 0; k < 20 && !store.exists(open); k++) {
      Runs.resume(run, brief, store, Runs.DIR);
    }
    byte[] bytes = store.read(open);
    bytes[150] ^= 1;
    store.write(open, bytes);
    StoreException failure =
        assertThrows(StoreException.class, () -> Runs.resume(run, brief, store, Runs.DIR));
    assertEquals(StoreException.Kind.DAMAGED, failure.kind());
    assertTrue(failure.getMessage().contains("000001.npy"), failure.getMessage());
    assertTrue(failure.getMessage().contains("the checkpoint"), failure.getMessage());
  }

  @Test
  void aRunWithoutItsCheckpointsIsNotBegunAgain() {
    LyingFileStore store = new LyingFileStore();
    Runs.start(RUN, control(), store, Runs.DIR);
    Map<String, byte[]> left = Runs.results(store);
    Path checkpoints = Runs.DIR.resolve("checkpoint");
    store.list(checkpoints).forEach(name -> store.delete(checkpoints.resolve(name)));
    Case longer = RUN.until(2 * RUN.tEnd());
    StoreException failure =
        assertThrows(StoreException.class, () -> Runs.resume(longer, control(), store, Runs.DIR));
    assertEquals(StoreException.Kind.REFUSED, failure.kind());
    assertTrue(failure.getMessage().contains("are gone"), failure.getMessage());
    Map<String, byte[]> now = Runs.results(store);
    now.put("experiment.yaml", left.get("experiment.yaml"));
    Runs.assertSame(left, now, "refused");
  }

  @Test
  void aDamagedSegmentIsNamed() {
    LyingFileStore whole = new LyingFileStore();
    Runs.start(RUN, control(), whole, Runs.DIR);
    LyingFileStore store = new LyingFileStore(Fault.FAIL, whole.changes() * 2 / 3);
    assertThrows(StoreException.class, () -> Runs.start(RUN, control(), store, Runs.DIR));
    LyingFileStore healed = store.healed();
    Path segment = Runs.DIR.resolve("traj").resolve("000000.npy");
    byte[] bytes = healed.read(segment);
    bytes[200] ^= 1;
    healed.write(segment, bytes);
    StoreException failure =
        assertThrows(StoreException.class, () -> Runs.resume(RUN, control(), healed, Runs.DIR));
    assertEquals(StoreException.Kind.DAMAGED, failure.kind());
    assertTrue(failure.getMessage().contains("000000.npy"), failure.getMessage());
  }
}
