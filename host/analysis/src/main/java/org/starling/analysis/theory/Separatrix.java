package org.starling.analysis.theory;

import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;

/**
 * Three tokens on the circle under the causal mask with Q = K = V = I, started at lifted angles 0,
 * phi_2, phi_3: below a separatrix phi_3* the third token goes to 0, above it to 2 pi (causal.md
 * 1.4, test 10).
 */
public final class Separatrix {
  private static final double LONGEST = 1e6;
  private static final double HALVINGS = 60;

  private Separatrix() {}

  /**
   * phi_3* by bisection, to about 1e-9.
   *
   * @param beta &gt;= 0; large ones take e^{2 beta} time units and are refused above 8
   * @param phi2 in (0, pi)
   */
  public static double angle(double beta, double phi2) {
    if (!(beta >= 0 && beta <= 8 && phi2 > 0 && phi2 < Math.PI)) {
      throw new IllegalArgumentException(
          "the separatrix is found for beta in [0, 8] and phi_2 in (0, pi), not "
              + beta
              + ", "
              + phi2);
    }
    double low = phi2;
    double high = 2 * Math.PI - 1e-9;
    for (int k = 0; k < HALVINGS && high - low > 1e-12; k++) {
      double middle = (low + high) / 2;
      if (goesBack(beta, phi2, middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** Whether the third token ends at 0 rather than at 2 pi. */
  public static boolean goesBack(double beta, double phi2, double phi3) {
    OrdinaryDifferentialEquation field =
        new OrdinaryDifferentialEquation() {
          @Override
          public int getDimension() {
            return 2;
          }

          @Override
          public double[] computeDerivatives(double t, double[] phi) {
            return new double[] {velocity(beta, phi[0], 0), velocity(beta, phi[1], 0, phi[0])};
          }
        };
    double[] state = {phi2, phi3};
    double t = 0;
    double step = 1;
    while (t < LONGEST) {
      state =
          new DormandPrince853Integrator(1e-10, step, 1e-13, 1e-13)
              .integrate(field, new ODEState(0, state), step)
              .getPrimaryState();
      t += step;
      step = Math.max(1, t / 4);
      // The second token is at 0 and the third has left the saddle at pi.
      if (state[0] < 0.1 && Math.abs(state[1] - Math.PI) > 0.5) {
        return state[1] < Math.PI;
      }
    }
    throw new ArithmeticException(
        "the third token at " + phi3 + " has not decided by t = " + LONGEST);
  }

  /** Velocity of a token at phi that sees itself and the others. */
  private static double velocity(double beta, double phi, double... others) {
    double sum = 0;
    double z = 1;
    for (double other : others) {
      double half = Math.sin((phi - other) / 2);
      double w = Math.exp(-2 * beta * half * half);
      z += w;
      sum += w * Math.sin(other - phi);
    }
    return sum / z;
  }
}
