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
import org.starling.core.integrate.Pause;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * Thousands of small simulations that advance together: pairs a second over rk4 steps, or over
 * whole simulations by dopri5 in which every replica chooses its steps.
 */
final class EnsembleCase implements Case {
  private static final int STEPS = 10;
  private static final double END = 5;

  private final Method method;
  private final int replicas;
  private final int n;
  private final int d;

  EnsembleCase(Method method, int replicas, int n, int d) {
    this.method = method;
    this.replicas = replicas;
    this.n = n;
    this.d = d;
  }

  @Override
  public List<String> ids() {
    return List.of("ensemble/" + method.label() + "/" + replicas + "x" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.engine(Precision.SINGLE);
    Shape shape = new Shape(replicas, n, d);
    State x = engine.allocateState(shape);
    engine.upload(x, Scene.positions(shape));
    Dynamics[] dynamics = new Dynamics[replicas];
    for (int r = 0; r < replicas; r++) {
      // A temperature of its own for each, as in a phase diagram.
      dynamics[r] = Scene.dynamics(Mask.FULL, 1 + 8.0 * r / replicas, d);
    }
    IntegratorSpec spec =
        method.adaptive()
            ? IntegratorSpec.dopri5(IntegratorSpec.DEFAULT_RTOL, IntegratorSpec.DEFAULT_ATOL)
            : IntegratorSpec.fixed(method, 1e-3);
    try (Integrator integrator = Integrators.create(spec, engine, dynamics, x)) {
      return List.of(
          method.adaptive()
              ? simulations(shop, engine, integrator)
              : steps(shop, engine, integrator));
    }
  }

  private Row steps(Workshop shop, Engine engine, Integrator integrator) {
    boolean[] active = new boolean[replicas];
    Arrays.fill(active, true);
    Timing timing = timing(shop, () -> Steps.make(engine, integrator, active, STEPS));
    double pairs = 4.0 * STEPS * replicas * n * n;
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("seconds_per_step", timing.median() / STEPS);
    return Row.measured(
        ids().get(0),
        "ensemble, rk4 steps, beta of its own for each replica",
        "Gpair/s",
        timing.rates(pairs * 1e-9),
        d == 2 && n == 64 ? shop.goals().ensembles() : null,
        "",
        m);
  }

  private Row simulations(Workshop shop, Engine engine, Integrator integrator) {
    byte[] start = engine.snapshot(integrator.state());
    byte[] clocks = integrator.save();
    Timing timing =
        timing(
            shop,
            () -> {
              engine.restore(integrator.state(), start);
              integrator.restore(clocks);
              toTheEnd(integrator);
              engine.finish();
            });
    double passes = 0;
    double steps = 0;
    for (int r = 0; r < replicas; r++) {
      // An accepted step is followed by a first slope of its own, a rejected one is not.
      passes += 7.0 * integrator.steps(r) + 6.0 * integrator.rejected(r);
      steps += integrator.steps(r);
    }
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("seconds", timing.median());
    m.put("steps_per_replica", steps / replicas);
    return Row.measured(
        ids().get(0),
        "ensemble, dopri5 to t = 5, beta of its own for each replica",
        "Gpair/s",
        timing.rates(passes * n * n * 1e-9),
        null,
        String.format(java.util.Locale.ROOT, "%.3f s", timing.median()),
        m);
  }

  private void toTheEnd(Integrator integrator) {
    boolean[] active = new boolean[replicas];
    boolean any = true;
    while (any) {
      any = false;
      for (int r = 0; r < replicas; r++) {
        active[r] = integrator.time(r) < END;
        any |= active[r];
      }
      if (any) {
        integrator.advance(active, new Pause(END, Double.POSITIVE_INFINITY));
      }
    }
  }

  private static Timing timing(Workshop shop, Runnable operation) {
    return Timing.interleaved(shop.repetitions(), List.of(Timing.clocked(operation))).get(0);
  }
}
