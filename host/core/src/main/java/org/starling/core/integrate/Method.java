package org.starling.core.integrate;

import java.util.Arrays;
import java.util.Locale;

/**
 * A one-step method, with the number of state-sized arrays it needs: an accepted state, what it
 * keeps to answer questions about the last step, and its stages.
 */
public enum Method {
  /** x + dt v(x), then back onto the sphere. */
  EULER(1, false, 2, 1),
  /** The explicit trapezoidal rule. */
  HEUN(2, false, 2, 2),
  /** The classical Runge-Kutta method. */
  RK4(4, false, 3, 1),
  /** Dormand and Prince 5(4), adaptive. */
  DOPRI5(5, true, 2, 6),
  /** The discrete Transformer layer: N(x + dt u(x)) on the sphere, x + dt u(x) in R^d. */
  LAYERS(1, false, 2, 1),
  /**
   * x + dt v(x) + sqrt(dt) noise P_x xi, then back onto the sphere, for dynamics with noise: of
   * order 1 in law. Without noise it is {@link #EULER}, bit for bit.
   */
  EULER_MARUYAMA(1, false, 2, 1),
  /**
   * Radau IIA of order 5, adaptive and implicit, for small systems over exponentially long times:
   * see {@link Integrators#whyNotOnHost}.
   */
  RADAU5(5, true, 2, 1),
  /** Euler steps of equal length along the path of all tokens: its t is arclength, not time. */
  ARCLENGTH(1, false, 2, 1);

  private final int order;
  private final boolean adaptive;
  private final int states;
  private final int fields;

  Method(int order, boolean adaptive, int states, int fields) {
    this.order = order;
    this.adaptive = adaptive;
    this.states = states;
    this.fields = fields;
  }

  /** Order of accuracy in the step size. */
  public int order() {
    return order;
  }

  /** Whether steps are chosen by an error estimate. */
  public boolean adaptive() {
    return adaptive;
  }

  /** States in use, the accepted one included. */
  public int states() {
    return states;
  }

  /** Fields in use. */
  public int fields() {
    return fields;
  }

  /** Whether a step solves for its own end, on the host. */
  public boolean implicit() {
    return this == RADAU5;
  }

  /** Name in files: {@code rk4}, {@code euler-maruyama}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The method of this name.
   *
   * @throws IllegalArgumentException naming the known ones
   */
  public static Method of(String label) {
    for (Method m : values()) {
      if (m.label().equals(label)) {
        return m;
      }
    }
    throw new IllegalArgumentException(
        "unknown method '"
            + label
            + "'; known: "
            + String.join(", ", Arrays.stream(values()).map(Method::label).toList()));
  }
}
