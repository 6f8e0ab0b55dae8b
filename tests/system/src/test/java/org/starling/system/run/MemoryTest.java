package org.starling.system.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.State;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Method;
import org.starling.core.integrate.Outcome;
import org.starling.core.model.Layer;
import org.starling.core.observe.Observer;
import org.starling.core.run.OutputTimes;
import org.starling.core.run.RowCheck;
import org.starling.core.run.RunControl;
import org.starling.core.run.RunResult;
import org.starling.core.run.RunSpec;
import org.starling.core.run.Simulation;
import org.starling.core.store.RunDirectory;
import org.starling.cpu.reference.ReferenceEngine;
import org.starling.system.run.Runs.Case;

/** A run holds the state-sized arrays that the memory plan is told of, and no more. */
class MemoryTest {
  /** An engine that counts what is allocated on it. */
  private static Engine counting(Engine engine, Map<String, Integer> counts) {
    return (Engine)
        Proxy.newProxyInstance(
            MemoryTest.class.getClassLoader(),
            new Class<?>[] {Engine.class},
            (self, method, arguments) -> {
              counts.merge(method.getName(), 1, Integer::sum);
              try {
                return method.invoke(engine, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Finds no fault, and leaves not-a-numbers in all that it may overwrite. */
  private static final class Vandal implements RowCheck {
    private final long every;
    private int visits;

    Vandal(long every) {
      this.every = every;
    }

    @Override
    public long everySteps() {
      return every;
    }

    @Override
    public Finding check(
        Engine engine,
        State x,
        Velocities velocities,
        Layer[] layers,
        boolean[] active,
        Field scratch,
        long number) {
      assertTrue(Arrays.toString(active).contains("true"), "nobody to look at");
      double[] values = engine.download(scratch);
      int size = values.length / active.length;
      for (int r = 0; r < active.length; r++) {
        if (active[r]) {
          Arrays.fill(values, r * size, (r + 1) * size, Double.NaN);
        }
      }
      engine.upload(scratch, values);
      visits++;
      return null;
    }
  }

  private static IntegratorSpec integrator(Method method) {
    return method.adaptive()
        ? IntegratorSpec.adaptive(method, 1e-4, 1e-7)
        : IntegratorSpec.fixed(method, 0.25);
  }

  static Stream<Arguments> plans() {
    List<Arguments> all = new ArrayList<>();
    for (Method method : Method.values()) {
      for (boolean stepEnds : new boolean[] {true, false}) {
        for (boolean maxSpeed : new boolean[] {true, false}) {
          for (boolean check : new boolean[] {true, false}) {
            int arrays =
                switch (method) {
                  case EULER, LAYERS, EULER_MARUYAMA -> 3;
                  case HEUN, RK4 -> 4;
                  case DOPRI5 -> 9;
                  case RADAU5 -> 4;
                  case ARCLENGTH -> 3;
                };
            if (method.adaptive()) {
              arrays += maxSpeed ? 1 : 0;
            } else {
              arrays += stepEnds ? 0 : 1;
            }
            all.add(Arguments.of(method, stepEnds, maxSpeed, check, arrays));
          }
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, reports at step ends {1}, max-speed {2}, check {3}: {4} arrays")
  @MethodSource("plans")
  void whatIsPlannedIsAllocated(
      Method method, boolean stepEnds, boolean maxSpeed, boolean check, int arrays) {
    Case run =
        Case.of(2, integrator(method), OutputTimes.every(0.5), stepEnds ? 2 : 1.9)
            .on(ReferenceEngine::new);
    RunSpec spec = observing(run.spec(), maxSpeed);
    Map<String, Integer> counts = new TreeMap<>();
    try (Engine engine = new ReferenceEngine();
        RunDirectory directory =
            RunDirectory.create(new LyingFileStore(), Runs.DIR, run.text(), false)) {
      RunControl control = check ? RunControl.plain().withCheck(new Vandal(2)) : RunControl.plain();
      RunResult result = Simulation.run(spec, control, counting(engine, counts), directory);
      assertEquals(Outcome.Kind.COMPLETED, result.outcome().kind(), result.outcome().sentence());
    }
    assertEquals(Simulation.states(spec), counts.get("allocateState"), "states");
    assertEquals(Simulation.fields(spec), counts.get("allocateField"), "fields");
    assertEquals(arrays, counts.get("allocateState") + counts.get("allocateField"));
  }

  private static RunSpec observing(RunSpec spec, boolean maxSpeed) {
    List<Observer> observers = spec.observers();
    return new RunSpec(
        spec.runId(),
        spec.experimentText(),
        spec.shape(),
        spec.initial(),
        spec.dynamics(),
        spec.integrator(),
        spec.tEnd(),
        spec.outputs(),
        spec.trajectory(),
        observers.stream().filter(o -> maxSpeed || !o.needsScratch()).toList(),
        spec.stops(),
        spec.seed(),
        spec.replicaParameters(),
        spec.segmentBytes(),
        spec.noise());
  }

  static Stream<Arguments> cases() {
    return SameBytesTest.cases();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void whatIsLentDecidesNothing(String name, Case run) {
    LyingFileStore quiet = new LyingFileStore();
    LyingFileStore looked = new LyingFileStore();
    RunResult undisturbed = Runs.start(run, RunControl.plain(), quiet, Runs.DIR);
    Vandal vandal = new Vandal(1);
    RunResult result = Runs.start(run, RunControl.plain().withCheck(vandal), looked, Runs.DIR);
    assertTrue(vandal.visits > 4, vandal.visits + " visits");
    assertEquals(undisturbed.evaluations(), result.evaluations());
    assertEquals(undisturbed.rejected(), result.rejected());
    Runs.assertSame(Runs.results(quiet), Runs.results(looked), name);
  }
}
