package org.starling.system.integrate;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.core.store.Npy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("An independent solver's states are reproduced at rtol 1e-10, atol 1e-13")
class SolverCaseTest {

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "euclidean-full",
        "rescaled-full",
        "sphere-causal",
        "sphere-causal-qkv",
        "sphere-causal-repulsive",
        "sphere-full",
        "sphere-full-beta30",
        "sphere-full-unnormalised"
      })
  void reproduced(String name) throws IOException {
    JsonNode c = JsonMapper.shared().readTree(bytes(name, "case.json"));
    int n = c.get("n").intValue();
    int d = c.get("d").intValue();
    Geometry geometry = Geometry.valueOf(upper(c, "geometry"));
    Mask mask = upper(c, "mask").equals("CAUSAL") ? Mask.CAUSAL : Mask.FULL;
    Head head = new Head(weight(name, "Q", d), weight(name, "K", d), weight(name, "V", d));
    Dynamics dynamics =
        Rig.dynamics(
            geometry,
            mask,
            Normalisation.valueOf(upper(c, "kind")),
            c.get("beta").doubleValue(),
            head);
    double[] x0 = doubles(name, "x0");
    double[] exact = doubles(name, "xT");
    try (Rig rig = new Rig(IntegratorSpec.dopri5(1e-10, 1e-13), new Shape(1, n, d), x0, dynamics)) {
      double error = Rig.distance(rig.at(c.get("T").doubleValue()), exact);
      double coordinate = Rig.distance(exact, new double[exact.length]);
      double displacement = Rig.distance(exact, x0);
      // A fifth of what is promised for coordinates, a tenth for displacements.
      assertTrue(
          error <= 2e-10 * coordinate,
          () -> "error " + error + ", largest coordinate " + coordinate);
      assertTrue(
          error <= 1e-7 * displacement,
          () -> "error " + error + ", largest displacement " + displacement);
    }
  }

  private static String upper(JsonNode c, String key) {
    return c.get(key).stringValue().toUpperCase(java.util.Locale.ROOT);
  }

  private static Weight weight(String name, String matrix, int d) throws IOException {
    byte[] file = bytes(name, matrix + ".npy");
    return file == null
        ? Weight.identity(d)
        : Weight.dense(d, d, Npy.decode(file, matrix).doubles());
  }

  private static double[] doubles(String name, String array) throws IOException {
    return Npy.decode(bytes(name, array + ".npy"), array).doubles();
  }

  private static byte[] bytes(String name, String file) throws IOException {
    String path = "/solver-cases/" + name + "/" + file;
    try (InputStream in = SolverCaseTest.class.getResourceAsStream(path)) {
      return in == null ? null : in.readAllBytes();
    }
  }
}
