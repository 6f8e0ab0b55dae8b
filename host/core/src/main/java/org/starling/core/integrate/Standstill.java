package org.starling.core.integrate;

import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;

/**
 * Ends replicas next to the largest number, where the steps that are finite round to no motion at
 * all: the clock would go on, by steps that alternate with others that are not finite, and the
 * state would not.
 */
final class Standstill {
  /** Accepted steps in a row that move no token, each after one that was not finite: the end. */
  static final int STUCK = 8;

  private final Stepper stepper;

  /** Such steps so far; not saved, since a run that is resumed there meets the same end. */
  private final int[] stuck;

  Standstill(Stepper stepper) {
    this.stepper = stepper;
    stuck = new int[stepper.replicas];
  }

  /**
   * Looks at accepted steps.
   *
   * @param which replicas whose accepted step followed one that was not finite
   * @param h their steps
   * @param v velocities after them
   */
  void look(boolean[] which, double[] h, Field v) {
    if (Stepper.none(which)) {
      return;
    }
    Engine engine = stepper.engine;
    double[] motion = ResolutionWatch.motion(engine, stepper.x, which, h, v);
    for (int r = 0; r < which.length; r++) {
      if (!which[r]) {
        continue;
      }
      stuck[r] = motion[r] >= ResolutionWatch.resolved(engine.precision()) ? 0 : stuck[r] + 1;
      if (stuck[r] >= STUCK) {
        boolean[] only = new boolean[which.length];
        only[r] = true;
        end(stepper, r, h[r], engine.largest(v, only)[r]);
      }
    }
  }

  /** Ends replica r, whose steps of size h move no token. */
  static void end(Stepper stepper, int r, double h, Engine.Extreme fastest) {
    stepper.fail(
        r,
        Outcome.Kind.NON_FINITE,
        fastest.token(),
        "no step from t = %.6g that moves a token is finite (steps of %.3g move none); token %d"
            + " moves fastest, with speed %.3g, and its scores or positions leave the range of"
            + " the precision. Use a higher precision, an earlier end, or geometry rescaled",
        stepper.time[r],
        h,
        fastest.token(),
        fastest.value());
  }
}
