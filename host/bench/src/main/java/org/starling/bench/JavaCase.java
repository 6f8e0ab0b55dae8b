package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;

/** The engine {@code java} beside the peak of the processor it runs on. */
final class JavaCase implements Case {
  private final int n;
  private final int d;

  JavaCase(int n, int d) {
    this.n = n;
    this.d = d;
  }

  @Override
  public List<String> ids() {
    return List.of("java/single/full/" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.java();
    Limits limits = shop.processor();
    String how = String.join(", ", engine.identity().settings().values());
    boolean vectors = how.toLowerCase(java.util.Locale.ROOT).contains("vector");
    String what = "engine java, " + (vectors ? "Vector API" : "plain loops");
    double flop = 4.0 * n * n * d;
    try (Scene scene = new Scene(engine, new Shape(1, n, d), Mask.FULL, Scene.BETA)) {
      // The compiler of the JVM needs a while until the loops are what they will be.
      for (int k = 0; k < 3; k++) {
        scene.pass();
      }
      Lap.Timed pass = Timing.clocked(scene::pass);
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("flop", flop);
      if (limits == null || !limits.available()) {
        Timing timing = Timing.interleaved(shop.repetitions(), List.of(pass)).get(0);
        m.put("seconds", timing.median());
        String note = "no OpenCL device on this processor to measure its peak with";
        return List.of(
            Row.measured(ids().get(0), what, "GF/s", timing.rates(flop * 1e-9), null, note, m));
      }
      List<Timing> timings =
          Timing.interleaved(
              shop.repetitions(),
              List.of(pass, limits.beside(Limit.MULTIPLY_ADD, shop.repetitions())));
      m.put("seconds", timings.get(0).median());
      m.put("cpu_seconds", timings.get(0).medianCpu());
      m.put("gflops", flop * 1e-9 / timings.get(0).median());
      return List.of(
          Row.measured(
              ids().get(0),
              what,
              "of peak",
              AttentionCase.fractions(timings.get(0), timings.get(1), flop),
              d == 128 ? shop.goals().java(vectors) : null,
              how,
              m));
    }
  }
}
