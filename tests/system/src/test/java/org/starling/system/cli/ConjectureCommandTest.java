package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.experiment.ExperimentFile;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code starling conjecture}: agreement is counted, and counter-examples are found. */
class ConjectureCommandTest {
  private static final Path BUNDLED =
      Path.of(System.getProperty("starling.root"), "host", "app", "examples", "conjectures");

  /** At beta = 9 tokens go to both poles of V; Q and K of some seeds leave all at one. */
  private static final String POLES =
      String.join(
          "\n",
          "model: {geometry: sphere, mask: causal, beta: 9, V: {diag: [1, 0.5, 0.2]}}",
          "tokens: {n: 8, d: 3, init: uniform-sphere}",
          "integrator: {method: rk4, dt: 0.1}",
          "stop: {t: 40}",
          "save: {every: 10, trajectory: true}",
          "sweep: {seed: {range: [0, 4]}}",
          "execution: {device: reference, precision: double}",
          "claim:",
          "  title: A test",
          "  source: None",
          "  statement: Something.",
          "  verdict: [{quantity: %s}]",
          "  control: {what: A cloud, set: {model.V: {diag: [-1, -2, -3]}}}",
          "  figures: [{curve: {quantity: poles}}]",
          "");

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
  }

  private static JsonNode json(Cli.Result result) {
    return JsonMapper.builder().build().readTree(result.out());
  }

  @Test
  void everyBundledConjectureResolves() throws IOException {
    long listed = cli.run("conjecture", "--list", "--json").expect(0).out().lines().count();
    long files = 0;
    try (Stream<Path> all = Files.list(BUNDLED)) {
      for (Path file : all.filter(f -> f.toString().endsWith(".yaml")).toList()) {
        files++;
        assertTrue(ExperimentFile.read(file, java.util.List.of()).claim() != null, file.toString());
      }
    }
    assertEquals(files, listed, "files and the entries of index.txt");
  }

  @Test
  void aWrongConjectureIsRefutedByExperimentsThatCanBeRun() throws IOException {
    cli.write("wrong.yaml", POLES.formatted("poles, equals: 1"));
    String[] command = {"conjecture", "wrong.yaml", "--seeds", "6", "--out", "w", "--json"};
    JsonNode first = json(cli.run(command).expect(4));
    assertEquals("counter-examples", first.path("outcome").asString());
    assertEquals("seeds 0 to 5", first.path("seeds").asString());
    JsonNode run = first.path("parts").path(0);
    assertEquals(
        6,
        run.path("agree").asInt() + run.path("candidates").asInt() + run.path("undecided").asInt());
    JsonNode candidate = run.path("looked_at_again").path(0);
    assertEquals(2, candidate.path("measured_again").asDouble());

    // The file alone is that replica of the second look, at half the step and four times as long.
    Path file = Path.of(candidate.path("file").asString());
    ExperimentFile alone = ExperimentFile.read(file, java.util.List.of());
    assertEquals(0.05, alone.experiment().integrator().dt());
    assertEquals(160, alone.experiment().stop().t());
    assertEquals(candidate.path("seed").asLong(), alone.experiment().seed());
    cli.run("run", file.toString(), "--out", "alone", "--no-figures", "--quiet").expect(0);
    double[] all = Npy.read(cli.path("w/again-run/final.npy")).doubles();
    double[] one = Npy.read(cli.path("alone/final.npy")).doubles();
    assertEquals(Arrays.toString(one), Arrays.toString(Arrays.copyOf(all, one.length)));

    for (String made : new String[] {"report.md", "conjecture.json", "figures/counts.png"}) {
      assertTrue(Files.size(cli.path("w/" + made)) > 0, made);
    }
    Object when = Files.getLastModifiedTime(cli.path("w/again-run/final.npy"));
    cli.run(command).expect(4);
    assertEquals(
        when, Files.getLastModifiedTime(cli.path("w/again-run/final.npy")), "computed again");
  }

  @Test
  void agreementIsCountedWithinTheHypothesesOnly() throws IOException {
    String file = POLES.formatted("opposite-defect, at-most: 1e-6");
    cli.write(
        "right.yaml",
        file.replace(
                "  verdict:",
                "  given: [{quantity: leading-eigenvalue, at: start, at-least: 0.3},"
                    + " {quantity: spectral-gap, at: start, at-least: 0.3}]\n  verdict:")
            .replace("V: {diag: [1, 0.5, 0.2]}", "V: gaussian"));
    JsonNode parts =
        json(cli.run("conjecture", "right.yaml", "--seeds", "10", "--out", "r", "--json").expect(0))
            .path("parts");
    JsonNode run = parts.path(0);
    assertNotEquals(0, run.path("outside").asInt());
    assertNotEquals(0, run.path("agree").asInt());
    assertEquals(0, run.path("candidates").asInt());
    assertNotEquals(0, parts.path(1).path("candidates").asInt(), "the control");
  }

  @Test
  void aControlThatAgreesMakesTheTestBlunt() throws IOException {
    cli.write("blunt.yaml", POLES.formatted("smallest-distance, at-most: 3"));
    JsonNode verdict = json(cli.run("conjecture", "blunt.yaml", "--out", "b", "--json").expect(4));
    assertEquals("blunt", verdict.path("outcome").asString());
  }

  @Test
  void saysWhatItCannotTest() throws IOException {
    cli.write("plain.yaml", "tokens: {n: 4, d: 2}\nstop: {t: 1}\n");
    assertTrue(cli.run("conjecture", "plain.yaml").expect(2).err().contains("has no claim: block"));
    assertTrue(cli.run("conjecture").expect(2).err().contains("--list"));
    cli.write("all.yaml", POLES.formatted("poles, over: mean, equals: 1"));
    assertTrue(
        cli.run("conjecture", "all.yaml", "--out", "a").expect(2).err().contains("seed by seed"));
  }
}
