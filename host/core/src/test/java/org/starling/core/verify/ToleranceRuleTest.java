package org.starling.core.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.Judge;
import org.starling.core.model.Precision;

class ToleranceRuleTest {
  private static final ToleranceRule SINGLE = ToleranceRule.of(Precision.SINGLE);

  /** n tokens of speed 1 in the plane with off weight {@code off} and |V| = 1. */
  private static Judge.Rows unitSpeeds(int n, double off) {
    double[][] v = new double[n][];
    double[] margin = new double[n];
    double[] offWeight = new double[n];
    Arrays.setAll(v, i -> new double[] {1, 0});
    Arrays.fill(margin, Double.POSITIVE_INFINITY);
    Arrays.fill(offWeight, off);
    return new Judge.Rows(v, new double[n], offWeight, new double[n], 1, margin);
  }

  /** The rows with {@code error} added across the velocity. */
  private static double[][] perturbed(Judge.Rows rows, double error) {
    double[][] v = new double[rows.v().length][];
    Arrays.setAll(v, i -> new double[] {rows.v()[i][0], rows.v()[i][1] + error});
    return v;
  }

  private static Verdict judge(Judge.Rows rows, double yardstick, double[][] computed) {
    return SINGLE.judge(
        new ToleranceRule.Sample(rows, List.<double[][]>of(perturbed(rows, yardstick)), computed));
  }

  @Test
  void acceptsWhatIsWithinTwiceTheYardstickAndRefusesMore() {
    Judge.Rows rows = unitSpeeds(40, 0);
    assertTrue(judge(rows, 8e-6, perturbed(rows, 1.5e-5)).passed());
    Verdict v = judge(rows, 5e-6, perturbed(rows, 1.5e-5));
    assertFalse(v.passed(), v.sentence());
    assertEquals(1.5e-5 / 1.01e-4, v.worstShare(), 1e-12);
    assertEquals(2 * 5e-6 / 1.01e-4 + 0.03, v.allowedWorstShare(), 1e-12);
  }

  @Test
  void takesTheLargerOfSeveralYardsticks() {
    Judge.Rows rows = unitSpeeds(40, 0);
    List<double[][]> two = List.of(perturbed(rows, 1e-7), perturbed(rows, 8e-6));
    assertTrue(SINGLE.judge(new ToleranceRule.Sample(rows, two, perturbed(rows, 1.5e-5))).passed());
  }

  @Test
  void leavesTheYardstickAsideForFewTokensButNotTheCaps() {
    Judge.Rows rows = unitSpeeds(3, 0);
    assertTrue(judge(rows, 0, perturbed(rows, 1.9e-5)).passed());
    assertFalse(judge(rows, 1, perturbed(rows, 2.1e-5)).passed(), "median above 2e-5");
    double[][] one = perturbed(rows, 0);
    one[1][1] = 1.0e-4;
    assertTrue(judge(rows, 1, one).passed());
    one[1][1] = 1.02e-4;
    Verdict v = judge(rows, 1, one);
    assertFalse(v.passed(), "a token above 1e-4 of its speed + 1e-6 of the largest");
    assertEquals(1, v.worstRow());
  }

  /** Near an eigenvector of V the speed is a difference of numbers of size |V|. */
  @Test
  void grantsTheRoundingOfAProjectedSelfTermAndNothingForScalarV() {
    double[][] v = {{1e-9, 0}};
    double[] log = {Math.log(1e-9)};
    double[] none = {0};
    double[] margin = {Double.POSITIVE_INFINITY};
    double[][] computed = {{1e-9, 3 * 0x1p-53}};
    ToleranceRule rule = ToleranceRule.of(Precision.DOUBLE);
    Judge.Rows general = new Judge.Rows(v, log, none, new double[] {1}, 1, margin);
    Verdict good = rule.judge(new ToleranceRule.Sample(general, List.of(), computed));
    assertTrue(good.passed(), good.sentence());
    Judge.Rows scalar = new Judge.Rows(v, log, none, none, 1, margin);
    assertFalse(rule.judge(new ToleranceRule.Sample(scalar, List.of(), computed)).passed());
  }

  @Test
  void grantsTheSlackOfCancellationInsideClusters() {
    Judge.Rows rows = unitSpeeds(3, 1000);
    double slack = 4 * 0x1p-24 * 1000;
    assertTrue(judge(rows, 1, perturbed(rows, slack)).passed());
    assertFalse(judge(rows, 1, perturbed(rows, slack + 2.1e-5)).passed());
  }

