package org.starling.core.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutputTimesTest {
  @Test
  void multiplesAreDecimal() {
    assertArrayEquals(new double[] {0, 0.1, 0.2, 0.3, 0.4}, OutputTimes.every(0.1).until(0.4));
    double[] many = OutputTimes.every(0.1).until(1000);
    assertEquals(10001, many.length);
    assertEquals(700.3, many[7003]);
  }

  @Test
  void theEndIsAlwaysThere() {
    assertArrayEquals(new double[] {0, 0.4, 0.8, 1}, OutputTimes.every(0.4).until(1));
    assertArrayEquals(new double[] {0, 1}, OutputTimes.endsOnly().until(1));
    assertArrayEquals(new double[] {0, 0.5, 3}, OutputTimes.at(List.of(0.0, 0.5, 7.0)).until(3));
  }

  @Test
  void logarithmicTimesHaveEqualRatiosAndExactEnds() {
    double[] t = OutputTimes.logSpaced(1e-3, 10, 5).until(20);
    assertEquals(7, t.length);
    assertEquals(1e-3, t[1]);
    assertEquals(10, t[5]);
    for (int k = 2; k < 6; k++) {
      assertEquals(10, t[k] / t[k - 1], 1e-12);
    }
  }

  @Test
  void timesBeforeTheEndDoNotDependOnIt() {
    double[] shorter = OutputTimes.every(0.07).until(1.01);
    double[] longer = OutputTimes.every(0.07).until(2);
    for (int k = 0; k < shorter.length - 1; k++) {
      assertEquals(longer[k], shorter[k]);
    }
  }

  @Test
  void impossibleTimesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> OutputTimes.every(0));
    assertThrows(IllegalArgumentException.class, () -> OutputTimes.every(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> OutputTimes.at(List.of(2.0, 1.0)));
    assertThrows(IllegalArgumentException.class, () -> OutputTimes.logSpaced(2, 1, 5));
    IllegalArgumentException many =
        assertThrows(IllegalArgumentException.class, () -> OutputTimes.every(1e-9).until(1));
    assertTrue(many.getMessage().contains("save less often"), many.getMessage());
  }
}
