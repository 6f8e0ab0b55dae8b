package org.starling.core.integrate;

import java.util.Locale;
import org.starling.core.model.Precision;

/**
 * How to advance in time. Times are in units of the model's t (one layer of unit residual step is
 * 1).
 *
 * @param method the method
 * @param dt step of the fixed-step methods, &gt; 0; not read by adaptive ones
 * @param rtol relative tolerance per step and token, in [0, 1); read by adaptive methods only
 * @param atol absolute tolerance per step and token, &gt; 0; read by adaptive methods only
 * @param firstStep first step of an adaptive method, &gt; 0, or 0 to choose it from the data
 * @param minStep smallest step an adaptive method may take, &gt;= 0; a step below 16 units in the
 *     last place of t ends the run in any case
 * @param maxSteps most attempts, rejected ones included, per replica, &gt;= 1
 * @param merging how nearly coinciding tokens are merged, or null for not at all
 */
public record IntegratorSpec(
    Method method,
    double dt,
    double rtol,
    double atol,
    double firstStep,
    double minStep,
    long maxSteps,
    Merging merging) {

  public static final double DEFAULT_RTOL = 1e-6;
  public static final double DEFAULT_ATOL = 1e-9;
  public static final long DEFAULT_MAX_STEPS = 100_000_000;

  /** A method that merges nothing. */
  public IntegratorSpec(
      Method method,
      double dt,
      double rtol,
      double atol,
      double firstStep,
      double minStep,
      long maxSteps) {
    this(method, dt, rtol, atol, firstStep, minStep, maxSteps, null);
  }

  public IntegratorSpec {
    java.util.Objects.requireNonNull(method);
    if (!method.adaptive() && !(dt > 0 && dt < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(method.label() + " needs a finite dt > 0, got " + dt);
    }
    if (method.adaptive() && !(rtol >= 0 && rtol < 1)) {
      throw new IllegalArgumentException("rtol must be in [0, 1), got " + rtol);
    }
    if (method.adaptive() && !(atol > 0 && atol < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "atol must be finite and > 0 (a token at the origin has no relative error), got " + atol);
    }
    if (!(firstStep >= 0 && firstStep < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the first step must be finite and > 0, or 0 for an automatic one, got " + firstStep);
    }
    if (!(minStep >= 0 && minStep < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the smallest step must be finite and >= 0, got " + minStep);
    }
    if (maxSteps < 1) {
      throw new IllegalArgumentException("the step limit must be >= 1, got " + maxSteps);
    }
  }

  /**
   * What to say before a run whose tolerances are finer than a precision resolves positions of
   * order 1: rounding would choose its steps.
   *
   * @return a sentence, or null where nothing is to be said
   */
  public String beyondPrecision(Precision precision) {
    double finest =
        8
            * switch (precision) {
              case SINGLE -> 0x1p-23;
              case MIXED -> 0x1p-46;
              case DOUBLE -> 0x1p-52;
            };
    if (!method.adaptive() || rtol >= finest || atol >= finest) {
      return null;
    }
    return String.format(
        Locale.ROOT,
        "rtol %.3g and atol %.3g are finer than precision %s resolves (%.1g): rounding will choose"
            + " the steps, which makes them many and the result no better. Loosen them%s.",
        rtol,
        atol,
        precision.name().toLowerCase(Locale.ROOT),
        finest,
        precision == Precision.DOUBLE ? "" : ", or use a higher precision");
  }

  /** A fixed-step method. */
  public static IntegratorSpec fixed(Method method, double dt) {
    if (method.adaptive()) {
      throw new IllegalArgumentException(method.label() + " chooses its steps itself");
    }
    return new IntegratorSpec(method, dt, DEFAULT_RTOL, DEFAULT_ATOL, 0, 0, DEFAULT_MAX_STEPS);
  }

  /** Dormand and Prince with an automatic first step. */
  public static IntegratorSpec dopri5(double rtol, double atol) {
    return new IntegratorSpec(Method.DOPRI5, 0, rtol, atol, 0, 0, DEFAULT_MAX_STEPS);
  }

  /** An adaptive method with an automatic first step. */
  public static IntegratorSpec adaptive(Method method, double rtol, double atol) {
    if (!method.adaptive()) {
      throw new IllegalArgumentException(method.label() + " has a fixed step");
    }
    return new IntegratorSpec(method, 0, rtol, atol, 0, 0, DEFAULT_MAX_STEPS);
  }

  IntegratorSpec withMethod(Method other) {
    return new IntegratorSpec(other, dt, rtol, atol, firstStep, minStep, maxSteps, merging);
  }

  public IntegratorSpec withFirstStep(double h) {
    return new IntegratorSpec(method, dt, rtol, atol, h, minStep, maxSteps, merging);
  }

  public IntegratorSpec withMinStep(double h) {
    return new IntegratorSpec(method, dt, rtol, atol, firstStep, h, maxSteps, merging);
  }

  public IntegratorSpec withMaxSteps(long steps) {
    return new IntegratorSpec(method, dt, rtol, atol, firstStep, minStep, steps, merging);
  }

  public IntegratorSpec withMerging(Merging m) {
    return new IntegratorSpec(method, dt, rtol, atol, firstStep, minStep, maxSteps, m);
  }
}
