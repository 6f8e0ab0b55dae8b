package org.starling.core.engine;

/**
 * An explicit Runge-Kutta scheme of an autonomous system: slopes k_s = v(x + h sum_{m < s} a_sm
 * k_m), new state x + h sum_s b_s k_s, put back onto the sphere in that geometry.
 *
 * @param a row s has s entries; row 0 is empty
 * @param b weights of the slopes in the new state; as many as rows of {@code a}
 * @param error weights of the slopes in the estimated error; null for a scheme without one
 * @param raw whether the slopes are the raw attention output instead of the velocity
 */
public record RungeKutta(double[][] a, double[] b, double[] error, boolean raw) {
  public RungeKutta {
    if (a.length == 0 || b.length != a.length || (error != null && error.length != a.length)) {
      throw new IllegalArgumentException(
          "a scheme of " + a.length + " slopes needs a weight for each of them");
    }
    for (int s = 0; s < a.length; s++) {
      if (a[s].length != s) {
        throw new IllegalArgumentException(
            "row " + s + " of a scheme has " + a[s].length + " entries");
      }
    }
  }

  /** Number of slopes. */
  public int stages() {
    return a.length;
  }

  /** The same scheme with the velocity for its slopes. */
  public RungeKutta ofVelocity() {
    return raw ? new RungeKutta(a, b, error, false) : this;
  }

  public boolean adaptive() {
    return error != null;
  }
}
