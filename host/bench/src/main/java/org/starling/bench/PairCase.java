package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * Pairs a second in tiny dimension, where exponentials bound the speed: n^2 pairs full, n^2 / 2
 * causal.
 */
final class PairCase implements Case {
  private final Precision precision;
  private final int n;
  private final int d;

  PairCase(Precision precision, int n, int d) {
    this.precision = precision;
    this.n = n;
    this.d = d;
  }

  @Override
  public List<String> ids() {
    String shape = "/" + n + "x" + d;
    String group = "pairs/" + Workshop.word(precision);
    return List.of(group + "/full" + shape, group + "/causal" + shape);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Limits limits = shop.limits(precision);
    int repetitions = shop.repetitions();
    Shape shape = new Shape(1, n, d);
    try (Scene full = new Scene(shop.engine(precision), shape, Mask.FULL, Scene.BETA);
        Scene causal = new Scene(shop.engine(precision), shape, Mask.CAUSAL, Scene.BETA)) {
      List<Lap.Timed> passes = List.of(full.passes(), causal.passes());
      boolean known = limits.available();
      List<Timing> timings =
          Timing.interleaved(
              repetitions,
              known
                  ? List.of(
                      passes.get(0),
                      passes.get(1),
                      limits.beside(Limit.OWN_EXPONENTIAL, repetitions))
                  : passes);
      Timing exponential = known ? timings.get(2) : null;
      Goal goal =
          known && precision == Precision.SINGLE && n >= 16384
              ? shop.goals()
                  .pairs(
                      d,
                      limits.get(Limit.MULTIPLY_ADD, repetitions).rate(),
                      limits.get(Limit.OWN_EXPONENTIAL, repetitions).rate())
              : null;
      double pairs = (double) n * n;
      return List.of(
          row(ids().get(0), "full", timings.get(0), exponential, pairs, goal),
          row(ids().get(1), "causal", timings.get(1), exponential, pairs / 2, null));
    }
  }

  private Row row(
      String id, String mask, Timing pass, Timing exponential, double pairs, Goal goal) {
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("n", (double) n);
    m.put("d", (double) d);
    m.put("seconds", pass.median());
    m.put("cpu_seconds", pass.medianCpu());
    // Score, weighted sum, normaliser and the exponential's own polynomial: 2 (2 d + 1) + 14.
    m.put("flop", pairs * (4 * d + 16));
    m.put("bytes", 2.0 * n * d * (precision == Precision.DOUBLE ? 8 : 4));
    m.put("gflops", pairs * (4 * d + 16) * 1e-9 / pass.median());
    String note = "";
    if (exponential != null) {
      double share = Statistics.median(AttentionCase.fractions(pass, exponential, pairs));
      m.put("pairs_per_exponential", share);
      note = String.format(java.util.Locale.ROOT, "%.2f pairs an exponential", share);
    }
    return Row.measured(
        id,
        "pair rate, " + Workshop.word(precision) + ", " + mask,
        "Gpair/s",
        pass.rates(pairs * 1e-9),
        goal,
        note,
        m);
  }
}
