package org.starling.system.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.app.reproduce.Finding;
import org.starling.app.reproduce.Judgement;
import org.starling.app.reproduce.Series;
import org.starling.app.reproduce.Verdict;
import org.starling.core.experiment.Claim.At;
import org.starling.core.experiment.Claim.Item;
import org.starling.core.experiment.Claim.Over;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.experiment.Measure;

/** What measured series mean for a claim. */
class JudgementTest {
  private static final QuantityCall SPREAD = new QuantityCall(Measure.SPREAD, Map.of());
  private static final double[] T = {0, 1, 2, 3, 4};

  private static Item item(At at, Over over, double low, double high, double settled) {
    return new Item(SPREAD, at, over, low, high, Map.of(), settled, "");
  }

  private static Item end(double atLeast, double settled) {
    return item(new At.End(), new Over.Each(atLeast), 0, 1, settled);
  }

  private static List<Series> ending(double... last) {
    List<Series> all = new ArrayList<>();
    for (double v : last) {
      all.add(new Series(T, new double[] {9, 9, 9, 9, v}));
    }
    return all;
  }

  private static Finding judge(Item item, double[] speeds, List<Series> series) {
    List<Map<String, Double>> none = series.stream().map(s -> Map.<String, Double>of()).toList();
    return new Judgement(none, speeds).of(item, series);
  }

  @Test
  void everySeedCountsUnlessAFractionDoes() {
    double[] still = {0, 0, 0, 0};
    assertEquals(Verdict.HOLDS, judge(end(1, 1e-6), still, ending(0, 1, 0.5, 1)).verdict());
    Finding one = judge(end(1, 1e-6), still, ending(0, 1, 0.5, 2));
    assertEquals(Verdict.FAILS, one.verdict());
    assertEquals(3, one.fulfilled());
    assertEquals(2, one.largest());
    assertEquals(Verdict.HOLDS, judge(end(0.75, 1e-6), still, ending(0, 1, 0.5, 2)).verdict());
  }

  @Test
  void aSeedThatStillMovesIsUndecided() {
    Item item = end(0.75, 1e-6);
    double[] moving = {0, 0, 1e-3, 0};
    assertEquals(Verdict.UNDECIDED, judge(item, moving, ending(0, 1, 5, 5)).verdict());
    assertEquals(Verdict.FAILS, judge(item, moving, ending(0, 5, 5, 5)).verdict());
    assertEquals(Verdict.HOLDS, judge(item, moving, ending(0, 1, 5, 0)).verdict());
    Item always = end(1, Double.POSITIVE_INFINITY);
    assertEquals(Verdict.FAILS, judge(always, moving, ending(0, 1, 5, 0)).verdict());
  }

  @Test
  void nothingMeasuredIsNeverInRange() {
    double[] one = {0};
    Item any = item(new At.End(), new Over.Each(1), -1e300, 1e300, Double.POSITIVE_INFINITY);
    assertEquals(Verdict.FAILS, judge(any, one, ending(Double.NaN)).verdict());
    Item mean =
        item(new At.End(), new Over.Statistic(Over.Kind.MEAN), -9, 9, Double.POSITIVE_INFINITY);
    assertEquals(Verdict.FAILS, judge(mean, new double[2], ending(1, Double.NaN)).verdict());
    Item where =
        new Item(SPREAD, new At.End(), new Over.Each(1), 0, 9, Map.of("model.beta", 3.0), 1, "");
    assertEquals(Verdict.FAILS, judge(where, one, ending(1)).verdict(), "no such replica");
  }

  @Test
  void slicesOfASeries() {
    double[] q = new double[5];
    for (int k = 0; k < 5; k++) {
      q[k] = 3 * Math.exp(-0.5 * T[k]);
    }
    Series s = new Series(T, q);
    assertEquals(-0.5, s.at(new At.Slope(false, true, 0, 4)), 1e-14);
    assertEquals(-0.5, s.at(new At.RateWithin(0.5, 2)), 1e-14);
    assertEquals(q[2], s.at(new At.Time(2.2)));
    assertEquals(q[3], s.at(new At.Extreme(false, 1, 3)));
    assertTrue(s.at(new At.Step(true, 0, 4)) < 0 && s.at(new At.Step(false, 0, 4)) > 0);
    double reached = s.at(new At.Reaches(1));
    assertTrue(reached > 2 && reached < 3, "reached at " + reached);
    assertTrue(Double.isNaN(s.at(new At.Reaches(0.1))));
    assertTrue(Double.isNaN(s.at(new At.Slope(false, true, 0, 1))), "two points are no fit");
  }

  @Test
  void slopeAgainstAParameter() {
    List<Series> series = ending(4, 4, 6, 10, 16);
    List<Map<String, Double>> beta = new ArrayList<>();
    for (double b : new double[] {16, 16, 64, 64, 256}) {
      beta.add(Map.of("model.beta", b));
    }
    Over over = new Over.Against("model.beta", true, true);
    Item item = item(new At.End(), over, 0.45, 0.55, Double.POSITIVE_INFINITY);
    Finding f = new Judgement(beta, new double[5]).of(item, series);
    assertEquals(0.5, f.measured(), 1e-14, "means 4, 8, 16");
    assertEquals(Verdict.HOLDS, f.verdict());
  }
}
