package org.starling.jmh;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.starling.core.engine.Engine;
import org.starling.core.engine.EngineProvider.EngineOptions;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;
import org.starling.cpu.fast.FastProvider;

/** One attention pass of the engine {@code java}, with the Vector API and without. */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class JavaPass {
  @Param({"2048"})
  int n;

  @Param({"2", "16", "128"})
  int d;

  @Param({"SINGLE", "DOUBLE"})
  Precision precision;

  @Param({"false", "true"})
  boolean causal;

  private final boolean[] active = {true};
  private Engine engine;
  private State x;
  private Field v;
  private Layer[] layers;

  /** Random tokens on the sphere, Q = K = V = I. */
  @Setup(Level.Trial)
  public void open() {
    FastProvider provider = new FastProvider();
    engine = provider.open(provider.devices().get(0), EngineOptions.of(precision));
    Shape shape = new Shape(1, n, d);
    x = engine.allocateState(shape);
    v = engine.allocateField(shape);
    double[] positions = new double[n * d];
    SplittableRandom random = new SplittableRandom(1);
    Arrays.setAll(positions, k -> 2 * random.nextDouble() - 1);
    engine.upload(x, positions);
    engine.retract(x, active);
    Weight one = Weight.identity(d);
    Dynamics dynamics =
        new Dynamics(
            Geometry.SPHERE,
            causal ? Mask.CAUSAL : Mask.FULL,
            Normalisation.SOFTMAX,
            4,
            WeightSchedule.constant(List.of(new Head(one, one, one))),
            1,
            null);
    layers = new Layer[] {dynamics.at(0, 0)};
  }

  /** As the launcher starts the JVM. */
  @Benchmark
  @Fork(
      value = 1,
      jvmArgsAppend = {"--add-modules", "jdk.incubator.vector"})
  public Field vectors() {
    return pass();
  }

  /** As a JVM without that option computes. */
  @Benchmark
  @Fork(1)
  public Field loops() {
    return pass();
  }

  private Field pass() {
    engine.velocity(x, layers, active, v);
    return v;
  }

  @TearDown(Level.Trial)
  public void close() {
    v.close();
    x.close();
    engine.close();
  }
}
