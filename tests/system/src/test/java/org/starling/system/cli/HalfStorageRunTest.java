package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.app.Interruption;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs whose keys and values are kept as half, from a person's side. */
final class HalfStorageRunTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String EXPERIMENT =
      "model: {beta: 4}\ntokens: {n: 30, d: 12}\nintegrator: {method: rk4, dt: 0.25}\n"
          + "stop: {t: 1}\nseed: 3\ncheck: {every: 2, rows: 5}\n"
          + "execution: {device: cpu, storage: half}\n";

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    cli.write("e.yaml", EXPERIMENT);
    OpenClDevice.requireIf(true, cli);
  }

  private JsonNode manifest(String run) throws IOException {
    return JSON.readTree(Files.readString(temp.resolve(run).resolve("manifest.json")));
  }

  @Test
  void theErrorOfHalfStorageIsMeasuredAndStated() throws IOException {
    Cli.Result r = cli.run("run", "e.yaml", "--out", "h", "--no-figures").expect(0);
    assertTrue(r.out().contains("keys and values as half; error of half storage: median"), r.out());
    JsonNode m = manifest("h");
    assertEquals("half", m.get("engine").get("settings").get("storage").asString());
    JsonNode met = m.get("sessions").get(0).get("error_of_half_storage");
    assertTrue(met.get("rows").asInt() >= 10, met::toString);
    for (JsonNode error : new JsonNode[] {met, m.get("certificate").get("error_of_half_storage")}) {
      double median = error.get("median").asDouble();
      assertTrue(median > 1e-5 && median < 0.1, error::toString);
      assertTrue(error.get("worst").asDouble() >= median, error::toString);
    }
    Cli.Result other = cli.run("run", "e.yaml", "--out", "h", "--storage", "full").expect(2);
    assertTrue(other.err().contains("finished with storage half"), other.err());
  }

  @Test
  void aRunKeepsItsStorage() throws IOException {
    Interruption at = new Interruption();
    at.honour().stop("a test asked for it");
    String[] begin = {"run", "e.yaml", "--out", "cut", "--no-figures", "--no-certify", "--quiet"};
    new Cli(temp).with(at).run(begin).expect(75);
    Path experiment = temp.resolve("cut/experiment.yaml");
    String text = Files.readString(experiment);
    assertTrue(text.contains("storage: half"), text);
    Files.writeString(experiment, text.replace("storage: half", "storage: full"));
    Cli.Result changed = cli.run("resume", "cut", "--no-certify", "--quiet").expect(2);
    assertTrue(changed.err().contains("storage = half"), changed.err());
    Files.writeString(experiment, text);
    cli.run("resume", "cut", "--no-certify", "--no-figures", "--quiet").expect(0);
    begin[3] = "whole";
    cli.run(begin).expect(0);
    assertEquals(Cli.promised(temp.resolve("whole")), Cli.promised(temp.resolve("cut")));
  }

  @Test
  void coordinatesThatHalfCannotHoldAreNamedAsTheCause() throws IOException {
    cli.write(
        "far.yaml",
        EXPERIMENT
            .replace("{beta: 4}", "{beta: 0, geometry: euclidean}")
            .replace("d: 12}", "d: 12, init: {uniform-cube: 1e6}}"));
    String[] run = {"run", "far.yaml", "--out", "o", "--no-certify", "--no-figures", "--quiet"};
    Cli.Result checked = cli.run(run).expect(4);
    assertTrue(checked.err().contains("kept as half reach to 65504"), checked.err());
    cli.write(
        "far.yaml",
        Files.readString(temp.resolve("far.yaml")).replace("{every: 2, rows: 5}", "none"));
    run[3] = "unchecked";
    Cli.Result unchecked = cli.run(run).expect(4);
    assertTrue(unchecked.err().contains("became non-finite"), unchecked.err());
    assertTrue(unchecked.err().contains("beyond 65504"), unchecked.err());
    Cli.Result field = cli.run("velocity", "far.yaml", "--out", "v.npy").expect(4);
    assertTrue(field.err().contains("beyond 65504"), field.err());
  }

  @Test
  void enginesWithoutItSayWhy() {
    for (String device : new String[] {"java", "reference"}) {
      Cli.Result r = cli.run("run", "e.yaml", "--out", "o", "--device", device).expect(2);
      assertTrue(r.err().contains("leave execution.storage out"), r.err());
    }
    Cli.Result few = cli.run("run", "e.yaml", "--out", "o", "--set", "tokens.d=3").expect(2);
    assertTrue(few.err().contains("d <= 8"), few.err());
  }
}
