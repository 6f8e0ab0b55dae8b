package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;

/** A theme that compares velocities with the definition by the tolerance rule. */
abstract class VelocityTheme extends ContractTheme {
  /** Evaluates the scenes, each alone, and judges them together. */
  final void assertOwed(List<Scene> scenes) {
    List<ToleranceRule.Sample> samples = new ArrayList<>();
    long counted = 0;
    for (Scene s : scenes) {
      Shape shape = new Shape(1, s.n(), s.d());
      double[] nan = new double[s.n() * s.d()];
      Arrays.fill(nan, Double.NaN);
      try (State x = state(shape, s.x());
          Field v = field(shape, nan)) {
        engine.check(shape, List.of(s.layer()));
        engine.dropReport();
        engine.velocity(x, new Layer[] {s.layer()}, all(1), v);
        FieldReport report = engine.takeReport();
        ToleranceRule.Sample sample =
            sample(engine.download(x), s.n(), s.d(), s.layer(), engine.download(v));
        samples.add(sample);
        counted += report.belowRange();
        assertReport(s, report, sample.reference());
      }
    }
    Verdict verdict = ToleranceRule.of(subject().precision()).judge(samples);
    String where =
        verdict.worstSample() < 0 ? "" : "; that state is " + scenes.get(verdict.worstSample());
    assertTrue(verdict.passed(), () -> verdict.sentence() + where);
    long found = counted;
    assertTrue(
        verdict.agreesOnBelowRange(counted),
        () -> found + " tokens reported below range; " + verdict.sentence() + where);
  }

  /** The rows of one replica with what they owe. */
  final ToleranceRule.Sample sample(double[] x, int n, int d, Layer layer, double[] v) {
    int[] rows = allRows(n);
    Judge judge = subject().judge();
    List<double[][]> yardstick =
        subject().precision() == Precision.DOUBLE
            ? List.of()
            : judge.yardstick(x, n, d, layer, rows);
    return new ToleranceRule.Sample(judge.velocity(x, n, d, layer, rows), yardstick, rows(v, n, d));
  }

  private void assertReport(Scene s, FieldReport report, Judge.Rows reference) {
    assertEquals(0, report.deadRows(), () -> s + ": dead rows without an interaction");
    assertEquals(-1, report.firstDeadRow(), () -> s + ": first dead row");
    assertEquals(report.belowRange() == 0, report.firstBelowRange() == -1, () -> s + ": " + report);
    if (report.belowRange() > 0) {
      double limit =
          subject().precision() == Precision.DOUBLE
              ? FieldReport.SMALLEST_DOUBLE
              : FieldReport.SMALLEST_SINGLE;
      double log = reference.logSpeed()[(int) report.firstBelowRange()];
      assertTrue(
          log < Math.log(2 * limit),
          () -> s + ": token " + report.firstBelowRange() + " is not below range");
    }
  }
}
