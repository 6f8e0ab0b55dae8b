package org.starling.opencl;

import java.util.List;
import org.starling.core.engine.Field;
import org.starling.core.engine.Requests;
import org.starling.core.engine.RungeKutta;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.engine.StepLaw;
import org.starling.core.engine.WholeSteps;
import org.starling.core.model.Layer;
import org.starling.opencl.attention.LayerOperations;

/** Whole steps of the engine's states. */
record ClWholeSteps(OpenClEngine engine, LayerOperations layers) implements WholeSteps {
  @Override
  public boolean accepts(RungeKutta scheme, Shape shape, List<Layer> list) {
    return layers.makesSteps(scheme, shape, list);
  }

  @Override
  public Progress advance(
      RungeKutta scheme,
      State x,
      State previous,
      Layer[] list,
      double[] size,
      int[] most,
      Watching watching) {
    ClState own = engine.own(x);
    ClState kept = previous == null ? null : engine.own(previous);
    if (kept != null) {
      Requests.sameShape(own.shape(), kept.shape());
    }
    return engine.get(
        "making whole steps", () -> layers.advance(scheme, own, kept, list, size, most, watching));
  }

  @Override
  public Attempts adapt(
      RungeKutta scheme,
      StepLaw law,
      State x,
      State end,
      Field[] slopes,
      Layer[] list,
      Clocks clocks,
      Limits limits,
      Watching watching) {
    ClState own = engine.own(x);
    ClState to = engine.own(end);
    Requests.sameShape(own.shape(), to.shape());
    ClField[] fields = new ClField[slopes.length];
    for (int m = 0; m < fields.length; m++) {
      fields[m] = engine.own(slopes[m]);
      Requests.sameShape(own.shape(), fields[m].shape());
    }
    return engine.get(
        "making whole steps",
        () -> layers.adapt(scheme, law, own, to, fields, list, clocks, limits, watching));
  }

  @Override
  public double[] sideStep(
      RungeKutta scheme, StepLaw law, State x, State out, Layer[] list, double[] size) {
    ClState own = engine.own(x);
    ClState to = engine.own(out);
    Requests.sameShape(own.shape(), to.shape());
    return engine.get(
        "making a side step", () -> layers.sideStep(scheme, law, own, to, list, size));
  }

  @Override
  public void slope(RungeKutta scheme, State x, Layer[] list, boolean[] active, Field out) {
    ClState own = engine.own(x);
    ClField to = engine.own(out);
    Requests.sameShape(own.shape(), to.shape());
    Requests.active(own.shape(), active);
    engine.run("computing slopes", () -> layers.slope(scheme, own, list, active, to));
  }
}
