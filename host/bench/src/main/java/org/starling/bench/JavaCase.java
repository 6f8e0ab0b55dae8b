package org.starling.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;

/** The engine {@code java} beside the peak of the processor it runs on, with or without vectors. */
final class JavaCase implements Case {
  private final int n;
  private final int d;
  private final boolean vectors;

  JavaCase(int n, int d, boolean vectors) {
    this.n = n;
    this.d = d;
    this.vectors = vectors;
  }

  @Override
  public List<String> ids() {
    return List.of("java/" + (vectors ? "vectors" : "loops") + "/" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    String what = "engine java, single, full, " + (vectors ? "Vector API" : "plain loops");
    if (vectors && !JavaProcess.hasVectors()) {
      return List.of(Row.skipped(ids().get(0), what, "this Java runtime has no Vector API"));
    }
    Limits limits = shop.processor();
    boolean known = limits != null && limits.available();
    double flop = 4.0 * n * n * d;
    try (JavaProcess java = new JavaProcess(n, d, vectors)) {
      // The compiler of the JVM needs a while until the loops are what they will be.
      for (int k = 0; k < 3; k++) {
        java.pass();
      }
      List<Lap.Timed> operations = new ArrayList<>();
      operations.add(java::pass);
      if (known) {
        operations.add(limits.beside(Limit.MULTIPLY_ADD, shop.repetitions()));
      }
      List<Timing> timings = Timing.interleaved(shop.repetitions(), operations);
      Timing pass = timings.get(0);
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("seconds", pass.median());
      m.put("cpu_seconds", pass.medianCpu());
      m.put("gpairs_per_second", 1e-9 * n * n / pass.median());
      if (!known) {
        String note = "no OpenCL device on this processor to measure its peak with";
        return List.of(
            Row.measured(ids().get(0), what, "GF/s", pass.rates(flop * 1e-9), null, note, m));
      }
      Goal goal = d == 128 ? shop.goals().java(vectors) : null;
      double[] fractions = AttentionCase.fractions(pass, timings.get(1), flop);
      return List.of(Row.measured(ids().get(0), what, "of peak", fractions, goal, java.loops(), m));
    }
  }
}
