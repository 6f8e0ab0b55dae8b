package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.app.Interruption;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands that compute, from a person's side. */
final class RunCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SMALL =
      "model: {beta: 4, mask: causal}\ntokens: {n: 12, d: 3}\nstop: {t: 4}\n"
          + "save: {every: 0.25}\nseed: 3\nexecution: {device: java}\n";

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    cli.write("small.yaml", SMALL);
  }

  private JsonNode manifest(String run) throws IOException {
    return JSON.readTree(Files.readString(temp.resolve(run).resolve("manifest.json")));
  }

  @Test
  void aFolderDoesNotHideABundledExperiment() throws IOException {
    Files.createDirectory(temp.resolve("causal-clusters"));
    cli.run("run", "causal-clusters", "--device", "java", "--dry-run").expect(0);
    Files.createDirectory(temp.resolve("mine"));
    String said = cli.run("run", "mine", "--device", "java", "--dry-run").expect(2).err();
    assertTrue(said.contains("is a directory, not a file"), said);
  }

  @Test
  void aRunSaysWhatItDidAndLeavesItsFiles() throws IOException {
    Cli.Result r = cli.run("run", "small.yaml", "--out", "out", "--no-figures").expect(0);
    for (String part :
        List.of(
            "12 tokens",
            "causal",
            "beta 4",
            "java",
            "single precision",
            "Reached t = 4.0",
            "certificate",
            "partial",
            "check against the reference",
            temp.resolve("out").toString())) {
      assertTrue(r.out().contains(part), part + " in: " + r.out());
    }
    assertTrue(r.err().contains("device: java"), r.err());
    assertFalse(r.err().contains("not asked for"), r.err());
    for (String file : List.of("experiment.yaml", "manifest.json", "final.npy", "scalars.jsonl")) {
      assertTrue(Files.exists(temp.resolve("out").resolve(file)), file);
    }
    JsonNode m = manifest("out");
    assertEquals("java", m.get("device").get("id").asString());
    String id = m.get("certificate").get("id").asString();
    assertTrue(Files.exists(temp.resolve("home/certificates/" + id + ".jsonl")), id);
    assertEquals("run", m.get("command_line").get(0).asString());
  }

  @Test
  void mergingSaysWhatItDid() throws IOException {
    cli.write(
        "merge.yaml",
        "model: {beta: 4}\ntokens: {n: 24, d: 2}\nstop: {t: 30}\nsave: {every: 10}\n"
            + "integrator: {merge: {distance: 1e-3}}\nexecution: {device: java}\n");
    Cli.Result r = cli.run("run", "merge.yaml", "--out", "out", "--no-figures").expect(0);
    assertTrue(r.out().contains("merged   24 tokens stand as"), r.out());
    JsonNode merging = manifest("out").get("merging");
    assertEquals(1e-3, merging.get("distance").asDouble());
    assertEquals(24, merging.get("tokens").asInt());
    assertTrue(merging.get("groups").asInt() <= 12, merging.toString());
    double shift = merging.get("largest_shift").asDouble();
    assertTrue(shift > 0 && shift <= 1e-3, merging.toString());
    assertTrue(merging.get("velocity_bound").asDouble() > shift, merging.toString());
    Cli.Result refused =
        cli.run("run", "merge.yaml", "--set", "model.normalisation=hardmax").expect(2);
    assertTrue(refused.err().contains("with hardmax a single key counts"), refused.err());
  }

  @Test
  void causalTokensThatSeparateAreKeysOfTheirOwnAtOnce() throws IOException {
    // Tokens 1, 2 and 3 start at one place and separate, since token 0 counts less for each.
    double x = Math.cos(1);
    double y = Math.sin(1);
    Npy.write(
        temp.resolve("x0.npy"), ElementType.FLOAT64, new double[] {1, 0, x, y, x, y, x, y}, 4, 2);
    cli.write(
        "split.yaml",
        "model: {mask: causal, beta: 2}\ntokens: {init: {file: x0.npy}}\nstop: {t: 2}\n"
            + "execution: {device: reference, precision: double}\n");
    cli.run("run", "split.yaml", "--out", "plain", "--no-figures").expect(0);
    String merge = "integrator.merge={distance: 1e-6, every: 1000}";
    cli.run("run", "split.yaml", "--out", "merged", "--no-figures", "--set", merge).expect(0);
    assertEquals(4, manifest("merged").get("merging").get("groups").asInt());
    double[] expected = Npy.read(temp.resolve("plain/final.npy")).doubles();
    double[] got = Npy.read(temp.resolve("merged/final.npy")).doubles();
    assertArrayEquals(expected, got, 1e-3);
  }

  @Test
  void theReferenceEngineHasOnePrecisionUnlessAnotherIsAskedFor() {
    Cli.Result r = cli.run("run", "small.yaml", "--device", "reference", "--dry-run").expect(0);
    assertTrue(r.out().contains("double d="), r.out());
    cli.run("run", "small.yaml", "--set", "execution.device=reference", "--dry-run").expect(0);
    cli.run("run", "small.yaml", "--device", "reference", "--precision", "single").expect(3);
  }

  @Test
  void theDefaultFolderCarriesNameAndId() throws IOException {
    Cli.Result r = cli.run("run", "small.yaml", "--json", "--no-figures").expect(0);
    JsonNode j = JSON.readTree(r.out());
    String id = j.get("run_id").asString();
    assertEquals(
        temp.resolve("runs/small-" + id.substring(0, 8)).toString(), j.get("directory").asString());
    assertEquals("completed", j.get("outcome").asString());
    assertEquals("partial", j.get("certificate").get("status").asString());
    assertTrue(j.get("row_check_worst_share").asDouble() <= 1);
  }

  @Test
  void aFinishedRunIsNotComputedAgainNorOverwritten() throws IOException {
    cli.run("run", "small.yaml", "--out", "out", "--quiet", "--no-figures").expect(0);
    Path end = temp.resolve("out/final.npy");
    FileTime old = FileTime.fromMillis(1000);
    Files.setLastModifiedTime(end, old);
    Cli.Result again = cli.run("run", "small.yaml", "--out", "out").expect(0);
    assertTrue(again.err().contains("already computed"), again.err());
    assertEquals(old, Files.getLastModifiedTime(end));
    Cli.Result other = cli.run("run", "small.yaml", "--seed", "9", "--out", "out").expect(2);
    assertTrue(other.err().contains("another finished run"), other.err());
    assertTrue(other.err().contains("--force"), other.err());
    Cli.Result doubled =
        cli.run("run", "small.yaml", "--precision", "double", "--out", "out").expect(2);
    assertTrue(doubled.err().contains("single precision"), doubled.err());
    assertEquals(old, Files.getLastModifiedTime(end));
    cli.run(
            "run",
            "small.yaml",
            "--seed",
            "9",
            "--out",
            "out",
            "--force",
            "--quiet",
            "--no-figures")
        .expect(0);
    assertEquals(9, manifest("out").get("seed").asInt());
  }

  @Test
  void withoutCertificateTheRunIsMarked() throws IOException {
    Cli.Result r =
        cli.run("run", "small.yaml", "--no-certify", "--out", "out", "--no-figures").expect(0);
    assertTrue(r.out().contains("NOT certified"), r.out());
    assertEquals("not certified", manifest("out").get("certificate").get("status").asString());
    assertFalse(Files.exists(temp.resolve("home/certificates")));
  }

  @Test
  void aDryRunPlansAndComputesNothing() {
    Cli.Result r = cli.run("run", "small.yaml", "--dry-run", "--out", "out").expect(0);
    assertTrue(r.out().contains("copies of the state"), r.out());
    assertFalse(r.out().contains("matrices"), r.out());
    String[] dense = {
      "--set", "model.V={gaussian: {seed: 3}}", "--set", "observe=[effective-rank]"
    };
    Cli.Result more =
        cli.run(
                "run",
                "small.yaml",
                "--dry-run",
                "--device",
                "java",
                dense[0],
                dense[1],
                dense[2],
                dense[3])
            .expect(0);
    // V, twice more at work; the second moments, with what their spectrum takes: 3 x 3 in float64.
    assertTrue(more.out().matches("(?s).*matrices outside the engine +1 x +504 B.*"), more.out());
    assertTrue(r.out().contains("sphere causal softmax scalar single d=3"), r.out());
    assertFalse(Files.exists(temp.resolve("out")));
  }

  @Test
  void anInterruptedAndAnExtendedRunHaveTheBytesOfOneRun() throws IOException {
    String[] common = {"--quiet", "--no-figures"};
    cli.run("run", "small.yaml", "--out", "whole", common[0], common[1]).expect(0);
    Interruption at = new Interruption();
    at.honour().stop("a test asked for it");
    Cli.Result stopped =
        new Cli(temp).with(at).run("run", "small.yaml", "--out", "cut", common[0], common[1]);
    stopped.expect(75);
    assertTrue(stopped.err().contains("resume"), stopped.err());
    assertFalse(Files.exists(temp.resolve("cut/final.npy")));
    // The run's own device counts, whatever the environment prefers for new ones.
    Cli elsewhere = new Cli(temp).with("STARLING_DEVICE", "reference");
    elsewhere.run("resume", "cut", common[0], common[1]).expect(0);
    assertEquals(Cli.promised(temp.resolve("whole")), Cli.promised(temp.resolve("cut")));
    cli.run("run", "small.yaml", "--set", "stop.t=2", "--out", "half", common[0], common[1])
        .expect(0);
    cli.run("extend", "half", "--t", "4", common[0], common[1]).expect(0);
    assertEquals(Cli.promised(temp.resolve("whole")), Cli.promised(temp.resolve("half")));
    Cli.Result back = cli.run("extend", "half", "--t", "1").expect(2);
    assertTrue(back.err().contains("not beyond"), back.err());
  }

  /** A checkpoint of one experiment must not go on as another, finished or not. */
  @Test
  void aChangedExperimentCannotGoOn() throws IOException {
    cli.run("run", "small.yaml", "--out", "out", "--no-figures", "--no-certify").expect(0);
    Path file = temp.resolve("out/experiment.yaml");
    String text = Files.readString(file);
    byte[] end = Files.readAllBytes(temp.resolve("out/final.npy"));
    Files.writeString(file, text.replace("beta: 4", "beta: 5"));
    for (String[] command :
        List.of(
            new String[] {"resume", "out", "--no-certify"},
            new String[] {"extend", "out", "--t", "5", "--no-certify"})) {
      Cli.Result r = cli.run(command).expect(2);
      assertTrue(r.err().contains("experiment.yaml was changed"), r.err());
      assertTrue(r.err().contains("Restore the file"), r.err());
    }
    assertArrayEquals(end, Files.readAllBytes(temp.resolve("out/final.npy")));
    // How it is executed may change; and an extension cut short before it began goes on.
    Files.writeString(
        file, text.replace("checkpoint_every: 60", "checkpoint_every: 30").replace("t: 4", "t: 5"));
    cli.run("resume", "out", "--no-certify", "--no-figures").expect(0);
    assertEquals(5, manifest("out").get("t_end").asDouble());
  }

  @Test
  void anotherEngineCannotGoOnWithARun() throws IOException {
    cli.run("run", "small.yaml", "--out", "out", "--no-figures", "--no-certify").expect(0);
    Cli.Result r =
        cli.run(
                "extend",
                "out",
                "--t",
                "5",
                "--device",
                "reference",
                "--no-certify",
                "--no-figures")
            .expect(2);
    assertTrue(r.err().contains("begun by the engine java"), r.err());
  }

  /** Exponentials that float32 cannot hold are no fault of a device, and no numbers either. */
  @Test
  void unnormalisedAttentionRunsUntilItLeavesTheRange() throws IOException {
    cli.write(
        "wild.yaml",
        "model: {geometry: euclidean, normalisation: unnormalised, beta: 0.1}\n"
            + "tokens: {n: 12, d: 3, init: gaussian}\nstop: {t: 0.5}\nobserve: [norms]\n"
            + "execution: {device: java}\n");
    cli.run("run", "wild.yaml", "--out", "tame", "--no-figures").expect(0);
    cli.run("velocity", "wild.yaml", "--out", "v.npy", "--set", "model.beta=5").expect(0);
    Cli.Result r =
        cli.run("velocity", "wild.yaml", "--out", "w.npy", "--set", "model.beta=100").expect(4);
    assertTrue(r.err().contains("is not finite"), r.err());
    assertTrue(r.err().contains("--precision double"), r.err());
    assertFalse(Files.exists(temp.resolve("w.npy")));
  }

  @Test
  void theEnergyInDoublePrecisionIsCertified() {
    for (String d : List.of("2", "5", "40")) {
      cli.run(
              "run",
              "small.yaml",
              "--out",
              "d" + d,
              "--set",
              "tokens.d=" + d,
              "--precision",
              "double",
              "--no-figures",
              "--quiet")
          .expect(0);
    }
  }

  @Test
  void aSpentWalltimeStopsEarly() {
    cli.run("run", "small.yaml", "--out", "out", "--walltime", "0.000001", "--quiet").expect(75);
    cli.run("resume", "out", "--quiet", "--no-figures").expect(0);
  }

  @Test
  void aNumericalStopIsNamedWithExitCodeFour() throws IOException {
    cli.write(
        "e.yaml",
        "model: {geometry: euclidean, V: {scale: 60}}\ntokens: {n: 4, d: 2}\nstop: {t: 40}\n"
            + "integrator: {method: euler, dt: 0.5}\nexecution: {device: java}\n");
    Cli.Result r = cli.run("run", "e.yaml", "--out", "out", "--no-figures").expect(4);
    assertTrue(r.err().contains("non-finite"), r.err());
    assertTrue(r.err().contains("Token 0"), r.err());
    assertTrue(r.err().contains("checkpoint"), r.err());
  }

  @Test
  void aHomeThatCannotBeWrittenCostsTheCertificateFileOnly() throws IOException {
    cli.write("home", "a file where a folder should be");
    Cli.Result r = cli.run("run", "small.yaml", "--out", "out", "--no-figures").expect(0);
    assertTrue(r.err().contains("STARLING_HOME"), r.err());
    assertTrue(r.out().contains("certificate"), r.out());
  }

  @Test
  void everyBundledExperimentResolves() {
    for (String name :
        List.of(
            "causal-clusters",
            "sphere-full",
            "euclidean",
            "rescaled-polytope",
            "from-arrays",
            "ring-neighbours")) {
      cli.run("run", name, "--dry-run", "--device", "java", "--quiet").expect(0);
    }
  }
}
