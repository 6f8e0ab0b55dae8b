package org.starling.core.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measurements as a table for a person: a row per operation, inverse temperature and dimension with
 * the largest median, the worst error and the error allowed where the worst came closest to it.
 */
public record VerificationTable(List<Row> rows) {

  /**
   * One row.
   *
   * @param beta inverse temperature, NaN where it plays no role
   * @param cases situations drawn together
   * @param remark what failed first, or empty
   */
  public record Row(
      String operation,
      double beta,
      int d,
      int cases,
      double median,
      double worst,
      double allowed,
      boolean passed,
      String remark) {

    private Row with(Measurement m) {
      boolean closer =
          !(StorageError.rank(operation, worst, allowed)
              >= StorageError.rank(operation, m.worst(), m.allowed()));
      return new Row(
          operation,
          beta,
          d,
          cases + 1,
          Math.max(median, m.median()),
          closer ? m.worst() : worst,
          closer ? m.allowed() : allowed,
          passed && m.passed(),
          remark.isEmpty() ? explained(m) : remark);
    }
  }

  private record Key(String operation, double beta, int d) {}

  public static VerificationTable of(List<Measurement> measurements) {
    Map<Key, Row> rows = new LinkedHashMap<>();
    for (Measurement m : measurements) {
      Key key = new Key(m.operation(), m.beta(), m.d());
      Row first =
          new Row(
              m.operation(),
              m.beta(),
              m.d(),
              1,
              m.median(),
              m.worst(),
              m.allowed(),
              m.passed(),
              explained(m));
      rows.merge(key, first, (row, unused) -> row.with(m));
    }
    List<Row> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        (a, b) ->
            a.operation().equals(b.operation())
                ? a.d() != b.d() ? a.d() - b.d() : Double.compare(a.beta(), b.beta())
                : a.operation().compareTo(b.operation()));
    return new VerificationTable(List.copyOf(sorted));
  }

  private static String explained(Measurement m) {
    return m.passed() ? "" : m.variant() + ", n=" + m.n() + ", " + m.state() + ": " + m.remark();
  }

  public boolean passed() {
    return rows.stream().allMatch(Row::passed);
  }

  /** The table as text, a line per row; failures are explained below it. */
  public String text() {
    StringBuilder t = new StringBuilder();
    t.append(line("operation", "d", "beta", "cases", "median", "worst", "allowed", "verdict"));
    for (Row r : rows) {
      t.append(
          line(
              r.operation(),
              Integer.toString(r.d()),
              Double.isNaN(r.beta()) ? "-" : number("%.4g", r.beta()),
              Integer.toString(r.cases()),
              number("%.1e", r.median()),
              number("%.1e", r.worst()),
              number("%.1e", r.allowed()),
              r.passed() ? "ok" : "FAILED"));
    }
    for (Row r : rows) {
      if (!r.passed()) {
        t.append("FAILED ").append(r.operation()).append(": ").append(r.remark()).append('\n');
      }
    }
    return t.toString();
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "%-24s %5s %6s %6s %9s %9s %9s  %s", (Object[]) cells)
            .stripTrailing()
        + "\n";
  }

  private static String number(String format, double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, format, value);
  }
}
