package org.starling.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.core.store.Npy;

/**
 * A trajectory by an independent adaptive float64 solver at rtol 1e-12.
 *
 * @param end time T of {@code xEnd}
 * @param x0 start, {@code [n][d]}
 * @param v0 velocity at the start
 * @param xEnd state at T
 */
record SolverCase(
    String name,
    int n,
    int d,
    Dynamics dynamics,
    double end,
    double[] x0,
    double[] v0,
    double[] xEnd) {
  static final List<String> NAMES =
      List.of(
          "sphere-full",
          "sphere-full-beta30",
          "sphere-full-unnormalised",
          "sphere-causal",
          "sphere-causal-qkv",
          "sphere-causal-repulsive",
          "euclidean-full",
          "rescaled-full");

  static SolverCase load(String name) {
    String json = new String(bytes(name, "case.json"), StandardCharsets.UTF_8);
    int n = Integer.parseInt(value(json, "n"));
    int d = Integer.parseInt(value(json, "d"));
    Head head = new Head(weight(name, "Q", d), weight(name, "K", d), weight(name, "V", d));
    Dynamics dynamics =
        new Dynamics(
            Geometry.valueOf(value(json, "geometry").toUpperCase(Locale.ROOT)),
            value(json, "mask").equals("causal") ? Mask.CAUSAL : Mask.FULL,
            Normalisation.valueOf(value(json, "kind").toUpperCase(Locale.ROOT)),
            Double.parseDouble(value(json, "beta")),
            WeightSchedule.constant(List.of(head)),
            1,
            null);
    return new SolverCase(
        name,
        n,
        d,
        dynamics,
        Double.parseDouble(value(json, "T")),
        array(name, "x0", n, d),
        array(name, "v0", n, d),
        array(name, "xT", n, d));
  }

  private static String value(String json, String key) {
    Matcher m = Pattern.compile("\"" + key + "\"\\s*:\\s*\"?([^\",\\s}]+)").matcher(json);
    if (!m.find()) {
      throw new IllegalArgumentException("no " + key + " in " + json);
    }
    return m.group(1);
  }

  private static Weight weight(String name, String matrix, int d) {
    if (resource(name, matrix + ".npy") == null) {
      return Weight.identity(d);
    }
    double[] entries = array(name, matrix, d, d);
    Weight.Dense dense = new Weight.Dense(d, d, entries);
    for (int a = 0; a < d * d; a++) {
      if (entries[a] != (a % (d + 1) == 0 ? entries[0] : 0)) {
        return dense;
      }
    }
    return Weight.scalar(d, entries[0]);
  }

  private static double[] array(String name, String file, int... shape) {
    return Npy.decode(bytes(name, file + ".npy"), name + "/" + file + ".npy")
        .requireShape(shape)
        .requireFinite()
        .doubles();
  }

  private static java.net.URL resource(String name, String file) {
    return SolverCase.class.getResource("/solver-cases/" + name + "/" + file);
  }

  private static byte[] bytes(String name, String file) {
    try (InputStream in = resource(name, file).openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
