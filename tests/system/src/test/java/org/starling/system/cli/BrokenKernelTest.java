package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.kernels.KernelSource;

/** A kernel broken on purpose: the device loses its certificate, and a run on it is refused. */
final class BrokenKernelTest {
  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    OpenClDevice.requireIf(true, cli);
    cli.write(
        "e.yaml",
        "model: {beta: 4, mask: causal}\ntokens: {n: 12, d: 3}\nstop: {t: 1}\n"
            + "observe: [norms]\nexecution: {device: cpu}\n");
  }

  @AfterEach
  void tearDown() {
    System.clearProperty(KernelSource.FOLDER_PROPERTY);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "combine.cl | sum = COMBINED(sum, at, count, c); | sum.x += 1e-4f * sum.x; | combine",
        "small_rows.cl | y[c] -= ratio * x[c]; | y[c] -= 0.999f * ratio * x[c];"
            + " | velocity sphere"
      })
  void isFoundBeforeARun(String file, String right, String wrong, String operation)
      throws IOException {
    String text;
    try (InputStream in = KernelSource.class.getResourceAsStream(file)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String broken = text.replace(right, wrong);
    assertTrue(!broken.equals(text), "the line to break is still in " + file);
    Path kernels = Files.createDirectory(temp.resolve("kernels"));
    Files.writeString(kernels.resolve(file), broken);

    System.setProperty(KernelSource.FOLDER_PROPERTY, kernels.toString());
    Cli.Result r = cli.run("run", "e.yaml", "--out", "out", "--no-figures").expect(3);
    assertTrue(r.err().contains("computes wrongly"), r.err());
    assertTrue(r.err().contains(operation), r.err());
    assertEquals("", r.out());
    assertTrue(Files.notExists(temp.resolve("out")), "nothing is left behind");

    System.clearProperty(KernelSource.FOLDER_PROPERTY);
    cli.run("run", "e.yaml", "--out", "out", "--quiet", "--no-figures").expect(0);
  }
}
