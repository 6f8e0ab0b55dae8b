package org.starling.app.reproduce;

import java.util.function.DoubleUnaryOperator;

/** A number q with q' = f(q), brought from frame to frame by Runge-Kutta steps of order 4. */
final class ScalarFlow {
  private final DoubleUnaryOperator rate;
  private final double longestStep;
  private double time;
  private double q;

  /**
   * @param rate f
   * @param start q at the time
   */
  ScalarFlow(DoubleUnaryOperator rate, double longestStep, double time, double start) {
    this.rate = rate;
    this.longestStep = longestStep;
    this.time = time;
    this.q = start;
  }

  /** q at a time that is no earlier than that of the call before. */
  double at(double t) {
    int steps = (int) Math.ceil((t - time) / longestStep);
    for (int k = 0; k < steps; k++) {
      double h = (t - time) / steps;
      double k1 = rate.applyAsDouble(q);
      double k2 = rate.applyAsDouble(q + h / 2 * k1);
      double k3 = rate.applyAsDouble(q + h / 2 * k2);
      double k4 = rate.applyAsDouble(q + h * k3);
      q += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    time = t;
    return q;
  }
}
