package org.starling.bench;

import java.util.List;
import java.util.Map;
import org.starling.core.engine.Engine;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/** Memory by the plan that every run makes; nothing is timed. */
final class MemoryCase implements Case {
  private static final Shape SHAPE = new Shape(1, 65536, 512);

  @Override
  public List<String> ids() {
    return List.of("memory/pass", "memory/rk4", "memory/dopri5", "memory/rk4-total");
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.engine(Precision.SINGLE);
    List<Layer> layers = List.of(Scene.layer(Mask.FULL, Scene.BETA, SHAPE.d()));
    String shape = "n = " + SHAPE.n() + ", d = " + SHAPE.d();
    MemoryPlan pass = engine.plan(SHAPE, layers, 1, 1);
    long packed =
        pass.items().stream()
            .filter(i -> i.name().startsWith("packed"))
            .mapToLong(MemoryPlan.Item::total)
            .sum();
    double beside = (pass.totalBytes() - 2 * pass.stateBytes() - packed) / 1048576.0;
    MemoryPlan rk4 = plan(engine, layers, IntegratorSpec.fixed(Method.RK4, 0.1));
    MemoryPlan dopri5 = plan(engine, layers, IntegratorSpec.dopri5(1e-6, 1e-9));
    return List.of(
        exact(ids().get(0), "attention pass beside packed operands", "MiB", beside, 16, shape),
        exact(ids().get(1), "rk4, copies of the state", "copies", rk4.stateCopies(), 6, shape),
        exact(
            ids().get(2), "dopri5, copies of the state", "copies", dopri5.stateCopies(), 11, shape),
        exact(ids().get(3), "rk4 in all", "MiB", rk4.totalBytes() / 1048576.0, 1024, shape));
  }

  private static MemoryPlan plan(Engine engine, List<Layer> layers, IntegratorSpec spec) {
    return engine.plan(SHAPE, layers, Integrators.states(spec), Integrators.fields(spec));
  }

  private static Row exact(
      String id, String what, String unit, double value, double most, String note) {
    return Row.measured(
        id, what, unit, new double[] {value}, Goal.atMost(most), note, Map.of("value", value));
  }
}
