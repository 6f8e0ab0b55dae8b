package org.starling.core.integrate;

import java.util.Arrays;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.State;

/** Automatic first steps (Hairer, Norsett and Wanner, section II.4) where none was given. */
final class FirstStep {
  private FirstStep() {}

  /**
   * First step sizes of some replicas of a stepper that stands at its start; two evaluations.
   *
   * @param probe state to overwrite
   * @param slope takes the velocity at the start
   * @param further field to overwrite
   */
  static double[] choose(
      Stepper stepper, boolean[] which, State probe, Field slope, Field further) {
    Engine engine = stepper.engine;
    IntegratorSpec spec = stepper.spec;
    State x = stepper.x;
    engine.dropReport();
    int replicas = which.length;
    stepper.evaluate(x, stepper.time, which, slope, true);
    double[] one = new double[replicas];
    Arrays.fill(one, 1);
    Field[] first = {slope};
    double[] d1 =
        engine.errorNorm(x, x, new double[][] {one}, first, spec.atol(), spec.rtol(), which);
    Observations.Spread[] norms = engine.observations().norms(x);
    double[] guess = new double[replicas];
    double[] t = stepper.time.clone();
    double[] plus = new double[replicas];
    double[] minus = new double[replicas];
    for (int r = 0; r < replicas; r++) {
      if (which[r]) {
        double largest = norms[r].max();
        double d0 = largest / (spec.atol() + spec.rtol() * largest);
        // Not beyond a barrier: the rescaled geometry has no weights there.
        guess[r] =
            Math.min(StepControl.firstGuess(d0, d1[r]), stepper.barrier(r) - stepper.time[r]);
        t[r] += guess[r];
        plus[r] = 1 / guess[r];
        minus[r] = -plus[r];
      }
    }
    engine.combine(probe, x, new double[][] {guess}, first, which);
    stepper.evaluate(probe, t, which, further, true);
    double[] d2 =
        engine.errorNorm(
            x,
            x,
            new double[][] {plus, minus},
            new Field[] {further, slope},
            spec.atol(),
            spec.rtol(),
            which);
    stepper.collect();
    double[] size = new double[replicas];
    for (int r = 0; r < replicas; r++) {
      size[r] = which[r] ? StepControl.first(guess[r], d1[r], d2[r]) : 0;
    }
    return size;
  }
}
