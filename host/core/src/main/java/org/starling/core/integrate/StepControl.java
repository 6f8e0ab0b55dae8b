package org.starling.core.integrate;

import org.starling.core.engine.StepLaw;
import org.starling.core.model.Precision;

/**
 * Step size control of a 5(4) pair: the PI controller of Gustafsson with the constants of Hairer,
 * Norsett and Wanner, Solving Ordinary Differential Equations I, section II.4 and the code DOPRI5.
 *
 * <p>With err the error in units of the tolerance: an accepted step is followed by h 0.9 err^-0.17
 * errOld^0.04 within [0.1 h, 10 h], and not by a larger one right after a rejection; a rejected
 * attempt by h 0.9 err^-0.17, at least 0.2 h, and by 0.1 h where err is not a number.
 */
final class StepControl {
  static final double SAFETY = 0.9;
  static final double BETA = 0.04;
  static final double ALPHA = 0.2 - 0.75 * BETA;
  static final double LARGEST_GROWTH = 10;
  static final double SMALLEST_AFTER_ACCEPT = 0.1;
  static final double SMALLEST_AFTER_REJECT = 0.2;
  static final double AFTER_NON_FINITE = 0.1;

  /** Error memory at a start, and the least that is remembered. */
  static final double ERROR_FLOOR = 1e-4;

  private StepControl() {}

  /** The same for engines that make whole steps. */
  static StepLaw law(IntegratorSpec spec, Precision precision) {
    return new StepLaw(
        SAFETY,
        ALPHA,
        BETA,
        LARGEST_GROWTH,
        SMALLEST_AFTER_ACCEPT,
        SMALLEST_AFTER_REJECT,
        AFTER_NON_FINITE,
        ERROR_FLOOR,
        spec.atol(),
        spec.rtol(),
        spec.minStep(),
        ResolutionWatch.resolved(precision),
        Standstill.STUCK);
  }

  static double afterAccept(double h, double err, double errOld, boolean justRejected) {
    double factor = SAFETY * Math.pow(err, -ALPHA) * Math.pow(errOld, BETA);
    factor = Math.max(SMALLEST_AFTER_ACCEPT, Math.min(LARGEST_GROWTH, factor));
    return h * (justRejected ? Math.min(1, factor) : factor);
  }

  static double afterReject(double h, double err) {
    if (!(err < Double.POSITIVE_INFINITY)) {
      return h * AFTER_NON_FINITE;
    }
    return h * Math.max(SMALLEST_AFTER_REJECT, SAFETY * Math.pow(err, -ALPHA));
  }

  /**
   * First guess: an explicit Euler step that moves the state by 1 percent of itself. Norms in units
   * of the tolerance.
   *
   * @param d0 norm of the state
   * @param d1 norm of the velocity
   */
  static double firstGuess(double d0, double d1) {
    double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * (d0 / d1);
    return h > 0 && h < Double.POSITIVE_INFINITY ? h : 1e-6;
  }

  /**
   * The automatic first step.
   *
   * @param guess {@link #firstGuess}
   * @param d1 norm of the velocity
   * @param d2 norm of the second derivative, from the velocity after an Euler step of size guess
   */
  static double first(double guess, double d1, double d2) {
    double d = Math.max(d1, d2);
    if (!(d < Double.POSITIVE_INFINITY)) {
      return guess;
    }
    double h = d <= 1e-15 ? Math.max(1e-6, guess * 1e-3) : Math.pow(0.01 / d, 0.2);
    return Math.min(100 * guess, h);
  }
}
