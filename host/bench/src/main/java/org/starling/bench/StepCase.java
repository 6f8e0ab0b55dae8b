package org.starling.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
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
 * replicas in one launch, divided by their number. Beside it stand a launch that does next to
 * nothing, among others and waited for: what the driver asks whatever the kernel.
 */
final class StepCase implements Case {
  private static final int REPLICAS = 64;

  /** Launches queued together where a wait is not to count. */
  private static final int LAUNCHES = 64;

  /** Short steps are host code to a good part, which a virtual machine compiles as it runs. */
  private static final double WARM_UP_SECONDS = 1;

  private static final Shape TOKEN = new Shape(1, 1, 1);

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
    boolean whole =
        engine
            .wholeSteps()
            .filter(w -> w.accepts(Integrators.scheme(method), shape, List.of(dynamics.at(0, 0))))
            .isPresent();
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
      List<Lap.Timed> operations = new ArrayList<>(List.of(stage, Timing.clocked(pass::pass)));
      if (!small) {
        List<Timing> timings = Timing.interleaved(shop.repetitions(), operations);
        return List.of(ratio(timings.get(0), timings.get(1)));
      }
      try (State from = engine.allocateState(TOKEN);
          State to = engine.allocateState(TOKEN)) {
        operations.add(Timing.clocked(() -> launches(engine, from, to, LAUNCHES)));
        operations.add(Timing.clocked(() -> launches(engine, from, to, 1)));
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP_SECONDS * 1e9) {
          step.run();
        }
        return List.of(above(Timing.interleaved(shop.repetitions(), operations), whole));
      }
    }
  }

  /** Copies of one number, and a wait. */
  private static void launches(Engine engine, State from, State to, int count) {
    for (int k = 0; k < count; k++) {
      engine.combine(to, from, new double[0][], new Field[0], new boolean[] {true});
    }
    engine.finish();
  }

  private Map<String, Double> details(Timing stage, Timing pass, int replicas) {
    Map<String, Double> m = new LinkedHashMap<>();
    m.put("n", (double) n);
    m.put("d", (double) d);
    m.put("seconds_per_stage", stage.median());
    m.put("cpu_seconds_per_stage", stage.medianCpu());
    m.put("seconds_of_kernel", pass.median() / replicas);
    return m;
  }

  private Row ratio(Timing stage, Timing pass) {
    return Row.measured(
        ids().get(0),
        method.label() + " step over its attention passes",
        "x",
        stage.over(pass),
        Goal.atMost(1.05),
        "",
        details(stage, pass, 1));
  }

  /**
   * @param timings stage, pass of all replicas, launches together, one launch
   * @param whole whether many steps are made in a launch
   */
  private Row above(List<Timing> timings, boolean whole) {
    Timing pass = timings.get(1);
    double[] above = timings.get(0).wall();
    for (int r = 0; r < above.length; r++) {
      // Steps made inside one kernel may beat it.
      above[r] = 1e6 * Math.max(0, above[r] - pass.laps().get(r).wall() / REPLICAS);
    }
    Map<String, Double> m = details(timings.get(0), pass, REPLICAS);
    m.put("seconds_of_launch", timings.get(2).median() / LAUNCHES);
    m.put("seconds_of_launch_and_wait", timings.get(3).median());
    return Row.measured(
        ids().get(0),
        method.label() + " stage above its kernel",
        "us",
        above,
        Goal.atMost(30),
        String.format(
            Locale.ROOT,
            "%s; kernel alone %.1f us; a launch %.1f us, with a wait %.1f us",
            whole ? "whole steps in a launch" : "a launch an operation",
            1e6 * m.get("seconds_of_kernel"),
            1e6 * m.get("seconds_of_launch"),
            1e6 * m.get("seconds_of_launch_and_wait")),
        m);
  }
}
