package org.starling.core.verify;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Layer;
import org.starling.core.model.MergedKeys;
import org.starling.core.model.TokenRoles;

/** Velocities and attention outputs of an engine against the judge, one situation at a time. */
final class VelocityChecks {
  private static final boolean[] ACTIVE = {true};

  private final Engine engine;
  private final Judge judge;

  VelocityChecks(Engine engine, Judge judge) {
    this.engine = engine;
    this.judge = judge;
  }

  /** One situation: a variant at one inverse temperature on one set of positions. */
  record Situation(Variant variant, double beta, int n, TestCloud cloud) {
    long seed() {
      return 31L * n + variant.d();
    }

    Layer layer() {
      Layer layer = variant.layer(beta, seed());
      layer = variant.keyed() ? layer.withRoles(weights()) : layer;
      return variant.merged() ? layer.withMerged(groups()) : layer;
    }

    /** Weights between 0.1 and 10. */
    private TokenRoles weights() {
      SplittableRandom random = new SplittableRandom(seed() + 2);
      double[] weight = new double[n];
      Arrays.setAll(weight, i -> Math.pow(10, 2 * random.nextDouble() - 1));
      return new TokenRoles(new boolean[n], weight);
    }

    double[] positions() {
      double[] x =
          cloud.positions(n, variant.d(), variant.geometry(), variant.precision(), seed() + 1);
      // With the full mask, tokens that stand together as keys stand together altogether.
      boolean together = variant.merged() && variant.mask().full();
      return together ? groups().positions(x, 0, variant.d()) : x;
    }

    /** A third as many groups as tokens, their members spread over the whole range. */
    private MergedKeys groups() {
      int groups = (n + 2) / 3;
      int[] leader = new int[n];
      Arrays.setAll(leader, i -> i % groups);
      return new MergedKeys(leader);
    }
  }

  /**
   * The velocity by the tolerance rule, computed twice: the same bits must come out.
   *
   * @param rows how many tokens the judge recomputes, spread over the index range; all if n is less
   */
  Measurement velocity(Situation s, int rows) {
    String operation = "velocity " + s.variant().geometry().name().toLowerCase(Locale.ROOT);
    return judged(operation, s, s.layer(), rows, engine::velocity);
  }

  /**
   * The raw attention output by the same rule: without a projection it is the velocity of the same
   * attention in R^d.
   */
  Measurement attend(Situation s) {
    return judged("attend", s, s.layer().free(), s.n(), engine::attend);
  }

  /** The first slope of whole steps by the same rule. */
  Measurement slope(Situation s, WholeSteps whole, RungeKutta scheme) {
    Measurement m =
        judged(
            "velocity in whole steps",
            s,
            s.layer(),
            s.n(),
            (x, layers, active, out) -> whole.slope(scheme.ofVelocity(), x, layers, active, out));
    return m.on(StepChecks.line(s.variant(), scheme, s.n()));
  }

  private interface Evaluation {
    void run(State x, Layer[] layers, boolean[] active, Field out);
  }

  private Measurement judged(
      String operation, Situation s, Layer definition, int rows, Evaluation evaluation) {
    Variant variant = s.variant();
    Shape shape = new Shape(1, s.n(), variant.d());
    Layer[] layers = {s.layer()};
    double[] positions = s.positions();
    double[] v;
    boolean repeats;
    FieldReport report;
    try (State x = engine.allocateState(shape);
        Field first = engine.allocateField(shape);
        Field second = engine.allocateField(shape)) {
      engine.upload(x, positions);
      engine.dropReport();
      evaluation.run(x, layers, ACTIVE, first);
      report = engine.takeReport();
      evaluation.run(x, layers, ACTIVE, second);
      v = engine.download(first);
      repeats = Arrays.equals(v, engine.download(second));
    }
    int[] tokens = spread(s.n(), rows);
    int d = variant.d();
    // An engine that rounds keys and values owes the dynamics of the rounded ones, by the same
    // rule.
    double[] keys = engine.storage().kept(positions);
    Judge.Rows exact = judge.velocity(positions, keys, s.n(), d, definition, tokens);
    List<double[][]> yardstick = judge.yardstick(positions, keys, s.n(), d, definition, tokens);
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
    Spread errors = errors(verdict, exact, mine);
    return new Measurement(
        operation,
        variant.label(),
        d,
        s.beta(),
        s.n(),
        s.cloud().label(),
        errors.median(),
        errors.worst(),
        errors.allowed(),
        remark.isEmpty(),
        remark);
  }

  /** Errors relative to each token's own speed: the median, and the token closest to its limit. */
  private record Spread(double median, double worst, double allowed) {}

  private Spread errors(Verdict verdict, Judge.Rows exact, double[][] mine) {
    ToleranceRule rule = ToleranceRule.of(engine.precision());
    double[] relative = new double[mine.length];
    int count = 0;
    double worst = 0;
    for (int k = 0; k < mine.length; k++) {
      if (!rule.compares(exact, k) && exact.logSpeed()[k] != Double.NEGATIVE_INFINITY) {
        continue;
      }
      double[] difference = mine[k].clone();
      for (int a = 0; a < difference.length; a++) {
        difference[a] -= exact.v()[k][a];
      }
      double speed = norm(exact.v()[k]);
      double error = speed == 0 ? norm(difference) : norm(difference) / speed;
      relative[count++] = error;
      worst = k == verdict.worstRow() ? error : worst;
    }
    double median = Sample.of(Arrays.copyOf(relative, count)).median();
    // The rule bounds the share of a cap; in the unit of the error the bound is:
    boolean told = worst > 0 && verdict.worstShare() > 0;
    double allowed =
        told
            ? worst / (verdict.worstShare() / verdict.allowedWorstShare())
            : verdict.allowedMedianError();
    return new Spread(median, Double.isNaN(verdict.worstShare()) ? Double.NaN : worst, allowed);
  }

  /**
   * Token indices spread over 0 .. n-1, both ends included; all of them if n is at most count, the
   * first where one is wanted.
   */
  static int[] spread(int n, int count) {
    int[] rows = new int[Math.min(n, count)];
    for (int k = 0; k < rows.length; k++) {
      rows[k] = rows.length == n ? k : (int) ((long) k * (n - 1) / Math.max(1, rows.length - 1));
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

  /** |row|, scaled by its largest entry so that no square underflows. */
  private static double norm(double[] row) {
    double scale = 0;
    for (double c : row) {
      scale = Math.max(scale, Math.abs(c));
    }
    if (scale == 0 || !Double.isFinite(scale)) {
      return scale;
    }
    double square = 0;
    for (double c : row) {
      square += (c / scale) * (c / scale);
    }
    return scale * Math.sqrt(square);
  }
}
