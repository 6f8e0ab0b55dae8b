package org.starling.core.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.Storage;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.run.RowCheck;

/**
 * The check inside a run: a few tokens' velocities at the run's own state, recomputed by the judge.
 * Changes neither the state nor any later bit.
 *
 * <p>Which tokens are looked at moves on from check to check, so that every token's turn comes; the
 * fastest one is always among them, since the rule measures against it. The part of the rule that
 * is a statement about medians is applied to the last checks together: eight tokens have no median
 * to speak of. An error above the cap that straightforward float32 code makes as well on the same
 * rows is a limit of the precision at that state, not a fault of the engine; it is counted.
 */
public final class RowJudge implements RowCheck {
  private static final int POOLED_CHECKS = 16;

  /** Rows whose median error of storage is told. */
  private static final int REMEMBERED = 4096;

  private final Judge judge;
  private final long every;
  private final int rows;
  private final Deque<ToleranceRule.Sample> recent = new ArrayDeque<>();
  private long checks;
  private long beyondPrecision;
  private double worstShare;

  /** Errors of half storage relative to the tokens' speeds, of the last rows. */
  private final Deque<Double> storageErrors = new ArrayDeque<>();

  private long storageRows;
  private double worstStorageError;

  /**
   * @param every accepted steps between two checks
   * @param rows tokens recomputed in a check, besides the fastest
   */
  public RowJudge(Judge judge, long every, int rows) {
    if (every < 1 || rows < 1) {
      throw new IllegalArgumentException(
          "a check needs at least one row and one step, got " + rows + " every " + every);
    }
    this.judge = judge;
    this.every = every;
    this.rows = rows;
  }

  @Override
  public long everySteps() {
    return every;
  }

  /** What is owed of keys that half cannot hold is no number, which no comparison explains. */
  private static Finding beyondStorage(Storage storage, double[] position, int d, int replica) {
    double[] kept = storage.kept(position);
    for (int k = 0; kept != position && k < kept.length; k++) {
      if (!Double.isFinite(kept[k]) && Double.isFinite(position[k])) {
        return new Finding(
            replica,
            k / d,
            String.format(
                Locale.ROOT,
                "Token %d has the coordinate %.6g, and keys and values kept as half reach to 65504:"
                    + " leave execution.storage out",
                k / d,
                position[k]));
      }
    }
    return null;
  }

  /** Looks at one of the active replicas, each in its turn; the others are not evaluated. */
  @Override
  public Finding check(
      Engine engine,
      State x,
      Velocities velocities,
      Layer[] layers,
      boolean[] active,
      Field scratch,
      long number) {
    int replica = turn(active, number);
    if (replica < 0) {
      return null;
    }
    Shape shape = x.shape();
    int n = shape.n();
    int d = shape.d();
    boolean[] only = new boolean[shape.replicas()];
    only[replica] = true;
    velocities.write(layers, only, scratch);
    int fastest = engine.largest(scratch, only)[replica].token();
    int[] tokens = tokens(n, number, Math.max(0, fastest));
    double[] position = part(engine.download(x), replica, n * d);
    Finding beyond = beyondStorage(engine.storage(), position, d, replica);
    if (beyond != null) {
      return beyond;
    }
    double[][] v = VelocityChecks.pick(part(engine.download(scratch), replica, n * d), d, tokens);
    Layer layer = layers[replica];
    Rows rows = judge(engine, position, n, d, layer, tokens, v);
    if (engine.storage() != Storage.FULL) {
      noteStorageErrors(engine.precision(), judge.velocity(position, n, d, layer, tokens), v);
    }
    if (engine.precision() == Precision.MIXED && !(rows.verdict.worstShare() <= 1)) {
      // An engine may evaluate at the float32 value alone; the correction then carries steps only.
      double[] value = new double[position.length];
      for (int c = 0; c < value.length; c++) {
        value[c] = (float) position[c];
      }
      Rows coarse = judge(engine, value, n, d, layer, tokens, v);
      rows = coarse.verdict.worstShare() <= 1 ? coarse : rows;
    }
    Verdict now = rows.verdict;
    checks++;
    int token = now.worstRow() < 0 ? tokens[0] : tokens[now.worstRow()];
    if (!(now.worstShare() <= 1)) {
      double yard =
          engine.precision() == Precision.DOUBLE ? 0 : yardstickShare(rows, n, d, layer, tokens);
      if (now.worstShare() <= ToleranceRule.YARDSTICK_FACTOR * yard) {
        beyondPrecision++;
        return null;
      }
      worstShare = Math.max(worstShare, now.worstShare());
      return new Finding(replica, token, now.sentence());
    }
    worstShare = Math.max(worstShare, now.worstShare());
    Verdict pooled = pool(rows);
    boolean medianKept =
        pooled.compared() < ToleranceRule.TOKENS_FOR_YARDSTICK
            || pooled.medianError() <= pooled.allowedMedianError();
    return medianKept ? null : new Finding(replica, token, pooled.sentence());
  }

