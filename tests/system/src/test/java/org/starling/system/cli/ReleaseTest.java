package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.store.Npy;

/** The real start script with the real jar beside it, as in an unpacked release. */
@DisabledOnOs(OS.WINDOWS)
final class ReleaseTest {
  @TempDir Path temp;
  private Path release;

  @BeforeEach
  void unpack() throws Exception {
    Path root = Path.of(System.getProperty("starling.root"));
    Path jar = root.resolve("host/app/target/starling.jar");
    assumeTrue(Files.exists(jar), "the jar is there from the phase package on");
    release = Files.createDirectory(temp.resolve("a release"));
    Files.copy(jar, release.resolve("starling.jar"));
    Files.copy(root.resolve("starling"), release.resolve("starling"));
    assertTrue(release.resolve("starling").toFile().setExecutable(true));
  }

  private Cli.Result starling(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(release.resolve("starling").toString());
    command.addAll(Arrays.asList(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(temp.toFile());
    builder.environment().put("STARLING_HOME", temp.resolve("home").toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectOutput(temp.resolve("out").toFile());
    builder.redirectError(temp.resolve("err").toFile());
    Process p = builder.start();
    assertTrue(p.waitFor(120, TimeUnit.SECONDS));
    return new Cli.Result(
        p.exitValue(),
        Files.readString(temp.resolve("out")),
        Files.readString(temp.resolve("err")));
  }

  @Test
  void aBundledExperimentIsFoundInTheJar() throws Exception {
    starling("velocity", "from-arrays", "--device", "reference", "--out", "v.npy").expect(0);
    assertEquals(24 * 4, Npy.read(temp.resolve("v.npy")).size());
    Cli.Result r = starling("run", "from-arrays", "--device", "java", "--no-figures").expect(0);
    assertTrue(r.out().contains("Reached t = 3.0"), r.out());
  }

  @Test
  void exitCodesPassThroughTheScript() throws Exception {
    Files.writeString(temp.resolve("e.yaml"), "tokens: {n: 3, d: 2}\nstop: {tt: 1}\n");
    Cli.Result bad = starling("run", "e.yaml").expect(2);
    assertTrue(bad.err().contains("e.yaml:2:8"), bad.err());
    assertEquals("", bad.out());
    starling("run", "causal-clusters", "--device", "tornado").expect(3);
    Cli.Result version = starling("--version").expect(0);
    assertTrue(version.out().startsWith("starling "), version.out());
    assertTrue(starling("schema").expect(0).out().startsWith("{"));
  }
}
