package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.core.store.ElementType;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Attention paths from the command line. */
final class PathsCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SMALL =
      """
      task:
        hidden-markov: {train: 20, test: 30, features: 20, tokens: 8}
      network:
        heads:
          - [good, {random: {seed: 147}}]
          - [uniform]
        beta: 4
        temperature: 0.1
      sweep:
        width: [10, 40]
        seed: [0, 1]
      """;

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp).with("STARLING_DEVICE", "java");
  }

  @Test
  void anInterruptedSweepGivesTheSameBytes() throws IOException {
    cli.write("small.yaml", SMALL);
    Cli.Result whole = cli.run("paths", "sweep", "small.yaml", "--out", "run").expect(0);
    assertEquals(5, whole.out().lines().count(), whole.out());
    assertTrue(whole.err().contains("kept, symmetric halves"), whole.err());
    Path lines = temp.resolve("run/points.jsonl");
    byte[] points = Files.readAllBytes(lines);
    byte[] u = Files.readAllBytes(temp.resolve("run/points/0001/u1.npy"));
    assertTrue(Files.size(temp.resolve("run/figures/accuracy.png")) > 5000);
    assertTrue(Files.readString(temp.resolve("run/report.md")).contains("| 10 | 0.1 | 0 |"));

    // Killed while it wrote the line of the second point.
    int first = 1;
    while (points[first - 1] != '\n') {
      first++;
    }
    Files.write(lines, Arrays.copyOf(points, first + 40));
    Path manifest = temp.resolve("run/manifest.json");
    String facts = Files.readString(manifest);
    assertTrue(facts.contains("\"finished\" : true"), facts);
    Files.writeString(manifest, facts.replace("\"finished\" : true", "\"finished\" : false"));
    Files.delete(temp.resolve("run/points/0001/u1.npy"));
    Cli.Result rest = cli.run("paths", "sweep", "small.yaml", "--out", "run").expect(0);
    assertFalse(rest.err().contains("point 1 of 4"), rest.err());
    assertTrue(rest.err().contains("point 2 of 4"), rest.err());
    assertArrayEquals(points, Files.readAllBytes(lines));
    assertArrayEquals(u, Files.readAllBytes(temp.resolve("run/points/0001/u1.npy")));

    Cli.Result again = cli.run("paths", "sweep", "small.yaml", "--out", "run").expect(0);
    assertFalse(again.err().contains("point 4 of 4"), "a finished sweep is computed again");
    Cli.Result other =
        cli.run("paths", "sweep", "small.yaml", "--set", "network.beta=5", "--out", "run")
            .expect(2);
    assertTrue(other.err().contains("holds another run"), other.err());
    // What was written reads back to the same run.
    cli.run("paths", "sweep", "run/experiment.yaml", "--out", "run").expect(0);
  }

  @Test
  void predictionsAndHeads() throws IOException {
    cli.write("small.yaml", SMALL);
    String one = "sweep=null";
    Cli.Result fit = cli.run("paths", "fit", "small.yaml", "--set", one, "--out", "f", "--json");
    JsonNode point = JSON.readTree(fit.expect(0).out()).get("points").get(0);
    double accuracy = point.get("accuracy").asDouble();
    assertTrue(accuracy > 0.4 && point.get("converged").asBoolean(), point::toString);
    Cli.Result p =
        cli.run("paths", "predict", "small.yaml", "--set", one, "--out", "f", "--paths", "0-0");
    String text = p.expect(0).out();
    assertTrue(text.contains("only 0-0, network of their own"), text);
    assertTrue(text.contains("without path 1-0"), text);
    String expected = String.format(Locale.ROOT, "accuracy %5.1f %%", 100 * accuracy);
    assertTrue(text.lines().anyMatch(l -> l.contains("all paths") && l.contains(expected)), text);
    assertTrue(Files.size(temp.resolve("f/alignment.csv")) > 1000);
    Cli.Result h = cli.run("paths", "prune", "small.yaml", "--set", one, "--out", "f").expect(0);
    assertTrue(h.out().contains("the only one of its layer  stays"), h.out());
    assertEquals(4, h.out().lines().count(), h.out());
    Cli.Result wrong =
        cli.run("paths", "predict", "small.yaml", "--set", one, "--out", "f", "--paths", "2-0");
    assertTrue(wrong.expect(2).err().contains("layer 1 has heads 0 to 1"), wrong.err());
  }

  @Test
  void arraysOfYourOwn() throws IOException {
    double[] x = new double[6 * 3 * 2];
    for (int k = 0; k < x.length; k++) {
      x[k] = Math.sin(k * k + 1);
    }
    double[] y = {1, -1, 1, -1, 1, -1};
    Npy.write(temp.resolve("x.npy"), ElementType.FLOAT64, x, 6, 3, 2);
    Npy.write(temp.resolve("y.npy"), ElementType.FLOAT64, y, 6);
    Npy.write(temp.resolve("q.npy"), ElementType.FLOAT64, new double[] {1, 2, 0, 1}, 2, 2);
    cli.write(
        "mine.yaml",
        """
        task:
          files: {train: {x: x.npy, y: y.npy}, test: {x: x.npy, y: y.npy}}
        network:
          heads: [[uniform, {query: q.npy, key: q.npy}]]
          width: 20
          readout: average-pooling
        """);
    cli.run("paths", "fit", "mine.yaml", "--out", "m", "--no-figures").expect(0);
    String resolved = Files.readString(temp.resolve("m/experiment.yaml"));
    assertTrue(resolved.contains("sha256: "), resolved);
    Npy.write(temp.resolve("y.npy"), ElementType.FLOAT64, new double[] {1, 1, 1, 1, 1, 1}, 6);
    Cli.Result changed = cli.run("paths", "fit", "m/experiment.yaml", "--out", "n").expect(2);
    assertTrue(changed.err().contains("has changed"), changed.err());
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() throws IOException {
    cli.write(
        "bad.yaml",
        """
        task:
          hidden-markov: {train: 21, nois: 1}
        network:
          heads:
            - [good, unifrom]
          width: 10
          temperature: -1
        sweep:
          width: [10]
        """);
    String err = cli.run("paths", "sweep", "bad.yaml").expect(2).err();
    assertTrue(err.contains("bad.yaml:2:"), err);
    assertTrue(err.contains("must be even"), err);
    assertTrue(err.contains("unknown key task.hidden-markov.nois; did you mean"), err);
    assertTrue(err.contains("bad.yaml:5:14: network.heads[0][1] must be one of"), err);
    assertTrue(err.contains("did you mean uniform?"), err);
    assertTrue(err.contains("network.temperature must be a finite number >= 0"), err);
    assertTrue(err.contains("network.width has no meaning where sweep.width"), err);
    cli.write("fit.yaml", SMALL);
    assertTrue(cli.run("paths", "fit", "fit.yaml").expect(2).err().contains("paths sweep"));
    assertTrue(cli.run("paths", "fit", "narow").expect(2).err().contains("did you mean narrow"));
  }
}
