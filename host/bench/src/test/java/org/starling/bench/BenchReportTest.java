package org.starling.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.core.store.Json;

/** Rows in tables and files. */
class BenchReportTest {
  private final BenchReport report =
      new BenchReport(
          Map.of("device", "a device", "repetitions", 3),
          List.of(
              row("attention/a", "of peak", Goal.atLeast(0.75), 0.8, 0.82, 0.78),
              row("attention/b", "of peak", Goal.atLeast(0.75), 0.5, 0.5, 0.5),
              row("step/c", "us", Goal.atMost(30), 31, 32, 33),
              row("limit/d", "GF/s", null, 330, 331, 332),
              Row.skipped("peers/e", "a peer", "it is not here")),
          12);

  private static Row row(String id, String unit, Goal goal, double... values) {
    return Row.measured(id, "what " + id, unit, values, goal, "", Map.of("x", Double.NaN));
  }

  @Test
  void theTableHasEveryRowWithItsVerdict() {
    String table = report.table();
    assertTrue(table.matches("(?s).*attention/a +80\\.0 % of peak .*>= 75\\.0 +pass .*"), table);
    assertTrue(table.matches("(?s).*attention/b .* missed .*"), table);
    assertTrue(table.matches("(?s).*step/c +32\\.0 us .*<= 30\\.0 +short .*"), table);
    assertTrue(table.matches("(?s).*peers/e +skipped +it is not here.*"), table);
    assertTrue(table.contains("1 pass, 1 short, 1 missed"), table);
    assertEquals(List.of("attention/b"), report.missed().stream().map(Row::id).toList());
  }

  @Test
  void theFileIsJsonWithoutNonFiniteNumbers() {
    String text = new String(Json.document(report.asMap()), StandardCharsets.UTF_8);
    assertFalse(text.contains("NaN"), text);
    Map<String, Object> back = Json.read(text.getBytes(StandardCharsets.UTF_8), "report");
    assertEquals(BenchReport.FORMAT, back.get("format"));
    List<?> rows = (List<?>) back.get("rows");
    assertEquals(5, rows.size());
    Map<?, ?> first = (Map<?, ?>) rows.get(0);
    assertEquals(0.8, first.get("value"));
    assertEquals(0.75, first.get("goal"));
    assertEquals("at least", first.get("goal_is"));
    assertEquals("pass", first.get("verdict"));
    assertEquals("skipped", ((Map<?, ?>) rows.get(4)).get("verdict"));
  }
}
