package org.starling.contract;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Layer;

/** One theme of the engine contract, run on one engine that stays open for all its tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContractTheme {
  /** The engine under test, open. */
  protected Engine engine;

  /** What is under test. */
  protected abstract Subject subject();

  @BeforeAll
  final void openEngine() {
    engine = subject().engine().get();
  }

  @AfterAll
  final void closeEngine() {
    if (engine != null) {
      engine.close();
    }
  }

  /** A state of the engine holding {@code x}, rounded to what it can hold. */
  final State state(Shape shape, double[] x) {
    State state = engine.allocateState(shape);
    engine.upload(state, x);
    return state;
  }

  /** A field of the engine holding {@code values}. */
  final Field field(Shape shape, double[] values) {
    Field field = engine.allocateField(shape);
    engine.upload(field, values);
    return field;
  }

  /** Velocity of a single replica. */
  final double[] velocity(int n, int d, double[] x, Layer layer) {
    return evaluate(n, d, x, layer, true);
  }

  /** Attention output of a single replica. */
  final double[] attend(int n, int d, double[] x, Layer layer) {
    return evaluate(n, d, x, layer, false);
  }

  private double[] evaluate(int n, int d, double[] x, Layer layer, boolean velocity) {
    Shape shape = new Shape(1, n, d);
    double[] nan = new double[n * d];
    Arrays.fill(nan, Double.NaN);
    try (State s = state(shape, x);
        Field v = field(shape, nan)) {
      Layer[] layers = {layer};
      engine.check(shape, List.of(layer));
      if (velocity) {
        engine.velocity(s, layers, all(1), v);
      } else {
        engine.attend(s, layers, all(1), v);
      }
      return engine.download(v);
    }
  }

  /** A mask in which all R replicas are active. */
  static boolean[] all(int replicas) {
    boolean[] active = new boolean[replicas];
    Arrays.fill(active, true);
    return active;
  }

  /** The same layer for each of R replicas. */
  static Layer[] repeated(Layer layer, int replicas) {
    return Collections.nCopies(replicas, layer).toArray(new Layer[0]);
  }

  /** 0, 1, ... n-1. */
  static int[] allRows(int n) {
    int[] rows = new int[n];
    Arrays.setAll(rows, i -> i);
    return rows;
  }

  /** A flat {@code [n][d]} array as rows. */
  static double[][] rows(double[] v, int n, int d) {
    double[][] rows = new double[n][];
    Arrays.setAll(rows, i -> Arrays.copyOfRange(v, i * d, (i + 1) * d));
    return rows;
  }
}
