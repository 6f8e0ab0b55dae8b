package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sweep from its file to its figure: one run, whose replicas are the points. */
final class SweepCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int N = 8;
  private static final int D = 2;

  /** Some replicas meet the stop condition on the way, others do not. */
  private static final String SWEPT =
      "tokens: {n: 8, d: 2}\nintegrator: {method: rk4, dt: 0.25}\n"
          + "stop: {t: 4, when: {clusters: 1, cosine: 0.9, every: 1}}\n"
          + "observe: [clusters, energy]\nsave: {every: 0.5}\n"
          + "sweep: {beta: {linspace: [0.5, 6.5, 3]}, seed: {range: [3, 7]}}\n"
          + "execution: {device: java}\n";

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() throws IOException {
    cli = new Cli(temp);
    cli.write("s.yaml", SWEPT);
  }

  @Test
  void everyPointIsTheRunOfItsOwn() throws IOException {
    Cli.Result r = cli.run("sweep", "s.yaml", "--out", "out", "--no-certify").expect(0);
    assertTrue(r.out().contains("sweep    model.beta 0.5 ... 6.5 (3) x seed 3 ... 6 (4)"), r.out());
    assertTrue(r.out().contains("of 12 replicas"), r.out());
    Path out = temp.resolve("out");
    double[] end = Npy.read(out.resolve("final.npy")).doubles();
    double[] energy = Npy.read(out.resolve("observables/energy.npy")).doubles();
    int[] shape = Npy.read(out.resolve("observables/clusters.npy")).shape();
    assertArrayEquals(new int[] {energy.length / 12, 12}, shape);
    assertFalse(Files.exists(out.resolve("observables/cluster-labels.npy")), "n numbers a replica");
    assertFalse(Files.exists(out.resolve("traj/000000.npy")));
    List<String> lines = Files.readAllLines(out.resolve("replicas.jsonl"));
    assertEquals(12, lines.size());
    Map<String, Integer> outcomes = new TreeMap<>();
    for (int k = 0; k < 12; k++) {
      JsonNode line = JSON.readTree(lines.get(k));
      assertEquals(k, line.get("replica").asInt());
      assertEquals(0.5 + 3 * (k / 4), line.get("parameters").get("model.beta").asDouble());
      assertEquals(3 + k % 4, line.get("seed").asInt());
      outcomes.merge(line.get("outcome").get("kind").asString(), 1, Integer::sum);
    }
    assertEquals(2, outcomes.size(), outcomes.toString());
    JsonNode counts = JSON.readTree(Files.readString(out.resolve("manifest.json"))).get("outcomes");
    outcomes.forEach((kind, count) -> assertEquals(count, counts.get(kind).asInt(), kind));
    for (int k : new int[] {1, 6, 11}) {
      String name = "alone" + k;
      cli.run(
              "run",
              "s.yaml",
              "--set",
              "sweep=null",
              "--set",
              "model.beta=" + (0.5 + 3 * (k / 4)),
              "--seed",
              "" + (3 + k % 4),
              "--out",
              name,
              "--no-certify",
              "--no-figures",
              "--quiet")
          .expect(0);
      double[] alone = Npy.read(temp.resolve(name).resolve("final.npy")).doubles();
      assertArrayEquals(alone, Arrays.copyOfRange(end, k * N * D, (k + 1) * N * D), "replica " + k);
    }
    phaseDiagram(out, energy);
  }

  /** The table of the figure holds means over the seeds of a beta. */
  private static void phaseDiagram(Path out, double[] energy) throws IOException {
    for (String ending : List.of(".png", ".svg")) {
      assertTrue(Files.size(out.resolve("figures/phase-diagram" + ending)) > 0, ending);
    }
    assertFalse(Files.exists(out.resolve("figures/energy-clusters.png")), "mixes parameters");
    List<String> rows = Files.readAllLines(out.resolve("figures/phase-diagram.csv"));
    List<String> names = List.of(rows.get(0).split(","));
    assertEquals(List.of("t", "beta", "clusters-count"), names.subList(0, 3));
    int reports = energy.length / 12;
    assertEquals(3 * reports, rows.size() - 1);
    for (int k = 0; k < 3 * reports; k++) {
      String[] row = rows.get(k + 1).split(",");
      double[] four = Arrays.copyOfRange(energy, 4 * k, 4 * k + 4);
      assertEquals(0.5 + 3 * (k % 3), Double.parseDouble(row[1]));
      assertEquals("4", row[names.indexOf("energy-count")]);
      double mean = Double.parseDouble(row[names.indexOf("energy-mean")]);
      assertEquals(Arrays.stream(four).sum() / 4, mean, 1e-14, "row " + k);
      Arrays.sort(four);
      double lower = Double.parseDouble(row[names.indexOf("energy-lower_quartile")]);
      assertEquals(0.25 * four[0] + 0.75 * four[1], lower, 1e-14, "row " + k);
    }
  }

  @Test
  void twoParametersMakeAMap() throws IOException {
    cli.run(
            "run",
            "s.yaml",
            "--set",
            "sweep.V.scale=[2, 0.5]",
            "--set",
            "stop={t: 1}",
            "--out",
            "out",
            "--no-certify",
            "--quiet")
        .expect(0);
    List<String> rows = Files.readAllLines(temp.resolve("out/figures/phase-diagram.csv"));
    assertEquals(3 * 2, rows.size() - 1, "the last values only");
    assertTrue(rows.get(0).startsWith("t,beta,V.scale,clusters-count,"), rows.get(0));
    assertTrue(rows.get(1).startsWith("1.0,0.5,0.5,4,"), rows.get(1));
    double[] energy = Npy.read(temp.resolve("out/observables/energy.npy")).doubles();
    // Replica (beta, seed, V): the last report, beta 0.5, V.scale 0.5, which is listed second.
    int last = energy.length - 24;
    double mean = (energy[last + 1] + energy[last + 3] + energy[last + 5] + energy[last + 7]) / 4;
    int column = List.of(rows.get(0).split(",")).indexOf("energy-mean");
    assertEquals(mean, Double.parseDouble(rows.get(1).split(",")[column]), 1e-14);
  }

  @Test
  void anExtendedSweepHasTheBytesOfOneRun() throws IOException {
    String[] quiet = {"--no-certify", "--no-figures", "--quiet"};
    cli.run("sweep", "s.yaml", "--out", "whole", quiet[0], quiet[1], quiet[2]).expect(0);
    cli.run("sweep", "s.yaml", "--set", "stop.t=2", "--out", "half", quiet[0], quiet[1], quiet[2])
        .expect(0);
    cli.run("extend", "half", "--t", "4", quiet[0], quiet[1], quiet[2]).expect(0);
    assertSame("whole", "half");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aKilledSweepGoesOnToTheSameBytes() throws Exception {
    String[] longer = {
      "sweep",
      "s.yaml",
      "--set",
      "integrator.dt=0.002",
      "--set",
      "execution.checkpoint_every=0.02",
      "--no-certify",
      "--no-figures",
      "--out"
    };
    String[] cut = Arrays.copyOf(longer, longer.length + 1);
    cut[longer.length] = "cut";
    Process p = cli.start(cut);
    Path checkpoints = temp.resolve("cut/checkpoint");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (p.isAlive() && System.nanoTime() < end && !Files.exists(checkpoints)) {
      Thread.sleep(5);
    }
    Thread.sleep(new SplittableRandom(5).nextInt(300));
    p.destroyForcibly();
    assertTrue(p.waitFor(60, TimeUnit.SECONDS));
    assertEquals(137, p.exitValue(), "killed before its end");
    cli.run("resume", "cut", "--no-certify", "--no-figures", "--quiet").expect(0);
    cut[longer.length] = "whole";
    cli.run(cut).expect(0);
    assertSame("whole", "cut");
  }

  private void assertSame(String wanted, String found) throws IOException {
    assertEquals(Cli.promised(temp.resolve(wanted)), Cli.promised(temp.resolve(found)));
    assertEquals(
        Files.readString(temp.resolve(wanted).resolve("replicas.jsonl")),
        Files.readString(temp.resolve(found).resolve("replicas.jsonl")));
  }

  @Test
  void whatIsNotASweepIsRefusedAndAPlanNamesIt() throws IOException {
    cli.write("plain.yaml", SWEPT.replaceFirst("sweep: .*\n", ""));
    Cli.Result plain = cli.run("sweep", "plain.yaml", "--out", "out").expect(2);
    assertTrue(plain.err().contains("plain sweeps nothing"), plain.err());
    Cli.Result slip = cli.run("sweep", "s.yaml", "--set", "sweep.betta=[1, 2]").expect(2);
    assertTrue(slip.err().contains("did you mean beta?"), slip.err());
    Cli.Result many =
        cli.run("sweep", "s.yaml", "--set", "sweep.seed={range: [0, 3000000]}").expect(2);
    assertTrue(many.err().contains("9000000 replicas"), many.err());
    assertTrue(many.err().contains("sweep fewer values"), many.err());
    Cli.Result plan = cli.run("sweep", "s.yaml", "--dry-run").expect(0);
    assertTrue(plan.out().contains("sweep model.beta 0.5 ... 6.5 (3) x seed"), plan.out());
    assertFalse(Files.exists(temp.resolve("runs")));
  }
}
