package org.starling.core.verify;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/** Velocities and attention outputs of an engine against the judge, one situation at a time. */
final class VelocityChecks {
  private static final boolean[] ACTIVE = {true};

  private final Engine engine;
  private final Engine definition;
  private final Judge judge;

  VelocityChecks(Engine engine, Engine definition, Judge judge) {
    this.engine = engine;
    this.definition = definition;
    this.judge = judge;
  }

  /** One situation: a variant at one inverse temperature on one set of positions. */
  record Situation(Variant variant, double beta, int n, TestCloud cloud) {
    long seed() {
      return 31L * n + variant.d();
    }

    Layer layer() {
      return variant.layer(beta, seed());
    }

    double[] positions() {
      return cloud.positions(n, variant.d(), variant.geometry(), variant.precision(), seed() + 1);
    }
  }

  /**
   * The velocity by the tolerance rule, computed twice: the same bits must come out.
   *
   * @param rows how many tokens the judge recomputes, spread over the index range; all if n is less
   */
  Measurement velocity(Situation s, int rows) {
    Variant variant = s.variant();
    Shape shape = new Shape(1, s.n(), variant.d());
    Layer layer = s.layer();
    Layer[] layers = {layer};
    double[] v;
    boolean repeats;
    FieldReport report;
    try (State x = engine.allocateState(shape);
        Field first = engine.allocateField(shape);
        Field second = engine.allocateField(shape)) {
      engine.upload(x, s.positions());
      report = engine.velocity(x, layers, ACTIVE, first);
      engine.velocity(x, layers, ACTIVE, second);
      v = engine.download(first);
      repeats = Arrays.equals(v, engine.download(second));
    }
    int[] tokens = spread(s.n(), rows);
    int d = variant.d();
    double[] x = s.positions();
    Judge.Rows exact = judge.velocity(x, s.n(), d, layer, tokens);
    List<double[][]> yardstick = judge.yardstick(x, s.n(), d, layer, tokens);
    double[][] mine = pick(v, d, tokens);
    Verdict verdict =
        ToleranceRule.of(engine.precision())
            .judge(new ToleranceRule.Sample(exact, yardstick, mine));
    String remark = verdict.passed() ? "" : verdict.sentence();
    if (remark.isEmpty()
        && tokens.length == s.n()
        && !verdict.agreesOnBelowRange(report.belowRange())) {
      remark = report.belowRange() + " speeds reported below range: " + verdict.sentence();
    }
    if (!repeats) {
      remark = "the same call gave other bits the second time";
    }
    return new Measurement(
        "velocity " + variant.geometry().name().toLowerCase(Locale.ROOT),
        variant.label(),
        d,
        s.beta(),
        s.n(),
        s.cloud().label(),
        verdict.medianError(),
        verdict.worstError(),
        allowed(verdict),
        remark.isEmpty(),
        remark);
  }

  /**
   * The rule bounds shares of a cap; said in the unit of the worst error (relative to the token's own
   * speed) it is that error divided by the share of what is allowed that it takes.
   */
  private static double allowed(Verdict v) {
    return v.worstError() > 0 && v.worstShare() > 0
        ? v.worstError() / (v.worstShare() / v.allowedWorstShare())
        : v.allowedMedianError();
  }

  /** The raw attention output, relative to the largest one. */
  Measurement attend(Situation s) {
    Variant variant = s.variant();
    Layer[] layers = {s.layer()};
    double[] mine = attend(engine, s, layers);
    double[] exact = attend(definition, s, layers);
    double scale = 0;
    for (double u : exact) {
      scale = Math.max(scale, Math.abs(u));
    }
    Sample sample = Sample.absolute(mine, exact, scale);
    // The exponent carries beta units of rounding, the sums a few more.
    double unit = engine.precision() == Precision.DOUBLE ? 0x1p-53 : 0x1p-24;
    double allowed = (64 + 8 * Math.abs(s.beta())) * unit;
    boolean passed = sample.worst() <= allowed;
    return new Measurement(
        "attend",
        variant.label(),
        variant.d(),
        s.beta(),
        s.n(),
        s.cloud().label(),
        sample.median(),
        sample.worst(),
        allowed,
        passed,
        passed ? "" : "error above what is allowed");
  }

  private static double[] attend(Engine e, Situation s, Layer[] layers) {
    Shape shape = new Shape(1, s.n(), s.variant().d());
    try (State x = e.allocateState(shape);
        Field u = e.allocateField(shape)) {
      e.upload(x, s.positions());
      e.attend(x, layers, ACTIVE, u);
      return e.download(u);
    }
  }

  /** Token indices spread over 0 .. n-1, both ends included; all of them if n is at most count. */
  static int[] spread(int n, int count) {
    int[] rows = new int[Math.min(n, count)];
    for (int k = 0; k < rows.length; k++) {
      rows[k] = rows.length == n ? k : (int) ((long) k * (n - 1) / (rows.length - 1));
    }
    return rows;
  }

  static double[][] pick(double[] v, int d, int[] tokens) {
    double[][] rows = new double[tokens.length][];
    for (int k = 0; k < tokens.length; k++) {
      rows[k] = Arrays.copyOfRange(v, tokens[k] * d, (tokens[k] + 1) * d);
    }
    return rows;
  }
}
