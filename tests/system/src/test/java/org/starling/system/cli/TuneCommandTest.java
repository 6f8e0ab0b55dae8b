package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.app.Interruption;
import org.starling.bench.tune.Tuned;
import org.starling.bench.tune.Tuning;
import org.starling.bench.tune.TuningStore;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineIdentity;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.TileChoices;
import org.starling.core.model.Precision;
import org.starling.opencl.OpenClProvider;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tile sizes: found, kept, used by runs that begin, and held by runs that have begun. */
final class TuneCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String EXPERIMENT =
      "model: {beta: 4, mask: causal}\ntokens: {n: 70, d: 20}\nintegrator: {method: rk4, dt: 0.25}\n"
          + "stop: {t: 2}\nseed: 3\ncheck: none\nexecution: {device: cpu}\n";

  @TempDir Path temp;
  private Cli cli;
  private TuningStore store;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    cli.write("e.yaml", EXPERIMENT);
    store = new TuningStore(temp.resolve("home/tuning"));
  }

  /** What the CPU device computes with, and what could be tried on it. */
  private record Found(EngineIdentity identity, List<String> candidates) {
    static Found find() {
      return find(Precision.SINGLE);
    }

    static Found find(Precision precision) {
      OpenClProvider provider = new OpenClProvider();
      DeviceInfo cpu =
          provider.devices().stream()
              .filter(d -> d.usable() && d.type().equals("cpu"))
              .findFirst()
              .orElseThrow();
      try (Engine engine = provider.open(cpu, EngineOptions.of(precision))) {
        return new Found(engine.identity(), ((TileChoices) engine).tileCandidates(20));
      }
    }
  }

  private void keep(Found found, String tiles) throws IOException {
    Tuned.Candidate shipped = new Tuned.Candidate(found.candidates().get(0), 1, 1, "");
    Tuned.Candidate other = new Tuned.Candidate(tiles, 0.5, 0.5, "");
    store.add(
        found.identity(),
        List.of(new Tuned(Precision.SINGLE, true, 20, 1024, tiles, List.of(shipped, other))),
        "now",
        true);
  }

  private JsonNode manifest(String run) throws IOException {
    return JSON.readTree(Files.readString(temp.resolve(run).resolve("manifest.json")));
  }

  private String tiles(String run) throws IOException {
    return manifest(run).get("engine").get("settings").get(TileChoices.SETTING).asString();
  }

  @Test
  void aRunKeepsTheTilesItBeganWithThoughTheTuningChanges() throws IOException {
    OpenClDevice.requireIf(true, cli);
    Found found = Found.find();
    String first = found.candidates().get(1);
    String later = found.candidates().get(2);
    String[] plain = {"--quiet", "--no-figures", "--no-certify"};
    keep(found, first);
    cli.run("run", "e.yaml", "--out", "whole", plain[0], plain[1], plain[2]).expect(0);
    assertEquals(first, tiles("whole"));
    assertEquals(
        store.file(found.identity().device()).toString(),
        manifest("whole").get("tiles_from").asString());

    Interruption at = new Interruption();
    at.honour().stop("a test asked for it");
    new Cli(temp)
        .with(at)
        .run("run", "e.yaml", "--out", "cut", plain[0], plain[1], plain[2])
        .expect(75);
    keep(found, later);
    cli.run("resume", "cut", plain[0], plain[1], plain[2]).expect(0);
    assertEquals(first, tiles("cut"));
    assertEquals("the run's checkpoint", manifest("cut").get("tiles_from").asString());
    assertEquals(Cli.promised(temp.resolve("whole")), Cli.promised(temp.resolve("cut")));

    // A run that begins now takes the new ones.
    cli.run("run", "e.yaml", "--out", "new", plain[0], plain[1], plain[2]).expect(0);
    assertEquals(later, tiles("new"));
  }

  @Test
  void aDamagedTuningStopsARunThatBeginsAndSaysWhatToDo() throws IOException {
    OpenClDevice.requireIf(true, cli);
    Found found = Found.find();
    keep(found, found.candidates().get(1));
    Path file = store.file(found.identity().device());
    Files.writeString(file, Files.readString(file).substring(0, 40));
    Cli.Result r = cli.run("run", "e.yaml", "--out", "out", "--no-certify").expect(3);
    assertTrue(r.err().contains(file.toString()), r.err());
    assertTrue(r.err().contains("starling tune --anew"), r.err());
  }

  @Test
  void tilesMeasuredWithOtherKernelsAreNotUsedAndItIsSaid() throws IOException {
    OpenClDevice.requireIf(true, cli);
    Found found = Found.find();
    EngineIdentity now = found.identity();
    EngineIdentity before =
        new EngineIdentity(
            now.engine(), now.device(), now.driver(), now.platform(), "older", now.settings());
    keep(new Found(before, found.candidates()), found.candidates().get(1));
    Cli.Result r = cli.run("run", "e.yaml", "--out", "out", "--dry-run").expect(0);
    assertTrue(r.err().contains("kernels of another version"), r.err());
    Cli.Result list = cli.run("tune", "--device", "cpu", "--list", "--json").expect(0);
    JsonNode facts = JSON.readTree(list.out());
    assertTrue(facts.get("stale").asString().contains("kernels"), list.out());
    String shipped = facts.get("shipped").get("single").asString();
    assertTrue(shipped.contains(found.candidates().get(0)), shipped);
    assertTrue(facts.get("shipped_tested").asBoolean());
  }

  /** The whole command: every candidate is built and run, and what it chooses is certified. */
  @Test
  @Tag("further-precision")
  void theFastestCandidateIsCertifiedAndKept() throws IOException {
    OpenClDevice.requireIf(true, cli);
    Cli.Result r =
        cli.run(
                "tune",
                "--device",
                "cpu",
                "--precision",
                "single",
                "--d",
                "16",
                "--json",
                "--quiet")
            .expect(0);
    JsonNode entries = JSON.readTree(r.out()).get("entries");
    assertEquals(2, entries.size());
    for (JsonNode e : entries) {
      assertTrue(e.get("tried").size() > 3, e::toString);
      for (JsonNode c : e.get("tried")) {
        assertEquals("", c.get("remark").asString(), c::toString);
      }
    }
    Tuning kept = store.find(Found.find().identity().device()).orElseThrow();
    assertEquals(2, kept.entries().size());
    try (var certificates = Files.list(temp.resolve("home/certificates"))) {
      assertNotEquals(0, certificates.count());
    }
  }

  /** Whatever may be chosen later has been compared with the reference; few dimensions too. */
  @Test
  @Tag("further-precision")
  void everyCandidateIsCertified() throws IOException {
    OpenClDevice.requireIf(true, cli);
    String command = "verify --every-tile --device cpu --precision double --d 3,20 --json --quiet";
    Set<String> large = new TreeSet<>();
    Set<String> small = new TreeSet<>();
    for (String line : cli.run(command.split(" ")).expect(0).out().lines().toList()) {
      JsonNode one = JSON.readTree(line);
      assertTrue(one.get("passed").asBoolean(), line);
      assertTrue(one.get("measurements").asInt() > 50, line);
      assertTrue(one.get("worst_share").asDouble() <= 1, line);
      for (JsonNode d : one.get("d")) {
        (d.asInt() == 3 ? small : large).add(one.get("tiles").asString());
      }
    }
    Found found = Found.find(Precision.DOUBLE);
    assertEquals(new TreeSet<>(found.candidates()), large);
    assertEquals(Set.of(found.identity().settings().get(TileChoices.SETTING)), small);
    Cli.Result none = cli.run("verify", "--every-tile", "--device", "cpu", "--d", "0").expect(2);
    assertTrue(none.err().contains("from 1 to 4096"), none.err());
  }

  @Test
  void whatHasNoTilesIsRefused() {
    Cli.Result java = cli.run("tune", "--device", "java").expect(2);
    assertTrue(java.err().contains("has no tile sizes"), java.err());
    Cli.Result small = cli.run("tune", "--device", "java", "--d", "3").expect(2);
    assertTrue(small.err().contains("from 9 on"), small.err());
  }
}