  @Test
  void refusesNanEverywhere() {
    for (double logSpeed : new double[] {0, -200, Double.NEGATIVE_INFINITY}) {
      Judge.Rows rows = unitSpeeds(40, 0);
      rows.logSpeed()[7] = logSpeed;
      double[][] computed = perturbed(rows, 0);
      computed[7][1] = Double.NaN;
      Verdict v = judge(rows, 1e-5, computed);
      assertFalse(v.passed(), "log speed " + logSpeed);
      assertEquals(7, v.worstRow());
    }
    Judge.Rows tie = unitSpeeds(40, 0);
    tie.scoreMargin()[7] = 0;
    double[][] computed = perturbed(tie, 0);
    computed[7][0] = Double.NaN;
    assertFalse(judge(tie, 1e-5, computed).passed());
  }

  @Test
  void countsTokensBelowRangeAndAsksThemToBeSmall() {
    Judge.Rows rows = unitSpeeds(40, 0);
    rows.v()[3] = new double[2];
    rows.logSpeed()[3] = -1000;
    rows.v()[4] = new double[] {0x1p-104, 0};
    rows.logSpeed()[4] = -104 * Math.log(2);
    double[][] computed = perturbed(rows, 0);
    Verdict v = judge(rows, 1e-5, computed);
    assertTrue(v.passed(), v.sentence());
    assertEquals(1, v.belowRange());
    assertEquals(1, v.borderline());
    assertTrue(v.agreesOnBelowRange(1) && v.agreesOnBelowRange(2));
    assertFalse(v.agreesOnBelowRange(0) || v.agreesOnBelowRange(3));
    computed[3][0] = 1e-5;
    assertFalse(judge(rows, 1e-5, computed).passed());
  }

  @Test
  void comparesZeroSpeedsAgainstTheLargestOnly() {
    Judge.Rows rows = unitSpeeds(1, 0);
    rows.v()[0] = new double[2];
    rows.logSpeed()[0] = Double.NEGATIVE_INFINITY;
    assertTrue(judge(rows, 0, new double[1][2]).passed());
    assertFalse(judge(rows, 0, new double[][] {{1e-30, 0}}).passed());
  }

  @Test
  void leavesTiesOut() {
    Judge.Rows rows = unitSpeeds(40, 1);
    rows.scoreMargin()[0] = 0;
    double[][] computed = perturbed(rows, 0);
    computed[0][0] = -1;
    Verdict v = judge(rows, 1e-5, computed);
    assertTrue(v.passed(), v.sentence());
    assertEquals(1, v.ties());
    rows.scoreMargin()[0] = 1e-3;
    assertFalse(judge(rows, 1e-5, computed).passed());
  }

  @Test
  void owesElevenDigitsInDouble() {
    ToleranceRule rule = ToleranceRule.of(Precision.DOUBLE);
    Judge.Rows rows = unitSpeeds(40, 0);
    assertTrue(
        rule.judge(new ToleranceRule.Sample(rows, List.of(), perturbed(rows, 9e-12))).passed());
    assertFalse(
        rule.judge(new ToleranceRule.Sample(rows, List.of(), perturbed(rows, 1.1e-11))).passed());
  }

  /** Exponentials of unnormalised attention: one token far beyond float32, one near its end. */
  @Test
  void beyondTheLargestNumberOnlyWhatIsNotFinitePasses() {
    Judge.Rows unit = unitSpeeds(40, 0);
    double[][] v = unit.v().clone();
    double[] log = unit.logSpeed().clone();
    v[3] = new double[] {1e60, 0};
    log[3] = Math.log(1e60);
    v[4] = new double[] {3e38, 0};
    log[4] = Math.log(3e38);
    Judge.Rows rows =
        new Judge.Rows(v, log, unit.offWeight(), unit.selfWeight(), 1, unit.scoreMargin());
    double[][] computed = perturbed(rows, 0);
    computed[3] = new double[] {Double.POSITIVE_INFINITY, Double.NaN};
    Verdict good = judge(rows, 0, computed);
    assertTrue(good.passed(), good.sentence());
    assertEquals(1, good.aboveRange());
    assertEquals(39, good.compared());
    computed[4] = new double[] {Double.NEGATIVE_INFINITY, 0};
    assertTrue(judge(rows, 0, computed).passed(), "near the end it may be either");
    computed[4] = new double[] {1e38, 0};
    assertFalse(judge(rows, 0, computed).passed(), "but no wrong number");
    computed[4] = v[4];
    computed[3] = new double[] {3.4e38, 0};
    assertFalse(judge(rows, 0, computed).passed(), "a finite number far beyond the range");
    computed[3] = new double[] {Double.NaN, 0};
    computed[7] = new double[] {1 + 1e-3, 0};
    assertFalse(judge(rows, 0, computed).passed(), "the others owe what they owed");
    computed[7] = new double[] {Double.NaN, 0};
    assertFalse(judge(rows, 0, computed).passed(), "NaN inside the range");
  }
}
