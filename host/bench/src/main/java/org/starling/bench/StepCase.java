package org.starling.bench;

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

/**
 * What a whole step costs beside its attention passes: as a ratio where passes are long, in
 * microseconds a stage above the kernel where they are short. The kernel alone is a pass of many
 * replicas in one launch, divided by their number.
 */
final class StepCase implements Case {
  private static final int REPLICAS = 64;

  private final Method method;
  private final int n;
  private final int d;
  private final boolean small;

  StepCase(Method method, int n, int d) {
    this.method = method;
    this.n = n;
    this.d = d;
    this.small = n <= 300;
  }

  @Override
  public List<String> ids() {
    return List.of("step/" + method.label() + "/" + n + "x" + d);
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.engine(Precision.SINGLE, false, d);
    Dynamics dynamics = Scene.dynamics(Mask.FULL, Scene.BETA, d);
    IntegratorSpec spec =
        method.adaptive() ? IntegratorSpec.dopri5(1e-4, 1e-6) : IntegratorSpec.fixed(method, 1e-3);
    Shape shape = new Shape(1, n, d);
    Shape alone = new Shape(small ? REPLICAS : 1, n, d);
    State x = engine.allocateState(shape);
    engine.upload(x, Scene.positions(shape));
    boolean[] active = {true};
    try (Integrator integrator = Integrators.create(spec, engine, new Dynamics[] {dynamics}, x);
        Scene pass = new Scene(engine, alone, Mask.FULL, Scene.BETA)) {
      // Steps follow each other without a wait, as in a run.
      int together = small ? 20 : 1;
      Lap.Timed step = Timing.clocked(() -> Steps.make(engine, integrator, active, together));
      Lap.Timed stage =
          () -> {
            long before = integrator.evaluations();
            long steps = Steps.made(integrator);
            Lap lap = step.run();
            double stages =
                (double) together
                    * (integrator.evaluations() - before)
                    / (Steps.made(integrator) - steps);
            return new Lap(lap.wall() / stages, lap.cpu() / stages);
          };
      List<Timing> timings =
          Timing.interleaved(shop.repetitions(), List.of(stage, Timing.clocked(pass::pass)));
      return List.of(row(timings.get(0), timings.get(1), alone.replicas()));
    }
  }

  private Row row(Timing stage, Timing pass, int replicas) {
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("n", (double) n);
    m.put("d", (double) d);
    m.put("seconds_per_stage", stage.median());
    m.put("cpu_seconds_per_stage", stage.medianCpu());
    m.put("seconds_of_kernel", pass.median() / replicas);
    if (!small) {
      return Row.measured(
          ids().get(0),
          method.label() + " step over its attention passes",
          "x",
          stage.over(pass),
          Goal.atMost(1.05),
          "",
          m);
    }
    double[] above = stage.wall();
    for (int r = 0; r < above.length; r++) {
      // Steps made inside one kernel may beat it.
      above[r] = 1e6 * Math.max(0, above[r] - pass.laps().get(r).wall() / replicas);
    }
    return Row.measured(
        ids().get(0),
        method.label() + " stage above its kernel",
        "us",
        above,
        Goal.atMost(30),
        String.format(
            java.util.Locale.ROOT, "kernel alone %.1f us", 1e6 * pass.median() / replicas),
        m);
  }
}
