package org.starling.bench.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.model.Precision;
import org.starling.core.store.StoreException;

/** What is chosen, kept and found again. */
class TuningTest {
  private static final EngineIdentity NOW =
      new EngineIdentity("opencl", "A device (1)", "driver", "platform", "hash", Map.of());

  @TempDir Path folder;

  private static Tuned.Candidate candidate(String tiles, double ofShipped) {
    return new Tuned.Candidate(tiles, 0.1 * ofShipped, ofShipped, "");
  }

  private static Tuned tuned(Precision p, boolean causal, int d, String tiles) {
    return new Tuned(
        p,
        causal,
        d,
        1024,
        tiles,
        List.of(
            candidate("shipped", 1),
            candidate(tiles, 0.9),
            new Tuned.Candidate("broken", Double.NaN, Double.NaN, "it does not build")));
  }

  @Test
  void theShippedTilesStayUnlessOthersAreClearlyFaster() {
    assertEquals(
        "s", Tuner.choose(List.of(candidate("s", 1), candidate("a", 0.98), candidate("b", 1.2))));
    assertEquals(
        "b", Tuner.choose(List.of(candidate("s", 1), candidate("a", 0.96), candidate("b", 0.9))));
    assertEquals("s", Tuner.choose(List.of(candidate("s", 1), candidate("a", Double.NaN))));
  }

  @Test
  void aFileGivesBackWhatWasKept() throws IOException {
    TuningStore store = new TuningStore(folder.resolve("deep/tuning"));
    assertEquals(Optional.empty(), store.find(NOW.device()));
    store.add(NOW, List.of(tuned(Precision.DOUBLE, true, 256, "old")), "then", false);
    Tuned c = tuned(Precision.DOUBLE, true, 128, "c");
    Tuned a = tuned(Precision.SINGLE, false, 64, "a");
    store.add(NOW, List.of(c, a), "later", true);
    // Another process, which had looked before.
    Tuning t =
        new TuningStore(folder.resolve("deep/tuning"))
            .add(NOW, List.of(tuned(Precision.SINGLE, false, 64, "b")), "now", false);
    assertEquals(t, store.find(NOW.device()).orElseThrow());
    assertEquals(2, t.entries().size());
    assertEquals("b", t.find(Precision.SINGLE, false, 64).orElseThrow().tiles());
    assertEquals("c", t.find(Precision.DOUBLE, true, 128).orElseThrow().tiles());
    try (var files = Files.list(folder.resolve("deep/tuning"))) {
      assertEquals(
          List.of(store.file(NOW.device())), files.filter(f -> !f.endsWith(".lock")).toList());
    }
  }

  @Test
  void aRunFindsTheNearestDimensionOfItsMaskAndPrecision() {
    Tuning t =
        Tuning.none(NOW, "then")
            .with(tuned(Precision.SINGLE, false, 64, "at 64"), "")
            .with(tuned(Precision.SINGLE, false, 200, "at 200"), "")
            .with(tuned(Precision.SINGLE, true, 64, "causal"), "");
    assertEquals("at 64", t.find(Precision.SINGLE, false, 100).orElseThrow().tiles());
    assertEquals("at 200", t.find(Precision.MIXED, false, 128).orElseThrow().tiles());
    assertEquals("causal", t.find(Precision.SINGLE, true, 128).orElseThrow().tiles());
    assertEquals(Optional.empty(), t.find(Precision.SINGLE, true, 129));
    assertEquals(Optional.empty(), t.find(Precision.SINGLE, false, 31));
    assertEquals(Optional.empty(), t.find(Precision.DOUBLE, false, 64));
  }

  @Test
  void whatWasMeasuredWithOtherKernelsOrDriversIsStale() {
    Tuning t = Tuning.none(NOW, "then");
    assertTrue(t.measuredWith(NOW));
    EngineIdentity kernels =
        new EngineIdentity("opencl", NOW.device(), "driver", "platform", "other", Map.of());
    assertTrue(t.staleness(kernels).orElseThrow().contains("kernels"));
    EngineIdentity driver =
        new EngineIdentity("opencl", NOW.device(), "newer", "platform", "hash", Map.of());
    assertTrue(t.staleness(driver).orElseThrow().contains("driver"));
  }

  @Test
  void aDamagedFileIsRefusedWithWhatToDo() throws IOException {
    TuningStore store = new TuningStore(folder);
    store.add(NOW, List.of(), "then", false);
    Path file = store.file(NOW.device());
    String whole = Files.readString(file);
    for (String text :
        List.of(
            "",
            "{",
            "[]",
            "{\"format\": \"starling-tuning/9\"}",
            whole.replace("A device (1)", "Another"),
            whole.replace("\"entries\" : [ ]", "\"entries\" : [ {\"mask\": \"half\"} ]"))) {
      Files.writeString(file, text);
      StoreException e =
          assertThrows(StoreException.class, () -> store.find(NOW.device()), () -> text);
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
      assertTrue(e.getMessage().contains("starling tune --anew"), e.getMessage());
      assertEquals(StoreException.Kind.DAMAGED, e.kind());
    }
  }
}
