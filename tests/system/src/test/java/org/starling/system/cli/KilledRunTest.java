package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run that is killed, and a run that is asked to end, go on to the bytes of an undisturbed one.
 */
@DisabledOnOs(OS.WINDOWS)
final class KilledRunTest {
  private static final String EXPERIMENT =
      "model: {beta: 2, mask: causal}\ntokens: {n: 12, d: 2}\nstop: {t: 100}\n"
          + "integrator: {method: rk4, dt: 0.01}\nsave: {every: 0.5}\ncheck: none\n"
          + "execution: {device: java, checkpoint_every: 0.02}\n";

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    cli.write("e.yaml", EXPERIMENT);
  }

  private Process startAndWaitForCheckpoint() throws Exception {
    Process p = cli.start("run", "e.yaml", "--out", "cut", "--no-certify", "--no-figures");
    Path checkpoints = temp.resolve("cut/checkpoint");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (p.isAlive() && System.nanoTime() < end) {
      if (Files.isDirectory(checkpoints)) {
        try (var list = Files.list(checkpoints)) {
          if (list.findAny().isPresent()) {
            break;
          }
        }
      }
      Thread.sleep(5);
    }
    return p;
  }

  private void resumeAndCompare() throws IOException {
    cli.run("resume", "cut", "--no-certify", "--quiet", "--no-figures").expect(0);
    cli.run("run", "e.yaml", "--out", "whole", "--no-certify", "--quiet", "--no-figures").expect(0);
    assertEquals(Cli.promised(temp.resolve("whole")), Cli.promised(temp.resolve("cut")));
  }

  @RepeatedTest(value = 2, name = "seed {currentRepetition}")
  void killedAtARandomMoment(RepetitionInfo repetition) throws Exception {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    Process p = startAndWaitForCheckpoint();
    Thread.sleep(random.nextInt(150));
    p.destroyForcibly();
    assertTrue(p.waitFor(60, TimeUnit.SECONDS));
    assertEquals(137, p.exitValue(), () -> "killed before its end: " + errors());
    resumeAndCompare();
  }

  @Test
  void aSignalLeadsToACheckpointAndExitCode75() throws Exception {
    Process p = startAndWaitForCheckpoint();
    p.destroy();
    assertTrue(p.waitFor(60, TimeUnit.SECONDS));
    assertEquals(75, p.exitValue(), this::errors);
    assertTrue(errors().contains("resume"), errors());
    resumeAndCompare();
  }

  private String errors() {
    try {
      return Files.readString(temp.resolve("process.err"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
