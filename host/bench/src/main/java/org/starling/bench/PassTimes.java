package org.starling.bench;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;

/** Times of attention passes on random tokens on the sphere, Q = K = V = I. */
public final class PassTimes {
  private PassTimes() {}

  /** Seconds of one pass after one that builds the kernels. */
  public static double once(Engine engine, Shape shape, Mask mask) {
    try (Scene scene = new Scene(engine, shape, mask, Scene.BETA)) {
      scene.pass();
      long start = System.nanoTime();
      scene.pass();
      return (System.nanoTime() - start) * 1e-9;
    }
  }

  /** Seconds of passes made by all engines in turn, {@code [engines][repetitions]}. */
  public static double[][] interleaved(
      List<Engine> engines, Shape shape, Mask mask, int repetitions) {
    List<Scene> scenes = new ArrayList<>();
    try {
      List<Lap.Timed> operations = new ArrayList<>();
      for (Engine engine : engines) {
        Scene scene = new Scene(engine, shape, mask, Scene.BETA);
        scenes.add(scene);
        operations.add(scene.passes());
      }
      return Timing.interleaved(repetitions, operations).stream()
          .map(Timing::wall)
          .toArray(double[][]::new);
    } finally {
      scenes.forEach(Scene::close);
    }
  }
}
