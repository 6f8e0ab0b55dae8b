package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Engine;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** The same calls give the same bits: again, beside other work, and in a new engine. */
abstract class DeterminismContract extends ContractTheme {
  private static final int REPETITIONS = 4;

  @ParameterizedTest(name = "n={0} d={1} seed 371")
  @CsvSource({"7,3", "129,3", "200,17", "129,64"})
  void repetitionChangesNoBit(int n, int d) {
    Layer[] layers = {
      Layers.of(
          Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 5, d, Layers.Weights.THREE_HEADS, 372)
    };
    double[] x = Tokens.sphere(n, d, 371);
    double[] first = record(engine, n, d, x, layers);
    for (int k = 1; k < REPETITIONS; k++) {
      Close.sameBits(first, record(engine, n, d, x, layers), "repetition " + k);
    }
    try (Engine other = subject().engine().get()) {
      Close.sameBits(first, record(other, n, d, x, layers), "another engine");
    }
  }

  /** Velocity, a few steps, error norms and observables in one list of numbers. */
  private static double[] record(Engine engine, int n, int d, double[] x, Layer[] layers) {
    Shape shape = new Shape(1, n, d);
    try (State s = engine.allocateState(shape);
        State y = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(s, x);
      for (int k = 0; k < 3; k++) {
        engine.velocity(s, layers, all(1), v);
        engine.combine(y, s, new double[][] {{0.05}}, new Field[] {v}, all(1));
        engine.retract(y, all(1));
        engine.combine(s, y, new double[][] {{0.01}}, new Field[] {v}, all(1));
        engine.retract(s, all(1));
      }
      Observations o = engine.observations();
      double[] scalars = {
        engine.errorNorm(s, y, new double[][] {{1}}, new Field[] {v}, 1e-6, 1e-6, all(1))[0],
        engine.largest(v, all(1))[0].value(),
        o.energy(s, layers)[0],
        o.innerProducts(s, 8)[0].mean(),
        o.attentionEntropy(s, layers)[0],
        o.orderParameter(s)[0],
        o.norms(s)[0].mean(),
        o.distanceToFirst(s)[0].mean()
      };
      double[] moment = o.secondMoment(s)[0];
      double[] positions = engine.download(s);
      double[] field = engine.download(v);
      double[] all = new double[scalars.length + moment.length + positions.length + field.length];
      int at = 0;
      for (double[] part : new double[][] {scalars, moment, positions, field}) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      return all;
    }
  }

  @Test
  void anIdentityNamesWhatComputes() {
    assertEquals(subject().precision(), engine.precision());
    try (Engine other = subject().engine().get()) {
      assertEquals(engine.identity(), other.identity());
    }
    String[] parts = {
      engine.identity().engine(),
      engine.identity().device(),
      engine.identity().driver(),
      engine.identity().platform()
    };
    for (String part : parts) {
      assertEquals(false, part == null || part.isBlank(), () -> engine.identity().toString());
    }
    assertEquals(64, engine.identity().kernelHash().length(), "a sha256 in hexadecimal");
  }

  @Test
  void aFieldHoldsWhatWasUploaded() {
    Shape shape = new Shape(2, 49, 3);
    double[] values = subject().representable(Tokens.gaussian(98, 3, 381));
    try (Field f = field(shape, values)) {
      assertArrayEquals(values, engine.download(f));
    }
  }
}
