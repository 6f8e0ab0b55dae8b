package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A run whose sums are formed by a series says so, and is compared with the reference. */
final class SeriesRunTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
    OpenClDevice.requireIf(true, cli);
  }

  private Cli.Result run(String mask) throws IOException {
    cli.write(
        "e.yaml",
        "model: {beta: 4, mask: "
            + mask
            + "}\ntokens: {n: 600, d: 3}\nintegrator: {method: heun, dt: 0.1}\nstop: {t: 0.2}\n"
            + "seed: 3\nexecution: {device: cpu, summation: expansion}\n");
    return cli.run("run", "e.yaml", "--out", "run", "--no-figures");
  }

  @Test
  void theSphereIsNamedInTheResult() throws IOException {
    Cli.Result result = run("causal").expect(0);
    assertTrue(result.out().contains("by expansion in spherical harmonics"), result.out());
    JsonNode manifest = JSON.readTree(Files.readString(temp.resolve("run/manifest.json")));
    JsonNode sums = manifest.get("sessions").get(0).get("summation");
    assertEquals("expansion", sums.get("by").asString());
    assertEquals("spherical harmonics", sums.get("basis").asString());
    assertEquals(0, sums.get("rows_by_pairs").asInt());
    assertTrue(result.out().contains("against the reference"), result.out());
  }

  @Test
  void whatHasNoSeriesIsABadExperiment() throws IOException {
    Cli.Result result = run("{window: 9}").expect(2);
    assertTrue(result.err().contains("no fast summation here: a window"), result.err());
  }
}
