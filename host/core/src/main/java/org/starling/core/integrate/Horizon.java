package org.starling.core.integrate;

import java.util.List;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Precision;
import org.starling.core.model.Spectrum;
import org.starling.core.model.Weight;

/**
 * Where the rescaled geometry stops being computable. With x = e^{tV} z growing like e^{lambda_1 t}
 * while the differences inside a cluster stay of order 1, the winner inside a cluster is rounding
 * once lambda_1 t exceeds ln(1/eps) less the initial contrast: in practice about 28 in float64 and
 * 12 in float32. With several heads the value matrices e^{-tV} V_h e^{tV} leave the range of
 * float64 too when -lambda_min t nears 709.
 *
 * @param time last time that can be reached; infinite where there is no horizon
 * @param sentence what happens there
 */
record Horizon(double time, String sentence) {
  private static final double GROWTH_DOUBLE = 28;
  private static final double GROWTH_SINGLE = 12;
  private static final double RANGE = 700;
  private static final Horizon NONE = new Horizon(Double.POSITIVE_INFINITY, "");

  static Horizon of(Dynamics dynamics, Precision precision) {
    if (dynamics.geometry() != Geometry.RESCALED) {
      return NONE;
    }
    List<Head> heads = dynamics.weights().heads(0);
    Weight v = Dynamics.totalValue(heads);
    Spectrum spectrum = Spectrum.of(v);
    double growth = spectrum.largestRealPart();
    boolean wide = precision == Precision.DOUBLE;
    double limit = wide ? GROWTH_DOUBLE : GROWTH_SINGLE;
    double resolution = growth > 0 ? limit / growth : Double.POSITIVE_INFINITY;
    double decay = -spectrum.smallestRealPart();
    double range = heads.size() > 1 && decay > 0 ? RANGE / decay : Double.POSITIVE_INFINITY;
    if (Math.min(resolution, range) == Double.POSITIVE_INFINITY) {
      return NONE;
    }
    if (range < resolution) {
      return new Horizon(
          range,
          String.format(
              java.util.Locale.ROOT,
              "at t = %.6g the value matrices e^{-tV} V_h e^{tV} leave the range of float64"
                  + " (smallest eigenvalue of V has real part %.6g); use geometry euclidean for"
                  + " these heads",
              range,
              -decay));
    }
    return new Horizon(
        resolution,
        String.format(
            java.util.Locale.ROOT,
            "at t = %.6g lambda_1 t has reached %.0f (lambda_1 = %.6g, the largest real part of the"
                + " spectrum of V), the resolution horizon of %s: beyond it the winner inside a"
                + " cluster is decided by rounding. %sWhere every attention row has become a basis"
                + " vector e_l(i), the exact terminal law goes on from t0: z_l = const, z_i(t) - z_l"
                + " = e^{-(t-t0)V} (z_i(t0) - z_l), x_i(t) - x_l(t) = const",
            resolution,
            limit,
            growth,
            wide ? "float64" : "float32",
            wide ? "" : "Precision double reaches lambda_1 t = 28. "));
  }
}
