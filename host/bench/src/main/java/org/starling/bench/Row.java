package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of the result.
 *
 * @param id name to choose it by, parts separated by slashes: {@code
 *     attention/single/full/4096x128}
 * @param what what is measured, in words
 * @param unit unit of value and goal: {@code of peak}, {@code Gpair/s}, {@code x}, ...
 * @param value median over repetitions; NaN if skipped
 * @param spread distance between the quartiles over the median
 * @param repetitions how often it was measured
 * @param goal what it should reach, or null
 * @param verdict how it stands
 * @param note what a reader should know besides; why it was skipped; may be empty
 * @param details further numbers: seconds, flop, bytes, rates
 */
public record Row(
    String id,
    String what,
    String unit,
    double value,
    double spread,
    int repetitions,
    Goal goal,
    Verdict verdict,
    String note,
    Map<String, Double> details) {

  /** A measured row. */
  static Row measured(
      String id,
      String what,
      String unit,
      double[] values,
      Goal goal,
      String note,
      Map<String, Double> details) {
    double value = Statistics.median(values);
    return new Row(
        id,
        what,
        unit,
        value,
        Statistics.spread(values),
        values.length,
        goal,
        goal == null ? Verdict.NO_GOAL : goal.judge(value),
        note,
        details);
  }

  /** A row that could not be measured. */
  static Row skipped(String id, String what, String reason) {
    return new Row(
        id, what, "", Double.NaN, Double.NaN, 0, null, Verdict.SKIPPED, reason, Map.of());
  }

  /** The row as JSON objects hold it. */
  public Map<String, Object> asMap() {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("id", id);
    m.put("what", what);
    m.put("unit", unit);
    m.put("value", finite(value));
    m.put("spread", finite(spread));
    m.put("repetitions", repetitions);
    m.put("goal", goal == null ? null : goal.value());
    m.put("goal_is", goal == null ? null : goal.atLeast() ? "at least" : "at most");
    m.put("verdict", verdict.word());
    m.put("note", note);
    Map<String, Object> numbers = new LinkedHashMap<>();
    details.forEach((k, v) -> numbers.put(k, finite(v)));
    m.put("details", numbers);
    return m;
  }

  private static Double finite(double v) {
    return Double.isFinite(v) ? (Double) v : null;
  }
}
