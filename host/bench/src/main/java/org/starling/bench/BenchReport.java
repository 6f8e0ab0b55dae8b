package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All that was measured.
 *
 * @param machine what was measured, and with what, for JSON
 * @param rows in the order in which they were measured
 * @param seconds how long it took
 */
public record BenchReport(Map<String, Object> machine, List<Row> rows, double seconds) {
  /** Version of the JSON layout. */
  public static final String FORMAT = "starling-bench/1";

  public BenchReport {
    rows = List.copyOf(rows);
  }

  /** Rows below three quarters of their goal. */
  public List<Row> missed() {
    return rows.stream().filter(r -> r.verdict() == Verdict.MISSED).toList();
  }

  public long count(Verdict verdict) {
    return rows.stream().filter(r -> r.verdict() == verdict).count();
  }

  /** The report as one JSON object. */
  public Map<String, Object> asMap() {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("format", FORMAT);
    m.put("machine", machine);
    m.put("seconds", seconds);
    m.put("rows", rows.stream().map(Row::asMap).toList());
    return m;
  }

  /** The table for a person, a line a row, with a summary. */
  public String table() {
    int wide = rows.stream().mapToInt(r -> r.id().length()).max().orElse(2);
    StringBuilder text = new StringBuilder();
    text.append(line(wide, "row", "measured", "spread", "goal", "", ""));
    String group = "";
    for (Row r : rows) {
      String now = r.id().substring(0, r.id().indexOf('/'));
      if (!now.equals(group)) {
        text.append('\n');
        group = now;
      }
      text.append(line(wide, r));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%n%d pass, %d short, %d missed (below three quarters of the goal), %d without a goal,"
                + " %d skipped; medians of %s repetitions, %.0f s in all%n",
            count(Verdict.PASS),
            count(Verdict.SHORT),
            count(Verdict.MISSED),
            count(Verdict.NO_GOAL),
            count(Verdict.SKIPPED),
            machine.get("repetitions"),
            seconds));
    return text.toString();
  }

  private static String line(int wide, Row r) {
    if (r.verdict() == Verdict.SKIPPED) {
      return line(wide, r.id(), "", "", "", r.verdict().word(), r.note());
    }
    String goal =
        r.goal() == null ? "" : (r.goal().atLeast() ? ">= " : "<= ") + number(r.goal().value(), r);
    String note = r.note().isEmpty() ? r.what() : r.what() + ": " + r.note();
    return line(
        wide,
        r.id(),
        number(r.value(), r) + " " + unit(r),
        r.repetitions() < 2 ? "" : String.format(Locale.ROOT, "%.0f %%", 100 * r.spread()),
        goal,
        r.verdict().word(),
        note);
  }

  private static String unit(Row r) {
    return r.unit().startsWith("of ") ? "% " + r.unit() : r.unit();
  }

  private static String number(double v, Row r) {
    double shown = r.unit().startsWith("of ") ? 100 * v : v;
    double size = Math.abs(shown);
    String form = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, shown);
  }

  private static String line(
      int wide,
      String id,
      String measured,
      String spread,
      String goal,
      String verdict,
      String note) {
    return String.format(
                Locale.ROOT,
                "%-" + wide + "s  %16s  %6s  %8s  %-7s  %s",
                id,
                measured,
                spread,
                goal,
                verdict,
                note)
            .stripTrailing()
        + "\n";
  }
}
