package org.starling.app.reproduce;

import java.util.BitSet;
import org.starling.analysis.attention.AttentionMatrix;
import org.starling.analysis.attention.AttentionRows;
import org.starling.analysis.attention.Leaders;
import org.starling.core.experiment.Claim.QuantityCall;
import org.starling.core.model.Weight;

/** Quantities of the attention matrix P of the first head. */
final class AttentionProbes {
  private AttentionProbes() {}

  static Probe of(QuantityCall call, ReplicaFacts facts) {
    return switch (call.measure()) {
      case ATTENTION_RANK -> {
        double tolerance = call.number("tolerance");
        yield (t, x) -> new AttentionMatrix(rows(facts, t, x).matrix()).ranks(tolerance)[0];
      }
      case EXTREME_RESIDUAL -> extremeResidual(facts);
      case LEADER_MOTION -> new LeaderMotion(facts);
      case SELF_LEADERS -> (t, x) -> selfLeaders(rows(facts, t, x)).cardinality();
      case LEADERS -> (t, x) -> Leaders.of(rows(facts, t, x)).distinct().length;
      case SELECTOR_RESIDUAL -> (t, x) -> Leaders.of(rows(facts, t, x)).largestResidual();
      case UNIFORMITY -> (t, x) -> uniformity(rows(facts, t, x)) * t * facts.n();
      default -> throw new IllegalArgumentException(call.text());
    };
  }

  static AttentionRows rows(ReplicaFacts facts, double t, double[] x) {
    return new AttentionRows(facts.layer(t), 0, facts.tokens(x));
  }

  /** Tokens whose largest weight is that of themselves. */
  private static BitSet selfLeaders(AttentionRows rows) {
    int[] leader = Leaders.of(rows).leader();
    BitSet own = new BitSet();
    for (int i = 0; i < leader.length; i++) {
      own.set(i, leader[i] == i);
    }
    return own;
  }

  /** How far tokens move, up to the next frame, that lead themselves in a frame. */
  private static final class LeaderMotion implements Probe {
    private final ReplicaFacts facts;
    private BitSet own = new BitSet();
    private double[] before;
    private double largest;

    LeaderMotion(ReplicaFacts facts) {
      this.facts = facts;
    }

    @Override
    public double at(double t, double[] x) {
      for (int i = own.nextSetBit(0); i >= 0; i = own.nextSetBit(i + 1)) {
        largest = Math.max(largest, Probes.distance(x, i, before, i, facts.d()));
      }
      own = selfLeaders(rows(facts, t, x));
      before = x.clone();
      return largest;
    }
  }

  /**
   * Rows of P end as the unit row of the smallest or of the largest token, but for one row at most
   * (Theorem 2.1 of the emergence paper).
   */
  private static Probe extremeResidual(ReplicaFacts facts) {
    if (facts.d() != 1) {
      throw new IllegalArgumentException("extreme-residual is for d = 1, not d = " + facts.d());
    }
    int low = 0;
    int high = 0;
    double[] start = facts.start();
    for (int i = 0; i < facts.n(); i++) {
      low = start[i] < start[low] ? i : low;
      high = start[i] > start[high] ? i : high;
    }
    int least = low;
    int most = high;
    return (t, x) -> {
      AttentionRows rows = rows(facts, t, x);
      double worst = 0;
      double second = 0;
      for (int i = 0; i < facts.n(); i++) {
        double[] p = rows.weights(i);
        double residual = Math.min(others(p, least), others(p, most));
        second = Math.max(second, Math.min(worst, residual));
        worst = Math.max(worst, residual);
      }
      return second;
    };
  }

  /** Sum of all weights but one. */
  private static double others(double[] p, int j) {
    double sum = 0;
    for (int k = 0; k < p.length; k++) {
      sum += k == j ? 0 : p[k];
    }
    return sum;
  }

  private static double uniformity(AttentionRows rows) {
    double worst = 0;
    for (int i = 0; i < rows.n(); i++) {
      for (double p : rows.weights(i)) {
        worst = Math.max(worst, Math.abs(p - 1.0 / rows.n()));
      }
    }
    return worst;
  }

  /** The merged score matrix B = Q^T K of the first head. */
  static Weight merged(ReplicaFacts facts) {
    return facts.dynamics().weights().merged(0).get(0).s();
  }
}
