package org.starling.analysis.theory;

import java.util.function.DoubleUnaryOperator;
import org.hipparchus.analysis.integration.IterativeLegendreGaussIntegrator;
import org.hipparchus.exception.MathRuntimeException;

/** Definite integrals of smooth functions to about twelve digits. */
final class Quadrature {
  private static final int POINTS = 24;
  private static final double RELATIVE = 1e-12;
  private static final double ABSOLUTE = 1e-300;
  private static final int EVALUATIONS = 2_000_000;

  private Quadrature() {}

  /**
   * @throws ArithmeticException if the integral does not converge or is not finite
   */
  static double integral(DoubleUnaryOperator f, double from, double to) {
    if (from == to) {
      return 0;
    }
    double value;
    try {
      value =
          new IterativeLegendreGaussIntegrator(POINTS, RELATIVE, ABSOLUTE)
              .integrate(EVALUATIONS, f::applyAsDouble, from, to);
    } catch (MathRuntimeException e) {
      throw new ArithmeticException(
          "the integral from " + from + " to " + to + " did not converge: " + e.getMessage());
    }
    if (!Double.isFinite(value)) {
      throw new ArithmeticException("the integral from " + from + " to " + to + " is " + value);
    }
    return value;
  }
}
