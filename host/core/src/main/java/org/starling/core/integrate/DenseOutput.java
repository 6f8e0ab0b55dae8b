package org.starling.core.integrate;

import org.starling.core.engine.Field;
import org.starling.core.engine.State;

/** States within the last steps of a stepper by Dormand and Prince's continuous extension. */
final class DenseOutput {
  private DenseOutput() {}

  /**
   * Writes the states at t[r].
   *
   * @param end new states of the steps, as they were before they were put back on the sphere
   * @param used slopes of {@link Tableau#USED}
   */
  static void write(
      Stepper stepper, State end, Field[] used, double[] t, boolean[] which, State out) {
    double[] into = new double[which.length];
    boolean[] inside = stepper.inside(t, which, into, out);
    double[][] c = new double[Tableau.USED.length][which.length];
    for (int r = 0; r < which.length; r++) {
      if (inside[r]) {
        double h = stepper.time[r] - stepper.previous[r];
        double[] w = Tableau.dense(into[r] / h);
        for (int m = 0; m < w.length; m++) {
          c[m][r] = h * w[m];
        }
      }
    }
    if (!Stepper.none(inside)) {
      stepper.engine.combine(out, end, c, used, inside);
      stepper.retract(out, inside);
    }
  }
}
