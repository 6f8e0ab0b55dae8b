package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.engine.Storage;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * The attention pass with keys and values kept as numbers of 16 bits, over the same pass in
 * float32. It is for memory: without a goal.
 */
record HalfCase(int n, int d) implements Case {
  @Override
  public List<String> ids() {
    return List.of("storage/half/" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Shape shape = new Shape(1, n, d);
    Precision single = Precision.SINGLE;
    try (Scene half =
            new Scene(shop.engine(single, false, d, Storage.HALF), shape, Mask.FULL, Scene.BETA);
        Scene full = new Scene(shop.engine(single, false, d), shape, Mask.FULL, Scene.BETA)) {
      List<Timing> both =
          Timing.interleaved(
              shop.repetitions(), List.of(Timing.clocked(half::pass), Timing.clocked(full::pass)));
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("n", (double) n);
      m.put("d", (double) d);
      m.put("seconds", both.get(0).median());
      m.put("full_seconds", both.get(1).median());
      m.put("cpu_seconds_over_full", both.get(0).medianCpu() / both.get(1).medianCpu());
      m.put("gflops", 4e-9 * n * n * d / both.get(0).median());
      return List.of(
          Row.measured(
              ids().get(0),
              "attention pass, single, full, keys and values as half",
              "of full",
              both.get(0).over(both.get(1)),
              null,
              "half the packed keys' memory",
              m));
    }
  }
}
