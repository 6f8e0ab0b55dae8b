package org.starling.app.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AxisTest {
  private static List<String> numbers(Axis axis, int most) {
    return axis.ticks(most).stream().map(Axis.Tick::text).filter(t -> !t.isEmpty()).toList();
  }

  @Test
  void linearTicksAreRoundNumbers() {
    assertEquals(List.of("0", "0.25", "0.5", "0.75", "1"), numbers(Axis.linear("", 0, 1), 4));
    assertEquals(List.of("\u22121", "0", "1", "2"), numbers(Axis.linear("", -1.3, 2.4), 4));
    assertEquals(List.of("0", "500", "1000"), numbers(Axis.linear("", 0, 1100), 4));
    assertEquals(List.of("0", "10\u2076", "2\u00b710\u2076"), numbers(Axis.linear("", 0, 2e6), 3));
    assertEquals(List.of("0.9998", "0.9999", "1"), numbers(Axis.linear("", 0.99975, 1.00001), 3));
  }

  @Test
  void logarithmicTicksAreDecadesOrTheirFifths() {
    assertEquals(
        List.of("10\u207b\u00b9", "1", "10", "10\u00b2", "10\u00b3"),
        numbers(new Axis("", 0.1, 2000, true), 6));
    assertEquals(List.of("2", "5", "10", "20", "50"), numbers(new Axis("", 1.5, 60, true), 6));
    assertEquals(
        List.of("10\u207b\u2078", "10\u207b\u2074", "1"), numbers(new Axis("", 1e-9, 1, true), 3));
  }

  @Test
  void placesGoFromEndToEnd() {
    assertEquals(0.5, new Axis("", 1, 100, true).fraction(10), 1e-15);
    assertEquals(0.25, Axis.linear("", -1, 3).fraction(0), 1e-15);
    assertEquals(0.75, Axis.linear("", -1, 3).downwards().fraction(0), 1e-15);
  }

  @Test
  void aFittedAxisHoldsTheFiniteValues() {
    Axis wide = Axis.fitting("", 100, List.of(new double[] {1, Double.NaN}, new double[] {1e4}));
    assertTrue(wide.log() && wide.low() < 1 && wide.high() > 1e4, wide.toString());
    Axis narrow = Axis.fitting("", 100, List.of(new double[] {-1, Double.POSITIVE_INFINITY, 2}));
    assertFalse(narrow.log());
    assertTrue(narrow.low() < -1 && narrow.high() > 2 && narrow.high() < 3, narrow.toString());
    Axis flat = Axis.around("", 1, 1 + 1e-12);
    assertTrue(flat.high() - flat.low() > 0.1, "noise must not fill the axis: " + flat);
    assertEquals(1, Axis.around("", Double.NaN).high());
  }

  @Test
  void anAxisNeedsARange() {
    assertThrows(IllegalArgumentException.class, () -> Axis.linear("", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> Axis.linear("", Double.NaN, 1));
    assertThrows(IllegalArgumentException.class, () -> new Axis("", 0, 1, true));
  }

  @Test
  void briefNumbersKeepFourDigits() {
    assertEquals("0.6781", Axis.brief(0.67812));
    assertEquals("2000", Axis.brief(2000));
    assertEquals("\u22120.5", Axis.brief(-0.5));
    assertEquals("1.23\u00b710\u207b\u2077", Axis.brief(1.2345e-7));
  }
}
