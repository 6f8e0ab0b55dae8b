package org.starling.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.core.engine.DeviceProbes.Limit;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Precision;

/** The vector operations of a step, which memory bounds, as fractions of its bandwidth. */
final class StateCase implements Case {
  private static final Shape SHAPE = new Shape(1, 1 << 17, 64);

  @Override
  public List<String> ids() {
    return List.of("state/combine", "state/retract");
  }

  @Override
  public List<Row> measure(Workshop shop) {
    Engine engine = shop.engine(Precision.SINGLE);
    Limits limits = shop.limits(Precision.SINGLE);
    if (!limits.available()) {
      return ids().stream()
          .map(id -> Row.skipped(id, "vector operation", "this engine has no probe of memory"))
          .toList();
    }
    boolean[] active = {true};
    try (State x = engine.allocateState(SHAPE);
        State y = engine.allocateState(SHAPE);
        Field k = engine.allocateField(SHAPE)) {
      engine.upload(x, Scene.positions(SHAPE));
      double[][] coefficients = {{0.5}};
      Field[] fields = {k};
      List<Timing> timings =
          Timing.interleaved(
              shop.repetitions(),
              List.of(
                  Timing.clocked(
                      () -> {
                        engine.combine(y, x, coefficients, fields, active);
                        engine.finish();
                      }),
                  Timing.clocked(
                      () -> {
                        engine.retract(y, active);
                        engine.finish();
                      }),
                  limits.beside(Limit.TRIAD, shop.repetitions())));
      double state = 4.0 * SHAPE.size();
      return List.of(
          row(ids().get(0), "y = x + c k", timings.get(0), timings.get(2), 3 * state, 2),
          row(ids().get(1), "x = x / |x|", timings.get(1), timings.get(2), 2 * state, 3));
    }
  }

  private static Row row(
      String id, String what, Timing operation, Timing triad, double bytes, double flopPerNumber) {
    Map<String, Double> m = new LinkedHashMap<>();
    double flop = flopPerNumber * SHAPE.size();
    m.put("n", (double) SHAPE.n());
    m.put("d", (double) SHAPE.d());
    m.put("seconds", operation.median());
    m.put("flop", flop);
    m.put("bytes", bytes);
    m.put("gflops", flop * 1e-9 / operation.median());
    return Row.measured(
        id, what, "of triad", AttentionCase.fractions(operation, triad, bytes), null, "", m);
  }
}
