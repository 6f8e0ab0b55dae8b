package org.starling.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.model.Precision;

/** How measurements are judged. */
class GoalTest {
  @Test
  void belowThreeQuartersIsMissed() {
    Goal fast = Goal.atLeast(0.8);
    assertEquals(Verdict.PASS, fast.judge(0.8));
    assertEquals(Verdict.SHORT, fast.judge(0.79));
    assertEquals(Verdict.SHORT, fast.judge(0.6001));
    assertEquals(Verdict.MISSED, fast.judge(0.5999));
    Goal cheap = Goal.atMost(3);
    assertEquals(Verdict.PASS, cheap.judge(3));
    assertEquals(Verdict.PASS, cheap.judge(0));
    assertEquals(Verdict.SHORT, cheap.judge(3.9));
    assertEquals(Verdict.MISSED, cheap.judge(4.1));
  }

  @Test
  void whatIsNoNumberIsMissed() {
    assertEquals(Verdict.MISSED, Goal.atLeast(1).judge(Double.NaN));
    assertEquals(Verdict.MISSED, Goal.atMost(1).judge(Double.NaN));
    assertEquals(Verdict.MISSED, Goal.atMost(1).judge(Double.POSITIVE_INFINITY));
    assertEquals(Verdict.MISSED, Goal.atLeast(1).judge(-2));
    assertThrows(IllegalArgumentException.class, () -> Goal.atLeast(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Goal.atMost(0));
  }

  @Test
  void ratesGrowWithTheCoresAndRatiosDoNot() {
    Goals two = Goals.of(device("cpu", "2"));
    Goals sixteen = Goals.of(device("cpu", "16"));
    assertEquals(5, two.pairs(2, 0, 0).value());
    assertEquals(40, sixteen.pairs(2, 0, 0).value());
    assertEquals(0.75, sixteen.attention(Precision.SINGLE, 128).value());
    assertEquals(0.55, two.attention(Precision.DOUBLE, 64).value());
    assertNull(two.attention(Precision.DOUBLE, 32));
    assertEquals(18, two.overNumPy(64, true).value());
    Goals gpu = Goals.of(device("gpu", "132"));
    assertEquals(0.5, gpu.attention(Precision.SINGLE, 128).value());
    assertEquals(0.4, gpu.pairs(2, 1e13, 1e9).value(), 1e-12);
  }

  private static DeviceInfo device(String type, String units) {
    return new DeviceInfo(
        "opencl", "opencl:0:0", "name", type, true, 1, 1, null, Map.of("compute units", units));
  }
}
