package org.starling.app.reproduce;

import org.starling.analysis.Tokens;
import org.starling.analysis.centres.RenyiCentres;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Layer;
import org.starling.core.model.Weight;

/**
 * What a probe may know of its replica.
 *
 * @param start positions at time 0, {@code [n][d]} row-major
 */
record ReplicaFacts(Dynamics dynamics, double[] start, int n, int d) {
  Tokens tokens(double[] x) {
    return new Tokens(x, n, d);
  }

  /** The layer in force at a time. */
  Layer layer(double t) {
    return dynamics.at(t, dynamics.layerIndex(t));
  }

  double beta() {
    return layer(0).beta();
  }

  /** V, summed over heads, of the first layer. */
  Weight value() {
    return Dynamics.totalValue(dynamics.weights().heads(0));
  }

  /** Radius of Renyi centres, an angle. */
  double radius(double c) {
    return RenyiCentres.delta(c, beta());
  }
}
