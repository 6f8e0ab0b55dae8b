package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Processes that find no OpenCL driver: the way on is said, and nothing is replaced in silence. */
@EnabledOnOs(OS.LINUX)
final class WithoutOpenClTest {
  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    Path none = Files.createDirectory(temp.resolve("no drivers"));
    cli = new Cli(temp).with("OCL_ICD_VENDORS", none.toString());
    cli.write(
        "e.yaml", "model: {beta: 4}\ntokens: {n: 12, d: 3}\nstop: {t: 1}\nobserve: [norms]\n");
  }

  private Cli.Result process(String... args) throws Exception {
    Process p = cli.start(args);
    assertTrue(p.waitFor(120, TimeUnit.SECONDS));
    return new Cli.Result(
        p.exitValue(),
        Files.readString(temp.resolve("process.out")),
        Files.readString(temp.resolve("process.err")));
  }

  @Test
  void autoTakesTheJavaEngineAndSaysWhy() throws Exception {
    Cli.Result r = process("run", "e.yaml", "--out", "out", "--no-figures").expect(0);
    assertTrue(r.err().contains("device: java"), r.err());
    assertTrue(r.err().contains("no usable OpenCL device"), r.err());
    assertTrue(r.err().contains("opencl"), r.err());
    assertTrue(r.out().contains("java"), r.out());
  }

  @Test
  void anOpenClDeviceAskedForIsAnErrorWithTheNextStep() throws Exception {
    for (String device : new String[] {"cpu", "gpu"}) {
      Cli.Result r = process("run", "e.yaml", "--device", device, "--out", "out").expect(3);
      assertTrue(r.err().contains("--device " + device), r.err());
      assertTrue(r.err().contains("--device java"), r.err());
      assertEquals("", r.out());
      assertFalse(Files.exists(temp.resolve("out")));
    }
  }

  @Test
  void doctorExplainsAndStillEndsWell() throws Exception {
    Cli.Result r = process("doctor").expect(0);
    assertTrue(r.out().contains("no driver (ICD) is registered"), r.out());
    assertTrue(r.out().contains("pocl-opencl-icd"), r.out());
    assertTrue(r.out().contains("self-test java"), r.out());
  }
}
