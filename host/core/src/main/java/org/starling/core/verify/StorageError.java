package org.starling.core.verify;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Half;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Weight;
import org.starling.core.verify.VelocityChecks.Situation;

/**
 * How far velocities with keys and values of 16 bits are from those of the positions themselves:
 * the error of half storage. The tolerance rule says nothing about it, since it asks for the
 * velocity of the rounded keys; this is what the user pays for the memory.
 *
 * <p>A bound, with M = max |x_j|, rho = 2^-11 M + 2^-25 sqrt(d) &gt;= |y_j - x_j|, and delta = beta
 * |S| M rho &gt;= |change of a score|: weights change by a factor within e^{+-2 delta}, and with
 * off_i = 1 - w_ii
 *
 * <pre>
 *   |v_i(y) - v_i(x)| &lt;= off_i |V| ( 3 M (e^{2 delta} - 1) + e^{2 delta} rho )
 * </pre>
 *
 * (the sum of w_ij (x_j - x_i) by the change of weights, 2 M; the self weight of unnormalised
 * attention, M; the values themselves, rho). It is in proportion to off_i, as the speed is where
 * tokens are far apart; inside clusters the speed is smaller and the error relative to it larger.
 */
final class StorageError {
  private static final String LINE = ": error of half storage";

  private static final String OPERATION = "half storage";

  private final Engine engine;
  private final Judge judge;

  StorageError(Engine engine, Judge judge) {
    this.engine = engine;
    this.judge = judge;
  }

  /** The certificate line of a variant. */
  static String line(Variant v) {
    return v.label() + LINE;
  }

  static boolean isLine(String variant) {
    return variant.endsWith(LINE);
  }

  /**
   * How measurements of one kind are told by one: here the largest error itself, since that is what
   * is stated; elsewhere the one that came closest to what is allowed.
   */
  static double rank(String operation, double worst, double allowed) {
    return worst == 0 || operation.equals(OPERATION) ? worst : worst / allowed;
  }

  /** All tokens of a situation. */
  Measurement measure(Situation s) {
    int n = s.n();
    int d = s.variant().d();
    Layer layer = s.layer();
    double[] x = s.positions();
    int[] tokens = VelocityChecks.spread(n, n);
    double[] v;
    Shape shape = new Shape(1, n, d);
    try (State state = engine.allocateState(shape);
        Field field = engine.allocateField(shape)) {
      engine.upload(state, x);
      engine.velocity(state, new Layer[] {layer}, new boolean[] {true}, field);
      engine.dropReport();
      v = engine.download(field);
    }
    Judge.Rows exact = judge.velocity(x, n, d, layer, tokens);
    double[][] mine = VelocityChecks.pick(v, d, tokens);
    ToleranceRule rule = ToleranceRule.of(engine.precision());
    double[] relative = relative(rule, exact, mine);
    double worst = 0;
    double allowed = Double.MIN_NORMAL;
    boolean passed = true;
    for (int k = 0; k < n; k++) {
      // Float32 arithmetic comes on top: what the rule's caps leave to it.
      double bound = (bound(exact, k, x, d, layer) + rule.cap(exact, k)) / norm(exact.v()[k]);
      if (Double.isNaN(relative[k])) {
        passed &= !rule.compares(exact, k);
      } else {
        passed &= relative[k] <= bound;
        if (relative[k] >= worst) {
          worst = relative[k];
          allowed = bound;
        }
      }
    }
    double[] compared = Arrays.stream(relative).filter(e -> !Double.isNaN(e)).toArray();
    return new Measurement(
        OPERATION,
        line(s.variant()),
        d,
        s.beta(),
        n,
        s.cloud().label(),
        Sample.of(compared).median(),
        worst,
        allowed,
        passed,
        passed ? "" : "farther from the velocity of unrounded keys than rounding explains");
  }

  /**
   * |v - exact| / |exact| of each row; NaN for rows that have no error relative to their own speed
   * or are no numbers.
   */
  static double[] relative(ToleranceRule rule, Judge.Rows exact, double[][] v) {
    double[] relative = new double[v.length];
    for (int k = 0; k < v.length; k++) {
      double[] difference = v[k].clone();
      for (int c = 0; c < difference.length; c++) {
        difference[c] -= exact.v()[k][c];
      }
      relative[k] = rule.compares(exact, k) ? norm(difference) / norm(exact.v()[k]) : Double.NaN;
    }
    return relative;
  }

  private static double bound(Judge.Rows exact, int k, double[] x, int d, Layer layer) {
    double largest = 0;
    for (int at = 0; at < x.length; at += d) {
      largest = Math.max(largest, norm(Arrays.copyOfRange(x, at, at + d)));
    }
    double s = 0;
    double v = 0;
    for (Layer.LayerHead head : layer.heads()) {
      s = Math.max(s, spectral(head.s()));
      v = Math.max(v, spectral(head.v()));
    }
    double rho = Half.UNIT * largest + 0.5 * Half.SPACING_BELOW * Math.sqrt(d);
    double growth = 2 * Math.abs(layer.beta()) * s * largest * rho;
    return exact.offWeight()[k] * v * (3 * largest * Math.expm1(growth) + Math.exp(growth) * rho);
  }

  /** A bound of |W|: the geometric mean of the largest row and column sums. */
  private static double spectral(Weight w) {
    return Math.sqrt(w.rowSumNorm() * w.transposed().rowSumNorm());
  }

  /** Speeds may be as small as 1e-200; their squares are not. */
  private static double norm(double[] row) {
    double scale = Arrays.stream(row).map(Math::abs).max().orElse(0);
    if (scale == 0 || !Double.isFinite(scale)) {
      return scale;
    }
    return scale * Math.sqrt(Arrays.stream(row).map(c -> (c / scale) * (c / scale)).sum());
  }
}
