package org.starling.core.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;

/**
 * The check inside a run: a few tokens' velocities at the run's own state, recomputed by the judge.
 * Changes neither the state nor any later bit.
 *
 * <p>Which tokens are looked at moves on with the step, so that every token's turn comes; the fastest
 * one is always among them, since the rule measures against it. The part of the rule that is a
 * statement about medians is applied to the last checks together: eight tokens have no median to
 * speak of. An error above the cap that straightforward float32 code makes as well on the same rows
 * is a limit of the precision at that state, not a fault of the engine; it is counted.
 */
public final class RowCheck {
  private static final int POOLED_CHECKS = 16;

  private final Judge judge;
  private final int rows;
  private final Deque<ToleranceRule.Sample> recent = new ArrayDeque<>();
  private long checks;
  private long beyondPrecision;
  private double worstShare;

  /**
   * @param rows tokens recomputed in a check, besides the fastest
   */
  public RowCheck(Judge judge, int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("a check needs at least one row, got " + rows);
    }
    this.judge = judge;
    this.rows = rows;
  }

  /**
   * What a check found.
   *
   * @param passed whether the run may go on
   * @param token token with the largest share of what is allowed
   * @param share its error over what is allowed, NaN for a velocity that is not finite
   * @param sentence the numbers, for a person
   */
  public record Finding(boolean passed, int token, double share, String sentence) {}

  /**
   * Checks one replica.
   *
   * @param layers the layers in force at the state's time, one a replica
   * @param replica the replica to look at; the others are not evaluated
   * @param scratch a field of the state's shape, overwritten
   * @param step accepted steps so far; decides the tokens
   */
  public Finding check(
      Engine engine, State x, Layer[] layers, int replica, Field scratch, long step) {
    Shape shape = x.shape();
    int n = shape.n();
    int d = shape.d();
    boolean[] active = new boolean[shape.replicas()];
    active[replica] = true;
    engine.velocity(x, layers, active, scratch);
    int fastest = engine.largest(scratch, active)[replica].token();
    int[] tokens = tokens(n, step, fastest);
    double[] position = part(engine.download(x), replica, n * d);
    double[] v = part(engine.download(scratch), replica, n * d);
    Judge.Rows exact = judge.velocity(position, n, d, layers[replica], tokens);
    List<double[][]> yardstick =
        tokens.length < ToleranceRule.TOKENS_FOR_YARDSTICK
            ? List.of()
            : judge.yardstick(position, n, d, layers[replica], tokens);
    ToleranceRule rule = ToleranceRule.of(engine.precision());
    ToleranceRule.Sample sample =
        new ToleranceRule.Sample(exact, yardstick, VelocityChecks.pick(v, d, tokens));
    Verdict now = rule.judge(sample);
    int token = now.worstRow() < 0 ? fastest : tokens[now.worstRow()];
    checks++;
    if (!(now.worstShare() <= 1) && engine.precision() != Precision.DOUBLE) {
      double yard = yardstickShare(rule, position, n, d, layers[replica], tokens, exact);
      if (now.worstShare() <= ToleranceRule.YARDSTICK_FACTOR * yard) {
        beyondPrecision++;
        return new Finding(true, token, now.worstShare(), now.sentence());
      }
    }
    worstShare = Math.max(worstShare, now.worstShare());
    Verdict pooled = pool(rule, sample);
    boolean medianKept =
        pooled.compared() < ToleranceRule.TOKENS_FOR_YARDSTICK
            || pooled.medianError() <= pooled.allowedMedianError();
    boolean passed = now.worstShare() <= 1 && medianKept;
    String sentence = medianKept ? now.sentence() : pooled.sentence();
    return new Finding(passed, token, now.worstShare(), sentence);
  }

  /** The share of the cap that straightforward float32 code takes on the same rows. */
  private double yardstickShare(
      ToleranceRule rule,
      double[] x,
      int n,
      int d,
      Layer layer,
      int[] tokens,
      Judge.Rows exact) {
    double worst = 0;
    for (double[][] y : judge.yardstick(x, n, d, layer, tokens)) {
      worst =
          Math.max(worst, rule.judge(new ToleranceRule.Sample(exact, List.<double[][]>of(y), y)).worstShare());
    }
    return worst;
  }

  private Verdict pool(ToleranceRule rule, ToleranceRule.Sample sample) {
    recent.addLast(sample);
    if (recent.size() > POOLED_CHECKS) {
      recent.removeFirst();
    }
    return rule.judge(new ArrayList<>(recent));
  }

  private int[] tokens(int n, long step, int fastest) {
    TreeSet<Integer> chosen = new TreeSet<>();
    chosen.add(fastest);
    int count = Math.min(n, rows);
    // Evenly spread, shifted by the golden section of the gap from one step to the next.
    double gap = (double) n / count;
    double shift = gap * (step * 0.6180339887498949 % 1);
    for (int k = 0; k < count; k++) {
      chosen.add(Math.min(n - 1, (int) (k * gap + shift)));
    }
    return chosen.stream().mapToInt(Integer::intValue).toArray();
  }

  private static double[] part(double[] all, int replica, int size) {
    return all.length == size
        ? all
        : java.util.Arrays.copyOfRange(all, replica * size, (replica + 1) * size);
  }

  /** Checks made so far. */
  public long checks() {
    return checks;
  }

  /** Largest error so far as a share of what is allowed. */
  public double worstShare() {
    return worstShare;
  }

  /** Checks at states that float32 itself cannot resolve to the cap. */
  public long beyondPrecision() {
    return beyondPrecision;
  }

  /** One line for the summary of a run. */
  public String summary() {
    String limit =
        beyondPrecision == 0
            ? ""
            : ", " + beyondPrecision + " at states that float32 cannot resolve to the cap";
    return String.format(
        Locale.ROOT,
        "%d checks against the reference, worst error %.2g of what is allowed%s",
        checks,
        worstShare,
        limit);
  }
}
