package org.starling.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.starling.core.engine.DeviceInfo;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Shape;
import org.starling.core.model.Mask;
import org.starling.core.model.Precision;

/**
 * A process of its own in which the engine {@code java} makes a pass for every line that it reads,
 * because how it computes is settled when a JVM starts. Arguments: n, d. Prints what the engine
 * says of its loops, then a line with wall and processor seconds for every pass.
 */
public final class JavaPasses {
  private JavaPasses() {}

  public static void main(String[] args) throws IOException {
    Shape shape = new Shape(1, Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class)) {
      if (provider.engine().equals("java")) {
        answer(provider, shape);
        return;
      }
    }
    throw new IllegalStateException("the engine java is not part of this program");
  }

  private static void answer(EngineProvider provider, Shape shape) throws IOException {
    DeviceInfo device = provider.devices().get(0);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Engine engine = provider.open(device, EngineOptions.of(Precision.SINGLE));
        Scene scene = new Scene(engine, shape, Mask.FULL, Scene.BETA)) {
      System.out.println(device.properties().getOrDefault("loops", ""));
      Lap.Timed pass = Timing.clocked(scene::pass);
      while (in.readLine() != null) {
        Lap lap = pass.run();
        System.out.println(lap.wall() + " " + lap.cpu());
      }
    }
  }
}
