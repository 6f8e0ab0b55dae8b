package org.starling.bench;

import org.starling.core.engine.Engine;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.Pause;

/** Steps as the run loop makes them: as many in one call as nobody needs to look at. */
final class Steps {
  private Steps() {}

  /** Makes {@code count} attempts of every replica and waits for the device. */
  static void make(Engine engine, Integrator integrator, boolean[] active, int count) {
    Pause pause = new Pause(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, count);
    long end = made(integrator) + count;
    while (made(integrator) < end) {
      integrator.advance(active, pause);
    }
    engine.finish();
  }

  /** Attempts of the first replica so far. */
  static long made(Integrator integrator) {
    return integrator.steps(0) + integrator.rejected(0);
  }
}
