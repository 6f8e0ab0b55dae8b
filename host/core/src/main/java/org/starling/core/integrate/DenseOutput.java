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
    int replicas = which.length;
    boolean[] inside = new boolean[replicas];
    boolean[] atEnd = new boolean[replicas];
    double[][] c = new double[Tableau.USED.length][replicas];
    for (int r = 0; r < replicas; r++) {
      if (!which[r]) {
        continue;
      }
      stepper.checkInside(r, t[r]);
      atEnd[r] = t[r] == stepper.time[r];
      inside[r] = !atEnd[r];
      if (inside[r]) {
        double h = stepper.time[r] - stepper.previous[r];
        double[] w = Tableau.dense((t[r] - stepper.previous[r]) / h);
        for (int m = 0; m < w.length; m++) {
          c[m][r] = h * w[m];
        }
      }
    }
    if (!Stepper.none(atEnd)) {
      stepper.copy(stepper.x, out, atEnd);
    }
    if (!Stepper.none(inside)) {
      stepper.engine.combine(out, end, c, used, inside);
      stepper.retract(out, inside);
    }
  }
}
