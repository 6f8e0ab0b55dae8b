package org.starling.app.reproduce;

import org.starling.analysis.theory.TokenPair;

/**
 * Difference of the angle between two clusters from their own equation, {@link
 * TokenPair#mergeRate}. A token belongs to the nearer of the two named ones when measuring begins.
 */
final class TwoClusterError implements Probe {
  private static final double STEP = 0.02;

  private final ReplicaFacts facts;
  private final int of;
  private final int from;
  private final double start;

  /** Null before measuring begins. */
  private ScalarFlow angle;

  TwoClusterError(ReplicaFacts facts, int of, int from, double start) {
    this.facts = facts;
    this.of = of;
    this.from = from;
    this.start = start;
  }

  private ScalarFlow begin(double t, double[] x) {
    int near = 0;
    for (int i = 0; i < facts.n(); i++) {
      near += facts.tokens(x).distance(i, of) < facts.tokens(x).distance(i, from) ? 1 : 0;
    }
    double beta = facts.beta();
    double m1 = near;
    double m2 = facts.n() - near;
    return new ScalarFlow(
        a -> TokenPair.mergeRate(beta, m1, m2, a), STEP, t, facts.tokens(x).angle(of, from));
  }

  @Override
  public double at(double t, double[] x) {
    if (t < start) {
      return 0;
    }
    angle = angle == null ? begin(t, x) : angle;
    return Math.abs(facts.tokens(x).angle(of, from) - angle.at(t));
  }
}
