package org.starling.analysis.centres;

import org.hipparchus.analysis.integration.gauss.GaussIntegrator;
import org.hipparchus.analysis.integration.gauss.GaussIntegratorFactory;

/**
 * Renyi's parking constant C = int_0^inf exp(-2 int_0^t (1-e^{-s})/s ds) dt = 0.74759792025...
 * (Renyi 1958): the density of cars of length 1 that park at random until none fits.
 */
public final class ParkingConstant {
  private static final double EULER_GAMMA = 0.5772156649015329;
  private static final int PANELS = 160;
  private static final double CUT = 40;
  private static final double VALUE = quadrature();

  private ParkingConstant() {}

  /** The constant. */
  public static double value() {
    return VALUE;
  }

  /**
   * Panel by panel to the cut, where the inner integral is gamma + ln t up to e^{-cut}: the tail is
   * e^{-2 gamma}/cut.
   */
  private static double quadrature() {
    GaussIntegratorFactory rules = new GaussIntegratorFactory();
    double sum = 0;
    double inner = 0;
    for (int k = 0; k < PANELS; k++) {
      double from = k * CUT / PANELS;
      double to = (k + 1) * CUT / PANELS;
      double start = inner;
      GaussIntegrator panel = rules.legendre(12, from, to);
      for (int q = 0; q < panel.getNumberOfPoints(); q++) {
        double t = panel.getPoint(q);
        sum += panel.getWeight(q) * Math.exp(-2 * (start + rise(rules, from, t)));
      }
      inner += rise(rules, from, to);
    }
    return sum + Math.exp(-2 * EULER_GAMMA) / CUT;
  }

  private static double rise(GaussIntegratorFactory rules, double from, double to) {
    return rules.legendre(12, from, to).integrate(s -> -Math.expm1(-s) / s);
  }
}
