package org.starling.bench;

import java.util.ServiceLoader;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * A process of its own that shows what the first pass of a configuration costs more than the next
 * one: building its kernels, or loading them where they were built before. Arguments: engine,
 * device id, n, d. Prints seconds of the opening, of the first pass and of the second.
 */
public final class ColdStart {
  private ColdStart() {}

  public static void main(String[] args) {
    Shape shape = new Shape(1, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (!provider.engine().equals(args[0])) {
        continue;
      }
      for (DeviceInfo device : provider.devices()) {
        if (device.id().equals(args[1])) {
          measure(provider, device, shape);
          return;
        }
      }
    }
    throw new IllegalArgumentException("there is no device " + args[1]);
  }

  private static void measure(EngineProvider provider, DeviceInfo device, Shape shape) {
    long start = System.nanoTime();
    try (Engine engine = provider.open(device, EngineOptions.of(Precision.SINGLE));
        Scene scene = new Scene(engine, shape, Mask.FULL, Scene.BETA)) {
      long opened = System.nanoTime();
      scene.pass();
      long first = System.nanoTime();
      scene.pass();
      long second = System.nanoTime();
      System.out.println(
          (opened - start) * 1e-9 + " " + (first - opened) * 1e-9 + " " + (second - first) * 1e-9);
    }
  }
}
