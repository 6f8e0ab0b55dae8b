package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;

/** What a person gets wrong: exit code 2 with the place and the reason, and nothing left behind. */
final class BadInputTest {
  private static final String GOOD =
      "model: {beta: 2}\ntokens: {n: 6, d: 3}\nstop: {t: 1}\nexecution: {device: java}\n";

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
  }

  private String refused(String... args) {
    Cli.Result r = cli.run(args).expect(2);
    assertEquals("", r.out());
    assertFalse(r.err().contains("\tat "), "no stack trace: " + r.err());
    assertFalse(Files.exists(temp.resolve("runs")), "nothing is left behind");
    return r.err();
  }

  private static void contains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), "\"" + part + "\" in: " + text);
    }
  }

  @Test
  void anUnknownKeyHasItsPlaceAndASuggestion() throws IOException {
    cli.write(
        "e.yaml", "model:\n  geometry: sphere\n  betta: 4\ntokens: {n: 6, d: 3}\nstop: {t: 1}\n");
    contains(refused("run", "e.yaml"), "e.yaml:3:3", "betta", "did you mean beta");
  }

  @Test
  void aNegativeNumberOfTokensHasItsPlace() throws IOException {
    cli.write("e.yaml", "tokens:\n  n: -4\n  d: 3\nstop: {t: 1}\n");
    contains(refused("run", "e.yaml"), "e.yaml:2:6", "tokens.n");
  }

  @Test
  void anOverrideIsNamedAsThePlace() throws IOException {
    cli.write("e.yaml", GOOD);
    contains(refused("run", "e.yaml", "--set", "tokens.n=-1"), "--set tokens.n=-1");
  }

  @Test
  void aMatrixOfTheWrongShapeIsToldWithBothShapes() throws IOException {
    Npy.write(temp.resolve("V.npy"), ElementType.FLOAT64, new double[8], 2, 4);
    cli.write("e.yaml", GOOD.replace("beta: 2", "beta: 2, V: {file: V.npy}"));
    contains(refused("run", "e.yaml"), "e.yaml:1:", "V.npy", "[2][4]", "[3][3]");
  }

  @Test
  void aNaNInAFileIsFound() throws IOException {
    double[] x = new double[18];
    Arrays.fill(x, 1 / Math.sqrt(3));
    x[7] = Double.NaN;
    Npy.write(temp.resolve("x0.npy"), ElementType.FLOAT64, x, 6, 3);
    cli.write("e.yaml", GOOD.replace("n: 6, d: 3", "init: {file: x0.npy}"));
    contains(refused("run", "e.yaml"), "e.yaml:2:", "x0.npy", "NaN");
  }

  @Test
  void aTruncatedFileIsFound() throws IOException {
    Path x = temp.resolve("x0.npy");
    Npy.write(x, ElementType.FLOAT64, new double[18], 6, 3);
    byte[] whole = Files.readAllBytes(x);
    Files.write(x, Arrays.copyOf(whole, whole.length - 5));
    cli.write("e.yaml", GOOD.replace("n: 6, d: 3", "init: {file: x0.npy}"));
    contains(refused("run", "e.yaml"), "e.yaml:2:", "x0.npy");
  }

  @Test
  void aMissingExperimentListsTheBundledOnes() {
    contains(refused("run", "no-such"), "no-such", "causal-clusters");
    contains(refused("run", "no/such.yaml"), "no/such.yaml", "no such file");
  }

  @Test
  void aFolderInPlaceOfAnExperimentIsRefused() throws IOException {
    Files.createDirectory(temp.resolve("folder"));
    contains(refused("run", "folder"), "folder", "directory");
  }

  @Test
  void tooManyTokensAreRefusedWithTheLargestNumberThatFits() throws IOException {
    cli.write("e.yaml", GOOD);
    String text = refused("velocity", "e.yaml", "--set", "tokens.n=500000000", "--out", "v.npy");
    contains(text, "tokens.n = 500000000", "does not fit on java", "limit", "largest n that fits");
  }

  @Test
  void theHeapIsCountedWhateverTheDevice() throws Exception {
    cli.write("e.yaml", GOOD.replace("d: 3", "d: 1000"));
    Cli small = cli.with("JAVA_TOOL_OPTIONS", "-Xmx64m");
    for (String n : new String[] {"5000", "200000"}) {
      Process p = small.start("run", "e.yaml", "--set", "tokens.n=" + n, "--out", "none");
      assertTrue(p.waitFor(60, TimeUnit.SECONDS));
      assertEquals(2, p.exitValue(), () -> n + ": " + errors());
      contains(errors(), "tokens.n = " + n, "does not fit on java", "largest n that fits");
    }
    assertFalse(Files.exists(temp.resolve("none")));
  }

  private String errors() {
    try {
      return Files.readString(temp.resolve("process.err"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void noNumberOfTokensIsTooLargeForAnAnswer() throws IOException {
    cli.write("e.yaml", GOOD);
    contains(
        refused("run", "e.yaml", "--set", "tokens.n=2000000000"),
        "tokens.n = 2000000000",
        "largest n that fits");
    contains(
        refused("run", "e.yaml", "--set", "tokens.replicas=2000000000"),
        "2000000000 replicas",
        "Not even n = 1 fits",
        "make d or replicas smaller");
  }

  @Test
  void moreSavesThanAnyoneWantsAreRefused() throws IOException {
    cli.write("e.yaml", GOOD + "save:\n  every: 1e-9\n");
    contains(refused("run", "e.yaml"), "e.yaml:6:10", "save.every", "save less often");
    cli.write("e.yaml", GOOD + "save: {log: {from: 0.1, count: 2000000000}}\n");
    contains(refused("run", "e.yaml"), "e.yaml:5:", "save.log.count", "10000000");
  }

  @Test
  void aBetaBeyondFloat32IsRefusedInIt() throws IOException {
    cli.write("e.yaml", GOOD.replace("beta: 2", "beta: 1e300"));
    contains(refused("run", "e.yaml"), "1.0E300", "--precision double", "hardmax");
    cli.run("run", "e.yaml", "--precision", "double", "--out", "d", "--quiet", "--no-certify")
        .expect(0);
  }

  /** What a user's class does wrong is the user's to mend, and nobody waits for it for ever. */
  @Test
  void anInteractionThatFailsIsNamedWithItsTokens() throws Exception {
    String[] bodies = {
      "throw new IllegalStateException(\"boom\")", "throw new Error(\"boom\")", "return 0 / 0.0"
    };
    for (String body : bodies) {
      cli.write(
          "Mine.java",
          "public class Mine { public static double score(double[] q, int a, double[] k, int b,"
              + " int m, int i, int j, double beta) { if (i == 3 && j == 4) { "
              + body
              + "; } return 0; } }");
      cli.write(
          "e.yaml",
          GOOD.replace("beta: 2", "beta: 2, interaction: {class: Mine, classpath: Mine.java}")
              + "observe: [inner-products]\n");
      for (String certify : new String[] {"--no-figures", "--no-certify"}) {
        Process p = cli.start("run", "e.yaml", certify, "--out", "mine", "--force");
        assertTrue(p.waitFor(60, TimeUnit.SECONDS), body);
        assertEquals(2, p.exitValue(), () -> body + ": " + errors());
        contains(errors(), "Mine.score", "tokens 3, 4", body.contains("boom") ? "boom" : "NaN");
        assertFalse(errors().contains("unforeseen"), errors());
      }
    }
  }

  @Test
  void oneSlipIsToldOnce() throws IOException {
    cli.write("e.yaml", GOOD + "integrator: {rtol: -1}\n");
    String text = refused("run", "e.yaml");
    contains(text, "e.yaml:5:", "rtol", "-1");
    assertEquals(1, text.lines().count(), text);
    cli.write("e.yaml", GOOD.replace("beta: 2", "mask: []"));
    contains(refused("run", "e.yaml"), "e.yaml:1:", "model.mask", "empty list");
  }

  @Test
  void aFileInPlaceOfTheRunsDirectoryIsRefused() throws IOException {
    cli.write("e.yaml", GOOD);
    cli.write("taken", "precious");
    contains(refused("run", "e.yaml", "--out", "taken"), "taken", "is a file", "another directory");
    contains(refused("run", "e.yaml", "--out", "taken/in"), "taken", "is a file");
    assertEquals("precious", Files.readString(temp.resolve("taken")));
  }

  @Test
  void whatTheEngineCannotDoIsRefusedWithTheReason() {
    contains(
        refused("run", "e.yaml", "--set", "observe=[energy]", "--set", "model.geometry=euclidean"),
        "e.yaml");
  }

  @Test
  void energyWithoutASphereIsRefused() throws IOException {
    cli.write(
        "e.yaml",
        "model: {geometry: euclidean}\ntokens: {n: 6, d: 3}\nstop: {t: 1}\nobserve: [energy]\n");
    contains(refused("run", "e.yaml", "--device", "java"), "energy", "sphere");
  }

  @Test
  void anUnknownCommandAndAnUnknownOptionAreUsageErrors() {
    contains(refused("rnu"), "no command rnu", "starling --help");
    contains(refused("devices", "--frob"), "--frob", "starling devices --help");
    contains(refused("velocity", "causal-clusters"), "--out");
  }

  @Test
  void aDeviceThatIsWrittenWrongIsAUsageError() {
    contains(refused("run", "causal-clusters", "--device", "opencl:x"), "opencl:P:D");
  }

  @Test
  void aDeviceThatIsNotThereIsAnEnvironmentError() {
    Cli.Result r = cli.run("run", "causal-clusters", "--device", "no such name").expect(3);
    contains(r.err(), "--device no such name", "java");
    Cli.Result t = cli.with("STARLING_DEVICE", "tornado").run("run", "causal-clusters").expect(3);
    contains(t.err(), "STARLING_DEVICE tornado", "not part of this build");
  }

  @Test
  void resumeOfSomethingElseIsRefused() throws IOException {
    Files.createDirectory(temp.resolve("folder"));
    contains(refused("resume", "folder"), "folder", "experiment.yaml");
    contains(refused("extend", "folder", "--t", "5"), "folder");
  }

  @Test
  void aBadWalltimeIsAUsageError() throws IOException {
    cli.write("e.yaml", GOOD);
    contains(refused("run", "e.yaml", "--walltime", "soon"), "--walltime soon", "30m");
  }
}
