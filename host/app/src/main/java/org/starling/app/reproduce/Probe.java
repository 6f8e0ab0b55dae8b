package org.starling.app.reproduce;

/** Measures one quantity of one replica, frame after frame in the order of time. */
interface Probe {
  /**
   * @param t time of the frame
   * @param x positions, {@code [n][d]} row-major
   * @return the value; NaN where there is none at this time
   */
  double at(double t, double[] x);
}
