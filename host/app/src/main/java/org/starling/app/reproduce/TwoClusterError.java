package org.starling.app.reproduce;

/**
 * Difference of the angle between two clusters from their own equation: with m1 and m2 tokens at
 * angle a, a' = -sin(a) e (m2/(m1 + m2 e) + m1/(m2 + m1 e)), e = e^{beta (cos a - 1)} (emergence.md
 * 1.10). A token belongs to the nearer of the two named ones when measuring begins.
 */
final class TwoClusterError implements Probe {
  private static final double STEP = 0.02;

  private final ReplicaFacts facts;
  private final int of;
  private final int from;
  private final double start;
  private double time = Double.NaN;
  private double angle;
  private double m1;
  private double m2;

  TwoClusterError(ReplicaFacts facts, int of, int from, double start) {
    this.facts = facts;
    this.of = of;
    this.from = from;
    this.start = start;
  }

  private double slope(double a) {
    double e = Math.exp(facts.beta() * (Math.cos(a) - 1));
    return -Math.sin(a) * e * (m2 / (m1 + m2 * e) + m1 / (m2 + m1 * e));
  }

  private void begin(double t, double[] x) {
    time = t;
    angle = facts.tokens(x).angle(of, from);
    for (int i = 0; i < facts.n(); i++) {
      boolean first = facts.tokens(x).distance(i, of) < facts.tokens(x).distance(i, from);
      m1 += first ? 1 : 0;
      m2 += first ? 0 : 1;
    }
  }

  @Override
  public double at(double t, double[] x) {
    if (t < start) {
      return 0;
    }
    if (Double.isNaN(time)) {
      begin(t, x);
    }
    int steps = (int) Math.ceil((t - time) / STEP);
    double h = steps == 0 ? 0 : (t - time) / steps;
    for (int k = 0; k < steps; k++) {
      double k1 = slope(angle);
      double k2 = slope(angle + h / 2 * k1);
      double k3 = slope(angle + h / 2 * k2);
      double k4 = slope(angle + h * k3);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    time = t;
    return Math.abs(facts.tokens(x).angle(of, from) - angle);
  }
}
