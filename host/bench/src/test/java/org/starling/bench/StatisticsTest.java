package org.starling.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Medians, spreads, and the order in which operations are timed. */
class StatisticsTest {
  @Test
  void mediansAndQuartiles() {
    assertEquals(3, Statistics.median(5, 1, 3));
    assertEquals(2.5, Statistics.median(4, 1, 3, 2));
    assertEquals(0.5, Statistics.spread(1, 2, 3, 4, 5, 6, 7, 8, 9, 6, 6), 0.2);
    assertEquals(1, Statistics.spread(2, 4, 6) * 2);
    assertTrue(Double.isNaN(Statistics.median()));
    assertTrue(Double.isNaN(Statistics.median(1, Double.NaN, 2)));
  }

  @Test
  void operationsTakeTurnsAfterAWarmUp() {
    List<String> order = new ArrayList<>();
    List<Timing> timings =
        Timing.interleaved(2, List.of(noting(order, "a", 2, 1, 4), noting(order, "b", 8, 2, 2)));
    assertEquals(List.of("a", "b", "a", "b", "a", "b"), order);
    // The warm-up is not among the laps; ratios are formed repetition by repetition.
    assertArrayEquals(new double[] {0.5, 2}, timings.get(0).over(timings.get(1)));
    assertEquals(2.5, timings.get(0).median());
    assertArrayEquals(new double[] {10, 2.5}, timings.get(0).rates(10));
  }

  private static Lap.Timed noting(List<String> order, String name, double... seconds) {
    return () -> {
      double wall = seconds[(int) order.stream().filter(name::equals).count()];
      order.add(name);
      return new Lap(wall, wall);
    };
  }
}
