package org.starling.analysis.theory;

import org.hipparchus.analysis.solvers.BrentSolver;

/**
 * The exact reduction of full attention with Q = K = V = I on the sphere where all pairs have one
 * inner product gamma (orthonormal or equiangular starts; emergence.md 1.9, Theorem 6.8 of "A
 * mathematical perspective on Transformers"):
 *
 * <p>softmax: gamma' = 2 (1-gamma)((n-1)gamma+1) / (e^{beta(1-gamma)} + n - 1);<br>
 * unnormalised: gamma' = (2/n) e^{beta gamma} (1-gamma)((n-1)gamma+1).
 *
 * <p>Times are quadratures in y = -ln(1 - gamma), whose speed is smooth up to consensus.
 *
 * @param n tokens, at least 2
 * @param beta inverse temperature
 * @param model normalisation of the scores
 */
public record Equiangular(int n, double beta, Model model) {
  private static final double LARGEST_Y = 700;

  /** Softmax (SA) or unnormalised (USA) attention. */
  public enum Model {
    SOFTMAX,
    UNNORMALISED
  }

  public Equiangular {
    if (n < 2 || !Double.isFinite(beta)) {
      throw new IllegalArgumentException(
          "no pair of tokens to follow with n = " + n + ", beta = " + beta);
    }
  }

  /** gamma'. */
  public double rate(double gamma) {
    return (1 - gamma) * relaxation(gamma);
  }

  /** y' = gamma'/(1 - gamma). */
  private double relaxation(double gamma) {
    double factor = 2 * ((n - 1) * gamma + 1);
    return model == Model.SOFTMAX
        ? factor / (Math.exp(beta * (1 - gamma)) + n - 1)
        : factor * Math.exp(beta * gamma) / n;
  }

  /** Rate at which 1 - gamma falls near consensus: 2, or 2 e^beta. */
  public double lateRate() {
    return relaxation(1);
  }

  /**
   * Time from one inner product to a later one.
   *
   * @param from in (-1/(n-1), 1)
   * @param to in [from, 1)
   */
  public double time(double from, double to) {
    if (!(from > -1.0 / (n - 1) && to >= from && to < 1)) {
      throw new IllegalArgumentException(
          "gamma grows within (-1/(n-1), 1); it does not go from " + from + " to " + to);
    }
    return elapsed(-Math.log1p(-from), -Math.log1p(-to));
  }

  private double elapsed(double y0, double y1) {
    return Quadrature.integral(y -> 1 / relaxation(-Math.expm1(-y)), y0, y1);
  }

  /** gamma(t) from gamma(0), to about 1e-12. */
  public double gamma(double start, double t) {
    if (t == 0) {
      return start;
    }
    double y0 = -Math.log1p(-start);
    double high = Math.max(1, y0 + 1);
    while (elapsed(y0, high) < t) {
      high = 2 * high;
      if (high > LARGEST_Y) {
        return 1;
      }
    }
    double y = new BrentSolver(1e-14, 1e-14).solve(1000, v -> elapsed(y0, v) - t, y0, high);
    return -Math.expm1(-y);
  }

  /**
   * The beta for which gamma rises from {@code start} to {@code level} in time t: the phase
   * boundary of the equiangular start.
   *
   * @throws IllegalArgumentException if no beta in [0, 100] does
   */
  public static double boundary(int n, Model model, double start, double level, double t) {
    double fast = new Equiangular(n, 0, model).time(start, level);
    double slow = new Equiangular(n, 100, Model.SOFTMAX).time(start, level);
    if (model == Model.UNNORMALISED || !(fast <= t && t <= slow)) {
      throw new IllegalArgumentException(
          "softmax attention takes between "
              + fast
              + " (beta = 0) and "
              + slow
              + " (beta = 100) to get there; "
              + t
              + " is outside, or the model is another one");
    }
    return new BrentSolver(1e-12)
        .solve(1000, b -> new Equiangular(n, b, model).time(start, level) - t, 0, 100);
  }

  /** gamma(t) = (e^{2t} - 1)/(e^{2t} + n - 1) for beta = 0 and gamma(0) = 0, softmax. */
  public static double atZeroBeta(int n, double t) {
    return Math.expm1(2 * t) / (Math.exp(2 * t) + n - 1);
  }
}
