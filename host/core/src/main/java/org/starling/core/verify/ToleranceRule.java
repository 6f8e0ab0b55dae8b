package org.starling.core.verify;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Judge;
import org.starling.core.model.Precision;

/**
 * How far a computed velocity may be from the definition.
 *
 * <p>With err_i = |v_i - ref_i|, speed_i = |ref_i|, off_i = 1 - w_ii and eps = 2^-24, a token owes
 * in single and mixed precision
 *
 * <pre>
 *   err_i &lt;= cap_i = 1e-4 speed_i + 1e-6 max_k speed_k + slack_i,  slack_i = 4 eps (off_i + self_i) |V|
 * </pre>
 *
 * the median of (err_i - slack_i)+ / speed_i is at most 2e-5, and both the worst and the median
 * share err_i / cap_i are at most twice those of straightforward split-sum float32 code on the same
 * input (plus {@value #SHARE_FLOOR}, a few eps of the own speed). In double precision a token owes
 * err_i &lt;= 1e-11 speed_i + 4 * 2^-53 (off_i + self_i) |V|. Here self_i is W_i where the sphere
 * projects a self term W_i P(V x_i), for V other than c I, and 0 elsewhere: near an eigenvector of
 * V, where tokens end, that term is a small difference of numbers of size |V|, and the rounding of
 * x_i alone moves it by eps |V|.
 *
 * <p>Of two equally good programs one is often lucky at the one token that decides a worst case. So
 * the yardstick is the larger error of several orders of summation, and it is applied only from
 * {@value #TOKENS_FOR_YARDSTICK} tokens on; states of few tokens are best judged together.
 *
 * <p>Tokens slower than the range of the precision ({@link FieldReport}) are not compared, only
 * counted; what was computed for them must be as small. Hardmax rows within rounding of a tie are
 * not compared either. Where the velocity itself is beyond the largest number of the precision (the
 * exponentials of unnormalised attention) the token owes a value that is not finite, which ends a
 * run, and no number. Elsewhere NaN never passes.
 */
public final class ToleranceRule {
  /** Factor by which an engine may exceed the yardstick. */
  public static final double YARDSTICK_FACTOR = 2;

  /** Share of the cap that is always allowed. */
  public static final double SHARE_FLOOR = 0.03;

  /** Sums of numbers within this factor of the largest may be beyond it. */
  private static final double NEAR = 1024;

  /** Fewer compared tokens than this say nothing about the yardstick's statistics. */
  public static final int TOKENS_FOR_YARDSTICK = 32;

  private final double ownSpeed;
  private final double largestSpeed;
  private final double medianError;
  private final double epsilon;
  private final double smallest;
  private final double largest;
  private final boolean yardstick;

  private ToleranceRule(boolean single) {
    ownSpeed = single ? 1e-4 : 1e-11;
    largestSpeed = single ? 1e-6 : 0;
    medianError = single ? 2e-5 : 1e-11;
    epsilon = single ? 0x1p-24 : 0x1p-53;
    smallest = single ? FieldReport.SMALLEST_SINGLE : FieldReport.SMALLEST_DOUBLE;
    largest = single ? Float.MAX_VALUE : Double.MAX_VALUE;
    yardstick = single;
  }

  /** The rule for a working precision. */
  public static ToleranceRule of(Precision precision) {
    return new ToleranceRule(precision != Precision.DOUBLE);
  }

  /**
   * Rows of one state.
   *
   * @param reference the definition on exactly the state the engine holds
   * @param yardstick as {@link Judge#yardstick} gave it; may be empty in double precision
   * @param computed velocities to judge, {@code [rows][d]}
   */
  public record Sample(Judge.Rows reference, List<double[][]> yardstick, double[][] computed) {}

  /** Judges the rows of one state. */
  public Verdict judge(Sample sample) {
    return judge(List.of(sample));
  }

  /** Judges the rows of several states together. */
  public Verdict judge(List<Sample> samples) {
    Tally tally = new Tally();
    for (int s = 0; s < samples.size(); s++) {
      add(tally, samples.get(s), s);
    }
    return tally.verdict(this);
  }

