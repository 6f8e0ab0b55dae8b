package org.starling.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * The attention pass of one shape, full and causal, beside the device's peak and, with peers,
 * beside OpenBLAS doing nothing but the two matrix products. 4 n^2 d flop full, 2 n^2 d causal.
 */
final class AttentionCase implements Case {
  private final Precision precision;
  private final int n;
  private final int d;
  private final boolean causal;
  private final boolean blas;

  /**
   * @param causal whether the causal mask is measured too
   * @param blas whether the peers' matrix products are measured too
   */
  AttentionCase(Precision precision, int n, int d, boolean causal, boolean blas) {
    this.precision = precision;
    this.n = n;
    this.d = d;
    this.causal = causal;
    this.blas = blas;
  }

  @Override
  public List<String> ids() {
    List<String> ids = new ArrayList<>();
    ids.add(id("attention/", "full"));
    if (causal) {
      ids.add(id("attention/", "causal"));
    }
    if (blas) {
      ids.add("peers/blas/" + Workshop.word(precision) + "/" + n + "x" + d);
    }
    return ids;
  }

  private String id(String group, String mask) {
    return group + Workshop.word(precision) + "/" + mask + "/" + n + "x" + d;
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Limits limits = shop.limits(precision);
    Shape shape = new Shape(1, n, d);
    try (Scene full = new Scene(shop.engine(precision, false, d), shape, Mask.FULL, Scene.BETA);
        Scene masked =
            causal
                ? new Scene(shop.engine(precision, true, d), shape, Mask.CAUSAL, Scene.BETA)
                : null) {
      List<Lap.Timed> operations = new ArrayList<>();
      operations.add(full.passes());
      int peakAt = limits.available() ? operations.size() : -1;
      if (peakAt >= 0) {
        operations.add(limits.beside(Limit.MULTIPLY_ADD, shop.repetitions()));
      }
      int causalAt = causal ? operations.size() : -1;
      if (causal) {
        operations.add(masked.passes());
      }
      int blasAt = -1;
      if (blas && shop.peers().unavailable("blas") == null) {
        blasAt = operations.size();
        operations.add(shop.peers().operation("blas", shape, Scene.BETA, false, precision));
      }
      List<Timing> timings = Timing.interleaved(shop.repetitions(), operations);
      Timing peak = peakAt < 0 ? null : timings.get(peakAt);
      List<Row> rows = new ArrayList<>();
      rows.add(full(shop, timings.get(0), peak));
      if (causal) {
        rows.add(causal(shop, timings.get(causalAt), timings.get(0), peak));
      }
      if (blas) {
        rows.add(blas(shop, timings.get(0), blasAt < 0 ? null : timings.get(blasAt)));
      }
      return rows;
    }
  }

  private Row full(Workshop shop, Timing pass, Timing peak) {
    double flop = 4.0 * n * n * d;
    String what = "attention pass, " + Workshop.word(precision) + ", full";
    if (peak == null) {
      return Row.measured(
          ids().get(0), what, "GF/s", pass.rates(flop * 1e-9), null, "", details(pass, null, flop));
    }
    return Row.measured(
        ids().get(0),
        what,
        "of peak",
        fractions(pass, peak, flop),
        n >= 4096 ? shop.goals().attention(precision, d) : null,
        "",
        details(pass, peak, flop));
  }

  private Row causal(Workshop shop, Timing pass, Timing full, Timing peak) {
    return Row.measured(
        ids().get(1),
        "attention pass, " + Workshop.word(precision) + ", causal",
        "of full",
        pass.over(full),
        n >= 4096 ? shop.goals().causal() : null,
        "",
        details(pass, peak, 2.0 * n * n * d));
  }

  private Row blas(Workshop shop, Timing pass, Timing products) {
    String id = ids().get(ids().size() - 1);
    String what = "the two matrix products alone by OpenBLAS over the pass";
    if (products == null) {
      return Row.skipped(id, what, shop.peers().unavailable("blas"));
    }
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("seconds", pass.median());
    details.put("peer_seconds", products.median());
    details.put("peer_gflops", 4e-9 * n * n * d / products.median());
    return Row.measured(
        id,
        what,
        "x",
        products.over(pass),
        precision == Precision.SINGLE && d >= 64 ? Goal.atLeast(1) : null,
        "",
        details);
  }

  /** Per repetition: rate over the peak measured beside it. */
  static double[] fractions(Timing pass, Timing peak, double flop) {
    double[] fraction = peak.over(pass);
    for (int r = 0; r < fraction.length; r++) {
      fraction[r] *= flop;
    }
    return fraction;
  }

  /** Times and rates; the traffic is that of reading the tokens and writing the field once. */
  private Map<String, Double> details(Timing pass, Timing peak, double flop) {
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("n", (double) n);
    m.put("d", (double) d);
    m.put("seconds", pass.median());
    m.put("cpu_seconds", pass.medianCpu());
    m.put("flop", flop);
    m.put("bytes", 2.0 * n * d * (precision == Precision.DOUBLE ? 8 : 4));
    m.put("gflops", flop * 1e-9 / pass.median());
    if (peak != null) {
      m.put("peak_gflops", 1e-9 / peak.median());
      // Processor time is blind to what else runs, and to idle cores.
      m.put("fraction_by_cpu_time", flop * peak.medianCpu() / pass.medianCpu());
    }
    return m;
  }
}
