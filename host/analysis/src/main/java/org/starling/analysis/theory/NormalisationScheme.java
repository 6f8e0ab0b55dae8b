package org.starling.analysis.theory;

import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;

/**
 * Equiangular dynamics under the normalisation schemes (Karagodin, Ge, Polyanskiy, Rigollet, arXiv
 * 2510.22026; causal.md 4.1) with Q = K = V = I and full attention: g' = (2/s) w (1-g)((n-1)g+1), w
 * = e^{beta g}/Z, Z = e^beta + (n-1)e^{beta g}, where s is the scheme's speed factor and the radius
 * r grows by dr.
 */
public enum NormalisationScheme {
  /** s = 1, r constant. */
  POST,
  /** s = r, r' = &lt;theta, A&gt;. */
  PRE,
  /** Post-LN until the switch time, then Pre-LN. */
  MIX,
  /** s = r |A|, r' = &lt;theta, A&gt;/|A|. */
  PERI,
  /** s = |A|/alpha, r constant. */
  NGPT,
  /** s = sqrt(t+1), r constant. */
  SQRT;

  /**
   * Parameters of a run.
   *
   * @param n tokens, at least 2
   * @param beta inverse temperature
   * @param radius r(0), &gt; 0; read by PRE, MIX and PERI
   * @param switchTime of MIX, &gt;= 0
   * @param alpha step of NGPT, &gt; 0
   */
  public record Setting(int n, double beta, double radius, double switchTime, double alpha) {
    public Setting {
      if (n < 2 || !(radius > 0) || !(switchTime >= 0) || !(alpha > 0)) {
        throw new IllegalArgumentException(
            "need n >= 2, r(0) > 0, tau >= 0, alpha > 0; got "
                + n
                + ", "
                + radius
                + ", "
                + switchTime
                + ", "
                + alpha);
      }
    }
  }

  /** Inner product and radius at a time. */
  public record Point(double g, double radius) {}

  private double speed(Setting p, double t, double g, double r) {
    double others = (p.n - 1) * Math.exp(-p.beta * (1 - g));
    double a = 1 / (1 + others);
    double w = Math.exp(-p.beta * (1 - g)) * a;
    return 2 / scale(p, t, g, r, a, w) * w * (1 - g) * ((p.n - 1) * g + 1);
  }

  private double scale(Setting p, double t, double g, double r, double a, double w) {
    switch (this) {
      case POST:
        return 1;
      case PRE:
        return r;
      case MIX:
        return t <= p.switchTime ? 1 : r;
      case PERI:
        return r * norm(p, g, a, w);
      case NGPT:
        return norm(p, g, a, w) / p.alpha;
      case SQRT:
        return Math.sqrt(t + 1);
      default:
        throw new AssertionError(this);
    }
  }

  /** |A|. */
  private static double norm(Setting p, double g, double a, double w) {
    double m = p.n;
    return Math.sqrt(a * a + 2 * a * w * (m - 1) * g + w * w * ((m - 1) + (m - 1) * (m - 2) * g));
  }

  private double growth(Setting p, double t, double g) {
    double others = (p.n - 1) * Math.exp(-p.beta * (1 - g));
    double a = 1 / (1 + others);
    double w = Math.exp(-p.beta * (1 - g)) * a;
    double along = a + (p.n - 1) * w * g;
    switch (this) {
      case PRE:
        return along;
      case MIX:
        return t <= p.switchTime ? 0 : along;
      case PERI:
        return along / norm(p, g, a, w);
      default:
        return 0;
    }
  }

  /**
   * g'(0) at g = 0: 2/(e^beta+n-1) for Post, sqrt and Mix; over r for Pre; 2/(r sqrt(e^{2 beta} + n
   * - 1)) for Peri and 2 alpha/sqrt(e^{2 beta}+n-1) for nGPT.
   */
  public double initialSlope(Setting p) {
    return speed(p, 0, 0, p.radius);
  }

  /** g and r at time t &gt;= 0 from g(0), to about 1e-10. */
  public Point at(Setting p, double start, double t) {
    double[] state = {-Math.log1p(-start), p.radius};
    double pause = this == MIX ? Math.min(t, p.switchTime) : t;
    state = advance(p, state, 0, pause);
    state = advance(p, state, pause, t);
    return new Point(-Math.expm1(-state[0]), state[1]);
  }

  /** Integrates y = -ln(1-g) and r; y keeps the digits of 1 - g. */
  private double[] advance(Setting p, double[] state, double from, double to) {
    if (!(to > from)) {
      return state;
    }
    // Just inside the interval, so that the switch falls on its side.
    double inside = this == MIX && from == p.switchTime ? 1e-12 * Math.max(1, from) : 0;
    OrdinaryDifferentialEquation field =
        new OrdinaryDifferentialEquation() {
          @Override
          public int getDimension() {
            return 2;
          }

          @Override
          public double[] computeDerivatives(double t, double[] y) {
            double g = -Math.expm1(-y[0]);
            double gap = Math.exp(-y[0]);
            double when = Math.max(t, from + inside);
            return new double[] {speed(p, when, g, y[1]) / gap, growth(p, when, g)};
          }
        };
    return new DormandPrince853Integrator(1e-12, to - from, 1e-12, 1e-12)
        .integrate(field, new ODEState(from, state), to)
        .getPrimaryState();
  }

  /**
   * Late decay of 1 - g: e^{-2t} for Post, t^{-2} for Pre, Mix and Peri, e^{-4 sqrt t} for sqrt,
   * e^{-2 alpha t} for nGPT. (The paper's display of the variance has the scale alpha for nGPT
   * where its table needs 1/alpha; causal.md 4.1.)
   */
  public String lateLaw() {
    switch (this) {
      case POST:
        return "1 - g ~ e^{-2t}";
      case NGPT:
        return "1 - g ~ e^{-2 alpha t}";
      case SQRT:
        return "1 - g ~ e^{-4 sqrt(t)}";
      default:
        return "1 - g ~ t^{-2}";
    }
  }
}
