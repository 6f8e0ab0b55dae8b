package org.starling.system.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.store.FileStore;
import org.starling.core.store.TrajectoryReader;
import org.starling.system.run.Runs.Case;

/** A process killed at a random moment, on a real disk. */
class KillTest {
  private static final long SEED = 11;

  private static final Case RUN =
      Case.of(1, IntegratorSpec.fixed(Method.EULER, 0.002), OutputTimes.every(0.01), 4);

  /** The run, as a process of its own. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) {
      Runs.start(RUN, often(), FileStore.disk(), Path.of(arguments[0]));
    }
  }

  private static RunControl often() {
    return RunControl.plain().withCheckpointEvery(0.02);
  }

  @Test
  @Timeout(120)
  void aKilledRunGoesOnToTheSameBytes(@TempDir Path temp) throws Exception {
    Path run = temp.resolve(Runs.DIR);
    Random random = new Random(SEED);
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                run.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("log").toFile())
            .start();
    long frames = 5 + random.nextInt(100);
    Path segment = run.resolve("traj").resolve(String.format("%06d.npy", frames / 4));
    while (child.isAlive() && !Files.exists(segment)) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    boolean killed = child.isAlive();
    child.destroyForcibly().waitFor();
    assertTrue(killed, () -> "it ended by itself: " + text(temp.resolve("log")));

    TrajectoryReader left = TrajectoryReader.open(run);
    assertTrue(left.frames() >= frames - 8, left.frames() + " frames left of " + frames);
    assertEquals(0.01 * (left.frames() - 1), left.time(left.frames() - 1), 1e-12);

    RunResult result = Runs.resume(RUN, often(), FileStore.disk(), run);
    assertEquals(Outcome.Kind.COMPLETED, result.outcome().kind());
    LyingFileStore undisturbed = new LyingFileStore();
    Runs.start(RUN, RunControl.plain(), undisturbed, Runs.DIR);
    Runs.assertSame(Runs.results(undisturbed), onDisk(run), "killed, seed " + SEED);
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Map<String, byte[]> onDisk(Path run) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(run)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = run.relativize(file).toString().replace('\\', '/');
        if (List.of("experiment.yaml", "scalars.jsonl", "final.npy").contains(name)
            || name.startsWith("traj/")
            || name.startsWith("observables/")) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
    return files;
  }
}
