package org.starling.analysis.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starling.analysis.series.SlopeFit.Scale;

class SeriesTest {
  @Test
  void slopesOnTheThreeScales() {
    double[] t = {1, 2, 4, 7};
    double[] line = {5, 7, 11, 17};
    double[] decay = new double[4];
    double[] power = new double[4];
    for (int i = 0; i < 4; i++) {
      decay[i] = 3 * Math.exp(-0.5 * t[i]);
      power[i] = 3 * Math.pow(t[i], -2);
    }
    assertEquals(2, SlopeFit.of(Scale.LINEAR, t, line, 0.95).slope(), 1e-14);
    SlopeFit rate = SlopeFit.of(Scale.LOG_LINEAR, t, decay, 0.95);
    assertEquals(-0.5, rate.slope(), 1e-14);
    assertEquals(Math.log(3), rate.intercept(), 1e-14);
    assertTrue(rate.high() - rate.low() < 1e-13);
    assertEquals(-2, SlopeFit.of(Scale.LOG_LOG, t, power, 0.95).slope(), 1e-14);
    assertTrue(SlopeFit.of(Scale.LOG_LINEAR, t, power, 0.95).residual() > 0.1);
    SlopeFit part = SlopeFit.between(Scale.LOG_LINEAR, t, decay, 0.2, 3, 0.95);
    assertEquals(3, part.points());
  }

  @Test
  void theIntervalHoldsTheSlopeAsOftenAsItSays() {
    Random random = new Random(1);
    int hits = 0;
    for (int r = 0; r < 400; r++) {
      double[] x = new double[6];
      double[] y = new double[6];
      for (int i = 0; i < 6; i++) {
        x[i] = i;
        y[i] = 3 * i + random.nextGaussian();
      }
      SlopeFit f = SlopeFit.of(Scale.LINEAR, x, y, 0.9);
      hits += f.low() <= 3 && 3 <= f.high() ? 1 : 0;
    }
    assertEquals(0.9, hits / 400.0, 4 * Math.sqrt(0.09 / 400));
  }

  @Test
  void refusesWhatHasNoSlope() {
    double[] t = {1, 2, 3};
    String text =
        assertThrows(
                IllegalArgumentException.class,
                () -> SlopeFit.of(Scale.LOG_LINEAR, t, new double[] {1, 0, 1}, 0.95))
            .getMessage();
    assertTrue(text.contains("point 1"), text);
    assertThrows(
        IllegalArgumentException.class,
        () -> SlopeFit.of(Scale.LINEAR, new double[] {1, 1, 1}, t, 0.95));
    assertThrows(
        IllegalArgumentException.class,
        () -> SlopeFit.of(Scale.LINEAR, new double[] {1, 2}, new double[] {1, 2}, 0.95));
  }

  @Test
  void aStaircaseOfThreePlateaus() {
    int m = 3001;
    double[] t = new double[m];
    double[] y = new double[m];
    for (int i = 0; i < m; i++) {
      t[i] = i * 0.01;
      y[i] =
          0.2 + 0.3 / (1 + Math.exp(-(t[i] - 10) / 0.1)) + 0.5 / (1 + Math.exp(-(t[i] - 20) / 0.1));
    }
    Staircase s = Staircase.of(t, y, 1e-3, 2);
    assertEquals(3, s.plateaus().size());
    assertEquals(0.2, s.plateaus().get(0).value(), 1e-3);
    assertEquals(0.5, s.plateaus().get(1).value(), 1e-3);
    assertEquals(1.0, s.plateaus().get(2).value(), 1e-3);
    assertEquals(10, s.jumps().get(0).time(), 1e-2);
    assertEquals(20, s.jumps().get(1).time(), 1e-2);
    assertEquals(0.5, s.jumps().get(1).height(), 1e-3);
    // 10 to 90 % of a logistic curve of width 0.1.
    assertEquals(0.1 * 2 * Math.log(9), s.jumps().get(1).width(), 1e-2);
    assertEquals(0, Staircase.of(t, y, 1e-3, 25).plateaus().size());
  }
}
