package org.starling.opencl;

import java.util.Arrays;
import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Small replicas that differ in all that one launch allows, for the tests of whole steps. */
final class Replicas {
  static final int SEED = 5;

  private Replicas() {}

  static Engine engine(Precision precision, boolean gpu) {
    if (!gpu) {
      return TestDevices.open(TestDevices.api(), precision);
    }
    OpenClProvider provider = TestDevices.provider(WorkGroupKernelsTest.asGpu(TestDevices.api()));
    return provider.open(TestDevices.first(provider), EngineOptions.of(precision));
  }

  static State upload(Engine engine, Shape shape, double[] start) {
    State x = engine.allocateState(shape);
    engine.upload(x, start);
    return x;
  }

  static boolean[] all(Shape shape) {
    boolean[] all = new boolean[shape.replicas()];
    Arrays.fill(all, true);
    return all;
  }

  /** Replicas of one launch differ in everything a launch allows. */
  static Dynamics[] dynamics(int d) {
    Weight one = Weight.identity(d);
    Weight dense = Weight.dense(d, d, Clouds.gaussian(d * d, 1 / Math.sqrt(d), SEED + 1));
    Weight other = Weight.dense(d, d, Clouds.gaussian(d * d, 1 / Math.sqrt(d), SEED + 2));
    Mask mixed = Mask.prefix(7).and(Mask.window(5));
    return new Dynamics[] {
      dynamics(Mask.FULL, Normalisation.SOFTMAX, 4, new Head(one, one, one)),
      dynamics(Mask.FULL, Normalisation.SOFTMAX, 81, new Head(one, one, one)),
      dynamics(Mask.CAUSAL, Normalisation.SOFTMAX, 9, new Head(one, one, one)),
      dynamics(Mask.CAUSAL, Normalisation.SOFTMAX, 200, new Head(one, one, one)),
      dynamics(Mask.window(5), Normalisation.SOFTMAX, 2, new Head(one, dense, other)),
      dynamics(mixed, Normalisation.SOFTMAX, 1, new Head(dense, one, one)),
      dynamics(Mask.alibi(0.2), Normalisation.SOFTMAX, 3, new Head(one, one, other)),
      dynamics(Mask.CAUSAL, Normalisation.UNNORMALISED, 1, new Head(one, one, one)),
      dynamics(Mask.FULL, Normalisation.UNNORMALISED, -1, new Head(one, one, dense)),
      dynamics(
          Mask.FULL,
          Normalisation.SOFTMAX,
          2,
          new Head(dense, one, one),
          new Head(one, other, dense),
          new Head(one, one, Weight.scalar(d, -0.5)))
    };
  }

  static Dynamics dynamics(Mask mask, Normalisation rule, double beta, Head... heads) {
    return new Dynamics(
        Geometry.SPHERE, mask, rule, beta, WeightSchedule.constant(List.of(heads)), 1, null);
  }

  static Dynamics plain(Geometry geometry, int d, Weight v, double beta) {
    Head head = new Head(Weight.identity(d), Weight.identity(d), v);
    return new Dynamics(
        geometry,
        Mask.FULL,
        Normalisation.SOFTMAX,
        beta,
        WeightSchedule.constant(List.of(head)),
        1,
        null);
  }

  static double[] tokens(Shape shape, Dynamics[] dynamics) {
    double[] x = Clouds.gaussian((int) shape.size(), 1, SEED);
    int size = shape.n() * shape.d();
    for (int at = 0; at < x.length; at += shape.d()) {
      if (dynamics[at / size].geometry() == Geometry.SPHERE) {
        Clouds.normalise(x, at, shape.d());
      }
    }
    return x;
  }

  static boolean anyTrue(boolean[] which) {
    for (boolean w : which) {
      if (w) {
        return true;
      }
    }
    return false;
  }

  static boolean allTrue(boolean[] which) {
    for (boolean w : which) {
      if (!w) {
        return false;
      }
    }
    return true;
  }
}
