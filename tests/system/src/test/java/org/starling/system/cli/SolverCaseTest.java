package org.starling.system.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Experiments given as .npy files alone against an independent solver, on every engine. */
final class SolverCaseTest {
  private static final List<String> CASES =
      List.of(
          "sphere-full",
          "sphere-full-beta30",
          "sphere-full-unnormalised",
          "sphere-causal",
          "sphere-causal-qkv",
          "sphere-causal-repulsive",
          "euclidean-full",
          "rescaled-full");

  @TempDir Path temp;

  static Stream<Arguments> casesAndDevices() {
    return CASES.stream()
        .flatMap(c -> Stream.of("reference", "java", "cpu").map(d -> Arguments.of(c, d)));
  }

  @ParameterizedTest(name = "{0} on {1}")
  @MethodSource("casesAndDevices")
  void velocityAndEndStateAreReproduced(String name, String device) throws IOException {
    Cli cli = new Cli(temp);
    OpenClDevice.requireIf(device.equals("cpu"), cli);
    cli.copyCase(name, "case.json");
    JsonNode facts =
        JsonMapper.builder().build().readTree(Files.readString(temp.resolve("case.json")));
    StringBuilder yaml = new StringBuilder("model:\n");
    yaml.append("  geometry: ").append(facts.get("geometry").asString()).append('\n');
    yaml.append("  mask: ").append(facts.get("mask").asString()).append('\n');
    yaml.append("  normalisation: ").append(facts.get("kind").asString()).append('\n');
    yaml.append("  beta: ").append(facts.get("beta").asDouble()).append('\n');
    for (String matrix : List.of("Q", "K", "V")) {
      if (cli.copyCase(name, matrix + ".npy")) {
        yaml.append("  ").append(matrix).append(": {file: ").append(matrix).append(".npy}\n");
      }
    }
    assertTrue(cli.copyCase(name, "x0.npy"));
    assertTrue(cli.copyCase(name, "v0.npy"));
    assertTrue(cli.copyCase(name, "xT.npy"));
    yaml.append("tokens: {init: {file: x0.npy}}\n");
    yaml.append("integrator: {method: dopri5, rtol: 1e-10, atol: 1e-13}\n");
    yaml.append("stop: {t: ").append(facts.get("T").asDouble()).append("}\n");
    yaml.append("execution: {precision: double}\n");
    Files.writeString(temp.resolve("e.yaml"), yaml, StandardCharsets.UTF_8);

    cli.run("velocity", "e.yaml", "--out", "v.npy", "--device", device).expect(0);
    double[] v = Npy.read(temp.resolve("v.npy")).doubles();
    double[] v0 = Npy.read(temp.resolve("v0.npy")).doubles();
    int d = facts.get("d").asInt();
    for (int i = 0; i < v0.length / d; i++) {
      double error = distance(v, v0, i, d);
      double speed = norm(v0, i, d);
      assertTrue(error <= 1e-11 * speed, "token " + i + ": error " + error + ", speed " + speed);
    }

    cli.run(
            "run",
            "e.yaml",
            "--out",
            "run",
            "--device",
            device,
            "--no-certify",
            "--no-figures",
            "--quiet")
        .expect(0);
    double[] x = Npy.read(temp.resolve("run/final.npy")).doubles();
    double[] xEnd = Npy.read(temp.resolve("xT.npy")).doubles();
    double[] x0 = Npy.read(temp.resolve("x0.npy")).doubles();
    double worst = 0;
    double largest = 0;
    double moved = 0;
    for (int k = 0; k < xEnd.length; k++) {
      worst = Math.max(worst, Math.abs(x[k] - xEnd[k]));
      largest = Math.max(largest, Math.abs(xEnd[k]));
      moved = Math.max(moved, Math.abs(xEnd[k] - x0[k]));
    }
    double allowed = Math.max(1e-9 * largest, 1e-9);
    assertTrue(worst <= allowed, "worst " + worst + " of " + allowed);
    assertTrue(worst <= Math.max(1e-6 * moved, 1e-9), "worst " + worst + ", moved " + moved);
  }

  private static double distance(double[] a, double[] b, int i, int d) {
    double square = 0;
    for (int c = i * d; c < (i + 1) * d; c++) {
      square += (a[c] - b[c]) * (a[c] - b[c]);
    }
    return Math.sqrt(square);
  }

  private static double norm(double[] a, int i, int d) {
    double square = 0;
    for (int c = i * d; c < (i + 1) * d; c++) {
      square += a[c] * a[c];
    }
    return Math.sqrt(square);
  }
}
