package org.starling.system.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.experiment.Claim;
import org.starling.core.experiment.ClaimRun;
import org.starling.core.experiment.ExperimentException;
import org.starling.core.experiment.ExperimentFile;

/** Reading the block {@code claim}, and the runs that it makes of an experiment. */
class ClaimTest {
  private static final String PLAIN =
      "model: {beta: 2}\ntokens: {n: 8, d: 2}\nstop: {t: 10}\nsweep: {seed: {range: [0, 5]}}\n";
  private static final String CLAIM =
      PLAIN
          + "claim:\n"
          + "  title: A title\n"
          + "  source: A paper, Theorem 1\n"
          + "  statement: Something.\n"
          + "  verdict:\n"
          + "    - {quantity: spread, at: end, at-most: 0.5, over: {at-least: 0.9}}\n"
          + "  control: {what: Another beta, set: {model.beta: 7, model.mask: causal}}\n"
          + "  quick: {set: {stop.t: 3, sweep.seed.range: [0, 2]}}\n"
          + "  figures: [tokens]\n";

  private static ExperimentFile read(String yaml, ClaimRun run, String... overrides) {
    return ExperimentFile.parse("c.yaml", yaml, Path.of("/"), List.of(overrides), run);
  }

  @Test
  void aClaimChangesNothingInTheRun() {
    ExperimentFile with = read(CLAIM, ClaimRun.MAIN);
    assertEquals(read(PLAIN, ClaimRun.MAIN).resolve().id(), with.resolve().id());
    assertNull(read(PLAIN, ClaimRun.MAIN).claim());
    Claim.Item item = with.claim().verdict().get(0);
    assertEquals("spread", item.quantity().text());
    assertEquals(Double.NEGATIVE_INFINITY, item.low());
    assertEquals(0.5, item.high());
    assertEquals(new Claim.Over.Each(0.9), item.over());
  }

  @Test
  void quickSettingsYieldToTheCommandLineAndTheControlToNothing() {
    ExperimentFile quick = read(CLAIM, new ClaimRun("run", true), "stop.t=4", "model.beta=3");
    assertEquals(4, quick.experiment().stop().t());
    assertEquals(2, quick.experiment().replicas());
    assertEquals(3, quick.experiment().model().beta());
    ExperimentFile control = read(CLAIM, new ClaimRun("control", false), "model.beta=3");
    assertEquals(7, control.experiment().model().beta());
    assertTrue(control.experiment().model().mask().causal());
    assertEquals(5, control.experiment().replicas());
    assertNotEquals(quick.resolve().id(), control.resolve().id());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "spread, at: end  | spred, at: end | c.yaml:10:18: claim.verdict[0].quantity must be one of",
        "spread, at: end  | spred, at: end | did you mean spread?",
        "spread, at: end  | {clusters: {radius: 1}} | unknown key"
            + " claim.verdict[0].quantity.clusters.radius",
        "spread, at: end  | spread, at: last | claim.verdict[0].at must be one of start, end",
        "spread, at: end  | spread, at: {rate: [3, 1]} | must be two numbers [a, b] with a < b",
        "at-most: 0.5,    | at-most: 0.5, at-least: 0, | must have one of equals, at-most",
        "at-most: 0.5,    | at-most: 0.5, tolerance: 1, | claim.verdict[0].tolerance belongs to",
        "{at-least: 0.9}  | {at-least: 1.5} | is a fraction of the seeds, at most 1",
        "title: A title   | titel: A title | c.yaml:6:3: unknown key claim.titel; did you mean title",
        "title: A title   | titel: A title | claim.title is missing",
        "[tokens]         | [curve] | curve needs a quantity",
        "[tokens]         | [{tokens: {run: other}}] | claim.figures[0].tokens.run must be one of",
        "model.mask: caus | model.msk: caus | c.yaml:11:65: unknown key model.msk; did you mean mask",
      })
  void saysWhatIsWrongAndWhere(String good, String bad, String message) {
    String yaml = CLAIM.replace(good.strip(), bad.strip());
    assertNotEquals(CLAIM, yaml);
    ClaimRun run = new ClaimRun(good.startsWith("model") ? "control" : "run", false);
    ExperimentException e = assertThrows(ExperimentException.class, () -> read(yaml, run));
    assertTrue(e.getMessage().contains(message.strip()), e.getMessage());
  }
}
