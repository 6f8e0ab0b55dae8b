package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where the papers' statements must not hold, beyond the controls of the catalogue: each case is an
 * entry with one hypothesis taken away, by the must-fail list of the notes on its paper. A few are
 * run always; the others, and the catalogue as a whole, with {@code -Plong}.
 */
class MustFailTest {
  @TempDir Path temp;

  private void mustNotHold(String entry, String seeds, String changes) {
    List<String> command =
        new ArrayList<>(
            List.of("reproduce", entry, "--quick", "--json", "--quiet", "--device", "reference"));
    command.addAll(List.of("--out", "e"));
    if (!seeds.isEmpty()) {
      command.addAll(List.of("--set", "sweep.seed.range=" + seeds));
    }
    for (String change : changes.split(" & ")) {
      command.addAll(List.of("--set", change));
    }
    Cli.Result result = new Cli(temp).run(command.toArray(String[]::new)).expect(4);
    JsonNode run = JsonMapper.builder().build().readTree(result.out()).path("runs").path(0);
    assertEquals("run", run.path("run").asString());
    assertNotEquals("holds", run.path("verdict").asString(), result.out());
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        // Theorem 4.1 needs V = I: V = -I drives tokens apart.
        "collapse-to-first | [0, 1] | model.V={scale: -1}",
        // ... and almost every start: an antipodal pair stays.
        "two-tokens | | tokens.init.angles=[0, 3.141592653589793]",
        // An equiangular start stays equiangular under the full mask alone.
        "equiangular | | model.mask=causal",
        // A polytope needs V = I and Q^T K positive definite.
        "polytope | [0, 1] | model.Q={scale: -1}",
        // With V < 0 attention becomes uniform.
        "low-rank-attention | [0, 2] | model.V={scale: -1}",
      })
  void aHypothesisLess(String entry, String seeds, String changes) {
    mustNotHold(entry, seeds == null ? "" : seeds, changes);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @Tag("catalogue")
  @CsvSource(
      delimiter = '|',
      value = {
        "collapse-rates | [0, 3] | model.V={diag: [1, 1, 0.5]}",
        "polytope | [0, 2] | model.V={scale: -1}",
        "hyperplanes | [0, 3] | model.Q={scale: -1}",
        "principal-plane | [0, 3] | model.V={diag: [1, 0.5, 0.2]}",
        "poles | [0, 3] | model.beta=0.3",
        "negative-v | [0, 2] | model.V=identity",
        "repulsive | [0, 2] | model.V=identity & stop.t=5",
        "window-delay | | model.mask=causal",
        "multiscale-merging | | model.beta=5",
      })
  void anotherHypothesisLess(String entry, String seeds, String changes) {
    mustNotHold(entry, seeds == null ? "" : seeds, changes);
  }

  /** Every verdict as expected, every control failing as it must. */
  @Test
  @Tag("catalogue")
  void theWholeCatalogueIsAsExpected() {
    Cli.Result result =
        new Cli(temp).run("reproduce", "--all", "--quick", "--quiet", "--out", "all");
    assertEquals(0, result.exit(), result.out() + result.err());
  }
}