  /** Active replica number {@code number}, counted round; -1 without any. */
  private static int turn(boolean[] active, long number) {
    int count = 0;
    for (boolean a : active) {
      count += a ? 1 : 0;
    }
    if (count == 0) {
      return -1;
    }
    int skip = (int) (number % count);
    for (int r = 0; r < active.length; r++) {
      if (active[r] && skip-- == 0) {
        return r;
      }
    }
    throw new IllegalStateException("the count of active replicas changed");
  }

  /** Rows compared at some positions. */
  private record Rows(
      double[] position,
      double[] keys,
      ToleranceRule rule,
      ToleranceRule.Sample sample,
      Verdict verdict) {}

  private Rows judge(
      Engine engine, double[] position, int n, int d, Layer layer, int[] tokens, double[][] v) {
    // Of rounded keys and values the engine owes the exact dynamics, by the same rule.
    double[] keys = engine.storage().kept(position);
    Judge.Rows exact = judge.velocity(position, keys, n, d, layer, tokens);
    List<double[][]> yardstick =
        tokens.length < ToleranceRule.TOKENS_FOR_YARDSTICK
            ? List.of()
            : judge.yardstick(position, keys, n, d, layer, tokens);
    ToleranceRule rule = ToleranceRule.of(engine.precision());
    ToleranceRule.Sample sample = new ToleranceRule.Sample(exact, yardstick, v);
    return new Rows(position, keys, rule, sample, rule.judge(sample));
  }

  private void noteStorageErrors(Precision precision, Judge.Rows exact, double[][] v) {
    for (double e : StorageError.relative(ToleranceRule.of(precision), exact, v)) {
      if (!Double.isNaN(e)) {
        storageErrors.addLast(e);
        storageRows++;
        worstStorageError = Math.max(worstStorageError, e);
        if (storageErrors.size() > REMEMBERED) {
          storageErrors.removeFirst();
        }
      }
    }
  }

  @Override
  public Map<String, Object> storageError() {
    if (storageErrors.isEmpty()) {
      return Map.of();
    }
    double[] sorted = storageErrors.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("rows", storageRows);
    facts.put("median", sorted[sorted.length / 2]);
    facts.put("worst", worstStorageError);
    return facts;
  }

  /** The share of the cap that straightforward float32 code takes on the same rows. */
  private double yardstickShare(Rows rows, int n, int d, Layer layer, int[] tokens) {
    double worst = 0;
    for (double[][] y : judge.yardstick(rows.position, rows.keys, n, d, layer, tokens)) {
      ToleranceRule.Sample plain =
          new ToleranceRule.Sample(rows.sample.reference(), List.<double[][]>of(y), y);
      worst = Math.max(worst, rows.rule.judge(plain).worstShare());
    }
    return worst;
  }

  private Verdict pool(Rows rows) {
    recent.addLast(rows.sample);
    if (recent.size() > POOLED_CHECKS) {
      recent.removeFirst();
    }
    return rows.rule.judge(new ArrayList<>(recent));
  }

  private int[] tokens(int n, long number, int fastest) {
    TreeSet<Integer> chosen = new TreeSet<>();
    chosen.add(fastest);
    int count = Math.min(n, rows);
    // Evenly spread, shifted by the golden section of the gap from one check to the next.
    double gap = (double) n / count;
    double shift = gap * (number * 0.6180339887498949 % 1);
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
        "%d %s against the reference, worst error %.2g of what is allowed%s",
        checks,
        checks == 1 ? "check" : "checks",
        worstShare,
        limit);
  }
}
