package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that differ are measured and computed in single precision, at betas of every size. */
@Tag("kernels")
final class KeyedRunTest {
  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
    OpenClDevice.requireIf(true, cli);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mask: [causal, {alibi: [0.1, 0.2]}]}\ntokens: {n: 40, d: 3}",
        "mask: causal, V: goe, sink: {score: 1}}\ntokens: {n: 40, d: 3, weights: [2, 3]}",
      })
  void theDeviceIsMeasuredAndTheRunEnds(String keys) throws IOException {
    cli.write(
        "e.yaml",
        "model: {beta: 9, "
            + keys
            + "\nintegrator: {method: heun, dt: 0.1}\nstop: {t: 0.2}\nseed: 3\n"
            + "execution: {device: cpu, precision: single}\n");
    Cli.Result result = cli.run("run", "e.yaml", "--out", "run", "--no-figures").expect(0);
    assertTrue(result.out().contains("against the reference"), result.out());
  }
}