  private void add(Tally tally, Sample sample, int index) {
    Judge.Rows ref = sample.reference();
    if (sample.computed().length != ref.v().length) {
      throw new IllegalArgumentException(
          ref.v().length
              + " rows are to be judged but "
              + sample.computed().length
              + " were given");
    }
    double max = 0;
    for (int i = 0; i < ref.v().length; i++) {
      max = overflow(ref, i) == Overflow.NONE ? Math.max(max, norm(ref.v()[i])) : max;
    }
    for (int i = 0; i < ref.v().length; i++) {
      double err = distance(sample.computed()[i], ref.v()[i]);
      double speed = norm(ref.v()[i]);
      double slack = slack(ref, i);
      double cap = cap(ref, i) + largestSpeed * max;
      boolean zero = ref.logSpeed()[i] == Double.NEGATIVE_INFINITY;
      double overRange = ref.logSpeed()[i] - Math.log(smallest);
      Overflow overflow = overflow(ref, i);
      boolean finite = Double.isFinite(norm(sample.computed()[i]));
      if (overflow == Overflow.SURE || overflow == Overflow.POSSIBLE && !finite) {
        tally.aboveRange++;
        tally.share(finite ? Double.POSITIVE_INFINITY : 0, 0, index, i);
      } else if (!zero && overRange < Math.log(2)) {
        if (overRange < -Math.log(2)) {
          tally.belowRange++;
        } else {
          tally.borderline++;
        }
        tally.share(share(err, cap + 4 * smallest), 0, index, i);
      } else if (ref.scoreMargin()[i] <= epsilon * (2 * ref.v()[i].length + 8)) {
        tally.ties++;
        tally.share(Double.isFinite(err) ? 0 : Double.NaN, 0, index, i);
      } else {
        double yard = 0;
        for (double[][] y : sample.yardstick()) {
          yard = Math.max(yard, distance(y[i], ref.v()[i]));
        }
        tally.share(share(err, cap), share(yard, cap), index, i);
        if (!zero) {
          tally.error(Math.max(0, err - slack) / speed, share(err, cap), share(yard, cap));
        }
      }
    }
  }

  private enum Overflow {
    NONE,
    POSSIBLE,
    SURE
  }

  /** Whether row i of the definition is beyond what the precision holds, or its weights may be. */
  private Overflow overflow(Judge.Rows ref, int i) {
    if (ref.logSpeed()[i] > Math.log(largest) + Math.log(2)) {
      return Overflow.SURE;
    }
    return ref.logSpeed()[i] > Math.log(largest / NEAR) || ref.offWeight()[i] > largest / NEAR
        ? Overflow.POSSIBLE
        : Overflow.NONE;
  }

  /** Whether row i of the definition has an error relative to its own speed. */
  boolean compares(Judge.Rows ref, int i) {
    return ref.logSpeed()[i] >= Math.log(smallest) && overflow(ref, i) == Overflow.NONE;
  }

  /** The cap of row i without the share of the largest speed. */
  double cap(Judge.Rows ref, int i) {
    return ownSpeed * norm(ref.v()[i]) + slack(ref, i);
  }

  private double slack(Judge.Rows ref, int i) {
    return 4 * epsilon * (ref.offWeight()[i] + ref.selfWeight()[i]) * ref.weightNorm();
  }

  /** err / cap, where nothing may exceed a cap of 0 but an error of 0 meets it. */
  private static double share(double err, double cap) {
    return err == 0 && cap == 0 ? 0 : err / cap;
  }

  private static double norm(double[] v) {
    double scale = 0;
    for (double c : v) {
      scale = Math.max(scale, Math.abs(c));
    }
    if (scale == 0 || !Double.isFinite(scale)) {
      return scale;
    }
    double sum = 0;
    for (double c : v) {
      sum += (c / scale) * (c / scale);
    }
    return scale * Math.sqrt(sum);
  }

  private static double distance(double[] a, double[] b) {
    double[] difference = new double[b.length];
    for (int k = 0; k < difference.length; k++) {
      difference[k] = a[k] - b[k];
    }
    return norm(difference);
  }

  /** Collects the statistics of the compared tokens. */
  private static final class Tally {
    private int belowRange;
    private int borderline;
    private int aboveRange;
    private int ties;
    private double worstShare;
    private double yardstickShare;
    private int worstSample = -1;
    private int worstRow = -1;
    private double[] errors = new double[64];
    private double[] shares = new double[64];
    private double[] yards = new double[64];
    private int compared;

    void share(double share, double yard, int sample, int row) {
      if (worstRow < 0 || !(share <= worstShare) && !Double.isNaN(worstShare)) {
        worstShare = share;
        worstSample = sample;
        worstRow = row;
      }
      yardstickShare = Math.max(yardstickShare, yard);
    }

    void error(double error, double share, double yard) {
      if (compared == errors.length) {
        errors = Arrays.copyOf(errors, 2 * compared);
        shares = Arrays.copyOf(shares, 2 * compared);
        yards = Arrays.copyOf(yards, 2 * compared);
      }
      errors[compared] = error;
      shares[compared] = share;
      yards[compared] = yard;
      compared++;
    }

    Verdict verdict(ToleranceRule rule) {
      boolean enough = rule.yardstick && compared >= TOKENS_FOR_YARDSTICK;
      return new Verdict(
          compared,
          belowRange,
          borderline,
          aboveRange,
          ties,
          median(errors, compared),
          rule.medianError,
          compared == 0 ? 0 : Arrays.stream(errors, 0, compared).max().getAsDouble(),
          median(shares, compared),
          enough ? allowed(median(yards, compared)) : 1,
          worstShare,
          enough ? allowed(yardstickShare) : 1,
          worstSample,
          worstRow);
    }

    private static double allowed(double yard) {
      double share = YARDSTICK_FACTOR * yard + SHARE_FLOOR;
      return share <= 1 ? share : 1;
    }

    private static double median(double[] values, int count) {
      if (count == 0) {
        return 0;
      }
      double[] sorted = Arrays.copyOf(values, count);
      Arrays.sort(sorted);
      return count % 2 == 1 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
    }
  }
}
