package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Shape;
import org.starling.core.engine.SummationReport;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * Sums over keys by a series, on the circle (d = 2) or the sphere (d = 3): evaluations a second,
 * and how many times faster than pair by pair.
 */
final class SeriesCase implements Case {
  private final int n;
  private final int d;
  private final double beta;
  private final boolean causal;
  private final boolean besidePairs;

  SeriesCase(int n, int d, double beta, boolean causal, boolean besidePairs) {
    this.n = n;
    this.d = d;
    this.beta = beta;
    this.causal = causal;
    this.besidePairs = besidePairs;
  }

  @Override
  public List<String> ids() {
    return List.of(
        (d == 2 ? "circle/" : "sphere3/")
            + (besidePairs ? "over-pairs/" : "rate/")
            + (causal ? "causal/" : "full/")
            + n
            + "/beta="
            + (int) beta);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Shape shape = new Shape(1, n, d);
    Mask mask = causal ? Mask.CAUSAL : Mask.FULL;
    try (Scene series = new Scene(shop.expanding(), shape, mask, beta)) {
      SummationReport before = shop.expanding().summation();
      Timing timing =
          Timing.interleaved(shop.repetitions(), List.of(Timing.clocked(series::pass))).get(0);
      SummationReport after = shop.expanding().summation();
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("n", (double) n);
      m.put("beta", beta);
      m.put("seconds", timing.median());
      long rows = after.rows() - before.rows();
      long byPairs = after.rowsByPairs() - before.rowsByPairs();
      m.put("rows_by_pairs", rows == 0 ? 0 : (double) byPairs / rows);
      String note =
          String.format(java.util.Locale.ROOT, "%.2g of the rows by pairs", m.get("rows_by_pairs"));
      String what =
          (d == 2 ? "circle, " : "sphere d = 3, ")
              + (causal ? "causal" : "full")
              + ", n = "
              + n
              + ", beta = "
              + (int) beta;
      if (!besidePairs) {
        Goal goal = shop.goals().circleRate(causal, beta);
        return List.of(Row.measured(ids().get(0), what, "eval/s", timing.rates(1), goal, note, m));
      }
      try (Scene pairs = new Scene(shop.engine(Precision.SINGLE), shape, mask, beta)) {
        List<Timing> both =
            Timing.interleaved(
                shop.repetitions(),
                List.of(Timing.clocked(series::pass), Timing.clocked(pairs::pass)));
        m.put("pair_seconds", both.get(1).median());
        return List.of(
            Row.measured(
                ids().get(0),
                what + ", pairs over series",
                "x",
                both.get(1).over(both.get(0)),
                shop.goals().seriesOverPairs(d, beta),
                note,
                m));
      }
    }
  }
}
