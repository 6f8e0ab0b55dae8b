package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command that measures speeds; what it measures is another matter. */
final class BenchCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path temp;
  private Cli cli;

  @BeforeEach
  void setUp() {
    cli = new Cli(temp);
  }

  @Test
  void aDevicesLimitsAndRowsGoToAFolderWithAFigure() throws IOException {
    OpenClDevice.requireIf(true, cli);
    Cli.Result r =
        cli.run(
            "bench",
            "--device",
            "cpu",
            "--quick",
            "--precision",
            "single",
            "--only",
            "multiply-add,triad,state,memory",
            "--out",
            "b",
            "--json");
    JsonNode all = JSON.readTree(r.out());
    assertEquals("starling-bench/1", all.get("format").asString());
    assertEquals(8, all.get("rows").size());
    boolean missed = false;
    for (JsonNode row : all.get("rows")) {
      assertTrue(row.get("value").asDouble() > 0, row::toString);
      missed |= row.get("verdict").asString().equals("missed");
    }
    r.expect(missed ? 4 : 0);
    assertEquals(
        all, JSON.readTree(Files.readString(temp.resolve("b/bench.json"))), "the same on disk");
    assertTrue(Files.readString(temp.resolve("b/bench.txt")).contains("memory/rk4"));
    assertTrue(Files.readString(temp.resolve("b/roofline.svg")).contains("<svg"));
    assertEquals(3, Files.readAllLines(temp.resolve("b/roofline.csv")).size());
  }

  /**
   * No time for a case: it is skipped, and says so; nothing that was not measured can be missed.
   */
  @Test
  void theTimeLimitLeavesRowsOut() throws IOException {
    Cli.Result r =
        cli.run("bench", "--device", "java", "--limit", "1e-9", "--json", "--out", "b").expect(0);
    JsonNode rows = JSON.readTree(r.out()).get("rows");
    assertTrue(rows.size() > 40, rows::toString);
    for (JsonNode row : rows) {
      assertEquals("skipped", row.get("verdict").asString());
      assertTrue(row.get("note").asString().contains("time limit"), row::toString);
    }
    assertFalse(Files.exists(temp.resolve("b/roofline.svg")));
  }

  @Test
  void whatCannotBeMeasuredIsRefusedFirst() throws IOException {
    Cli.Result unknown = cli.run("bench", "--device", "java", "--only", "atention").expect(2);
    assertTrue(unknown.err().contains("'atention'"), unknown.err());
    assertTrue(unknown.err().contains("--list"), unknown.err());
    Cli.Result mixed = cli.run("bench", "--device", "java", "--precision", "mixed").expect(2);
    assertTrue(mixed.err().contains("--precision single"), mixed.err());
    Cli.Result device = cli.run("bench", "--device", "opencl:9:9").expect(3);
    assertTrue(device.err().contains("opencl:9:9"), device.err());
    Cli.Result size =
        cli.run("bench", "--device", "java", "--gpu-report", "--report-run", "8192x256").expect(2);
    assertTrue(size.err().contains("8192x256x200"), size.err());
    Cli.Result report = cli.run("bench", "--device", "java", "--gpu-report").expect(2);
    assertTrue(report.err().contains("compares an OpenCL device"), report.err());
    Cli.Result definition = cli.run("bench", "--device", "reference", "--quick").expect(2);
    assertTrue(definition.err().contains("nothing to measure"), definition.err());
    assertFalse(Files.exists(temp.resolve("runs")));
    cli.write("taken", "a file");
    Cli.Result taken =
        cli.run("bench", "--device", "java", "--only", "memory", "--out", "taken").expect(3);
    assertTrue(taken.err().contains("taken"), taken.err());
  }

  @Test
  void rowsAreListedWithoutMeasuring() {
    Cli.Result plain = cli.run("bench", "--device", "java", "--list").expect(0);
    Cli.Result peers = cli.run("bench", "--device", "java", "--list", "--peers").expect(0);
    assertTrue(plain.out().contains("attention/single/full/8192x128"), plain.out());
    Cli.Result report = cli.run("bench", "--device", "java", "--list", "--gpu-report").expect(0);
    assertEquals(plain.out(), report.out());
    assertFalse(plain.out().contains("peers/"), plain.out());
    assertTrue(peers.out().contains("peers/numpy/causal/4096x768"), peers.out());
    assertTrue(peers.out().contains("peers/torch/full/4096x128"), peers.out());
  }
}
