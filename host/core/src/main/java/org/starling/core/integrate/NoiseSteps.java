package org.starling.core.integrate;

import org.starling.core.engine.Engine;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Philox;

/**
 * The random part of steps: noise sqrt(h) P_x xi, xi standard normal numbers that depend on the
 * replica's stream, the number of the step, the token and the coordinate alone. So they are the
 * same however a run is interrupted, and those of a token do not depend on how many others there
 * are.
 */
final class NoiseSteps {
  private final Engine engine;
  private final Philox[] streams;
  private final double[] amplitude;
  private final boolean tangent;

  private NoiseSteps(Engine engine, Philox[] streams, double[] amplitude, boolean tangent) {
    this.engine = engine;
    this.streams = streams;
    this.amplitude = amplitude;
    this.tangent = tangent;
  }

  /**
   * @param dynamics one per replica
   * @param streams one per replica
   */
  static NoiseSteps of(Engine engine, Dynamics[] dynamics, Philox[] streams) {
    double[] amplitude = new double[dynamics.length];
    for (int r = 0; r < amplitude.length; r++) {
      amplitude[r] = dynamics[r].noise();
    }
    return new NoiseSteps(engine, streams, amplitude, dynamics[0].geometry() == Geometry.SPHERE);
  }

  /**
   * Adds to {@code out} the noise of steps of size h[r] from {@code base}; a replica without noise
   * is left as it is.
   *
   * @param number of the step of each replica
   */
  void add(State out, State base, long[] number, double[] h, boolean[] which) {
    double[] scale = new double[amplitude.length];
    boolean[] noisy = new boolean[amplitude.length];
    for (int r = 0; r < scale.length; r++) {
      noisy[r] = which[r] && amplitude[r] > 0;
      scale[r] = amplitude[r] * Math.sqrt(h[r]);
    }
    if (!Stepper.none(noisy)) {
      engine.addNoise(out, base, streams, number, scale, tangent, noisy);
    }
  }
}
