package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is said about an experiment before it is run. */
final class PredictCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
  }

  @Test
  void aBundledExperimentByName() {
    Cli.Result r = cli.run("predict", "causal-clusters").expect(0);
    String text = r.out();
    assertTrue(text.startsWith("512 tokens, d = 3, sphere, causal attention"), text);
    int applies = text.indexOf("applies");
    int not = text.indexOf("does not apply");
    int collapse = text.indexOf("causal-collapse: ");
    int strong = text.indexOf("strong-centres: ");
    assertTrue(applies < collapse && collapse < not && not < strong, text);
    assertTrue(text.contains("holds V = lambda I with lambda > 0 [V = I]"), text);
    assertTrue(text.contains("fails d = 2 [d = 3]"), text);
    assertTrue(text.contains("=> rate: last phase"), text);
    assertTrue(text.contains("about other models: single-cluster"), text);
    assertFalse(Files.exists(temp.resolve("runs")), "nothing is run");
    assertEquals("", r.err());
  }

  @Test
  void theCommandLineChangesTheVerdict() {
    JsonNode before = statement("polytope", "predict", "rescaled-polytope", "--json");
    assertEquals("holds", before.get("applies").asString());
    assertTrue(before.get("predictions").size() >= 3, before::toString);
    JsonNode after =
        statement("polytope", "predict", "rescaled-polytope", "--json", "--set", "model.beta=-1");
    assertEquals("fails", after.get("applies").asString());
    assertEquals(0, after.get("predictions").size());
    boolean named = false;
    for (JsonNode h : after.get("hypotheses")) {
      named |=
          h.get("answer").asString().equals("fails") && h.get("measured").asString().contains("-1");
    }
    assertTrue(named, after::toString);
  }

  private JsonNode statement(String name, String... command) {
    JsonNode all = JSON.readTree(cli.run(command).expect(0).out());
    assertEquals("starling-predict/1", all.get("format").asString());
    for (JsonNode s : all.get("statements")) {
      if (s.get("name").asString().equals(name)) {
        return s;
      }
    }
    throw new AssertionError(all.toString());
  }

  @Test
  void oneStatementWithAllItsHypotheses() {
    Cli.Result r = cli.run("predict", "euclidean", "--only", "polytope").expect(0);
    assertTrue(r.out().contains("holds softmax weights"), r.out());
    assertTrue(r.out().contains("fails V = lambda I with lambda > 0 [V = -I]"), r.out());
    assertFalse(r.out().contains("collapse-to-origin"), r.out());
    Cli.Result unknown = cli.run("predict", "euclidean", "--only", "polytop").expect(2);
    assertTrue(unknown.err().contains("Known: causal-collapse"), unknown.err());
  }

  @Test
  void ofASweepItSpeaksAboutTheFirstReplica() {
    Cli.Result r = cli.run("predict", "phase-diagram").expect(0);
    assertTrue(r.out().contains("the first of its 600 replicas"), r.out());
    cli.run("predict", "no-such-experiment").expect(2);
  }
}
