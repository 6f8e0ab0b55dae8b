package org.starling.app.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.core.experiment.Claim.At;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.Claim.Over;

/** Compares measured series with what a claim expects of them. */
public final class Judgement {
  private final List<Map<String, Double>> parameters;
  private final double[] speeds;

  /**
   * @param parameters swept parameters of each replica by key, the seed apart
   * @param speeds largest speed of each replica at the end; NaN where unknown
   */
  public Judgement(List<Map<String, Double>> parameters, double[] speeds) {
    this.parameters = List.copyOf(parameters);
    this.speeds = speeds.clone();
  }

  /**
   * Judges a measurement.
   *
   * @param series of each replica
   */
  public Finding of(Item item, List<Series> series) {
    List<Integer> replicas = new ArrayList<>();
    for (int r = 0; r < series.size(); r++) {
      if (chosen(item, r)) {
        replicas.add(r);
      }
    }
    double[] values = replicas.stream().mapToDouble(r -> series.get(r).at(item.at())).toArray();
    if (item.over() instanceof Over.Statistic s) {
      return one(item, values, statistic(s.kind(), values));
    }
    if (item.over() instanceof Over.Against a) {
      return against(item, a, replicas, values);
    }
    return each(item, ((Over.Each) item.over()).atLeast(), replicas, values);
  }

  private boolean chosen(Item item, int replica) {
    for (Map.Entry<String, Double> e : item.where().entrySet()) {
      Double own = parameters.get(replica).get(e.getKey());
      if (own == null || Math.abs(own - e.getValue()) > 1e-9 * Math.max(1, Math.abs(own))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a replica that an item speaks of is out of its range. */
  boolean misses(Item item, int replica, Series series) {
    return chosen(item, replica) && !in(item, series.at(item.at()));
  }

  private static boolean in(Item item, double v) {
    // NaN is in no range.
    return v >= item.low() && v <= item.high();
  }

  private Finding each(Item item, double least, List<Integer> replicas, double[] values) {
    int fulfilled = 0;
    int moving = 0;
    for (int k = 0; k < values.length; k++) {
      if (in(item, values[k])) {
        fulfilled++;
      } else if (speeds[replicas.get(k)] > item.settled()) {
        moving++;
      }
    }
    double needed = least * values.length - 1e-9;
    Verdict verdict =
        values.length == 0
            ? Verdict.FAILS
            : fulfilled >= needed
                ? Verdict.HOLDS
                : fulfilled + moving >= needed ? Verdict.UNDECIDED : Verdict.FAILS;
    return new Finding(item, values, statistic(Over.Kind.MEDIAN, values), fulfilled, verdict);
  }

  private static Finding one(Item item, double[] values, double measured) {
    boolean good = in(item, measured);
    return new Finding(item, values, measured, good ? 1 : 0, good ? Verdict.HOLDS : Verdict.FAILS);
  }

  private Finding against(Item item, Over.Against a, List<Integer> replicas, double[] values) {
    Map<Double, List<Double>> groups = new TreeMap<>();
    for (int k = 0; k < values.length; k++) {
      Double at = parameters.get(replicas.get(k)).get(a.key());
      if (at != null) {
        groups.computeIfAbsent(at, p -> new ArrayList<>()).add(values[k]);
      }
    }
    List<double[]> points = new ArrayList<>();
    double[] means = new double[groups.size()];
    for (Map.Entry<Double, List<Double>> e : groups.entrySet()) {
      double mean = e.getValue().stream().mapToDouble(v -> v).sum() / e.getValue().size();
      means[points.size()] = mean;
      points.add(
          new double[] {
            a.logParameter() ? Math.log(e.getKey()) : e.getKey(),
            a.logValue() ? Math.log(mean) : mean
          });
    }
    return one(item, means, points.size() == 2 ? secant(points) : Series.line(points));
  }

  private static double secant(List<double[]> two) {
    return (two.get(1)[1] - two.get(0)[1]) / (two.get(1)[0] - two.get(0)[0]);
  }

  /** A statistic; NaN if there is no value or one is NaN. */
  static double statistic(Over.Kind kind, double[] values) {
    if (values.length == 0 || Arrays.stream(values).anyMatch(Double::isNaN)) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return switch (kind) {
      case MEAN -> Arrays.stream(values).sum() / values.length;
      case MEDIAN -> quantile(sorted, 0.5);
      case P10 -> quantile(sorted, 0.1);
      case P90 -> quantile(sorted, 0.9);
      case SMALLEST -> sorted[0];
      case LARGEST -> sorted[sorted.length - 1];
    };
  }

  /** Linear interpolation between order statistics, the default of NumPy. */
  public static double quantile(double[] sorted, double p) {
    double at = p * (sorted.length - 1);
    int low = (int) at;
    int high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
  }

  /** What a slice of a series is, in words. */
  public static String words(At at) {
    if (at instanceof At.Time t) {
      return t.t() == 0 ? "at the start" : "at t = " + number(t.t());
    }
    if (at instanceof At.Extreme e) {
      return (e.largest() ? "largest" : "smallest") + span(e.from(), e.to());
    }
    if (at instanceof At.Mean m) {
      return "mean" + span(m.from(), m.to());
    }
    if (at instanceof At.Step s) {
      return "largest " + (s.rise() ? "rise" : "fall") + " between frames" + span(s.from(), s.to());
    }
    if (at instanceof At.Slope s) {
      return (s.logTime() ? "exponent" : s.logValue() ? "exponential rate" : "slope")
          + span(s.from(), s.to());
    }
    if (at instanceof At.RateWithin w) {
      return "exponential rate from " + number(w.high()) + " down to " + number(w.low());
    }
    if (at instanceof At.Reaches r) {
      return "time to reach " + number(r.value());
    }
    return "at the end";
  }

  private static String span(double from, double to) {
    return " on [" + number(from) + ", " + number(to) + "]";
  }

  /** How replicas are taken together, in words. */
  public static String words(Over over) {
    if (over instanceof Over.Statistic s) {
      return s.kind().name().toLowerCase(java.util.Locale.ROOT) + " over seeds";
    }
    if (over instanceof Over.Against a) {
      return (a.logValue() ? "slope of its logarithm" : "slope")
          + " against "
          + (a.logParameter() ? "the logarithm of " : "")
          + a.key();
    }
    double least = ((Over.Each) over).atLeast();
    return least == 1 ? "every seed" : "at least " + number(100 * least) + " % of seeds";
  }

  /** The range, in words. */
  public static String range(Item item) {
    if (Double.isInfinite(item.low())) {
      return "\u2264 " + number(item.high());
    }
    if (Double.isInfinite(item.high())) {
      return "\u2265 " + number(item.low());
    }
    return item.low() == item.high()
        ? "= " + number(item.low())
        : "in [" + number(item.low()) + ", " + number(item.high()) + "]";
  }

  /** A number with five significant digits. */
  public static String number(double v) {
    if (!Double.isFinite(v)) {
      return Double.isNaN(v) ? "none" : Double.toString(v);
    }
    if (v == Math.rint(v) && Math.abs(v) < 1e6) {
      return Long.toString((long) v);
    }
    String s = String.format(java.util.Locale.ROOT, "%.5g", v);
    if (s.contains("e")) {
      return s.replaceFirst("\\.?0+e", "e");
    }
    return s.contains(".") ? s.replaceFirst("\\.?0+$", "") : s;
  }
}
