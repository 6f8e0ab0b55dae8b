package org.starling.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/** Thousands of small simulations that advance together: pairs a second over whole rk4 steps. */
final class EnsembleCase implements Case {
  private static final int STEPS = 10;

  private final int replicas;
  private final int n;
  private final int d;

  EnsembleCase(int replicas, int n, int d) {
    this.replicas = replicas;
    this.n = n;
    this.d = d;
  }

  @Override
  public List<String> ids() {
    return List.of("ensemble/rk4/" + replicas + "x" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.engine(Precision.SINGLE);
    Shape shape = new Shape(replicas, n, d);
    State x = engine.allocateState(shape);
    engine.upload(x, Scene.positions(shape));
    boolean[] active = new boolean[replicas];
    Arrays.fill(active, true);
    Dynamics[] dynamics = new Dynamics[replicas];
    for (int r = 0; r < replicas; r++) {
      // A temperature of its own for each, as in a phase diagram.
      dynamics[r] = Scene.dynamics(Mask.FULL, 1 + 8.0 * r / replicas, d);
    }
    try (Integrator integrator =
        Integrators.create(IntegratorSpec.fixed(Method.RK4, 1e-3), engine, dynamics, x)) {
      Timing timing =
          Timing.interleaved(
                  shop.repetitions(),
                  List.of(Timing.clocked(() -> Steps.make(engine, integrator, active, STEPS))))
              .get(0);
      double pairs = 4.0 * STEPS * replicas * n * n;
      Map<String, Double> m = new LinkedHashMap<>();
      m.put("seconds_per_step", timing.median() / STEPS);
      return List.of(
          Row.measured(
              ids().get(0),
              "ensemble, rk4 steps, beta of its own for each replica",
              "Gpair/s",
              timing.rates(pairs * 1e-9),
              d == 2 && n == 64 ? shop.goals().ensembles() : null,
              "",
              m));
    }
  }
}
