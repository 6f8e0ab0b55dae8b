package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Observations;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/**
 * Operations write what they should and nothing else: states and fields with known contents lie
 * around the ones in use and must not change, nor may an input.
 */
abstract class GuardContract extends ContractTheme {
  private static final double SENTINEL = 0x1.234568p-3;

  @ParameterizedTest(name = "n={0} d={1} seed 321")
  @CsvSource({"1,1", "3,2", "47,3", "49,9", "129,17", "48,257"})
  void neighboursAndInputsKeepTheirBits(int n, int d) {
    Shape shape = new Shape(1, n, d);
    double[] sentinel = new double[n * d];
    Arrays.fill(sentinel, SENTINEL);
    double[] x = subject().representable(Tokens.sphere(n, d, 321));
    Layer layer =
        Layers.of(
            Geometry.SPHERE, Mask.CAUSAL, Normalisation.SOFTMAX, 3, d, Layers.Weights.DENSE, 322);
    Layer[] layers = {layer};
    List<State> guards = new ArrayList<>();
    List<Field> fieldGuards = new ArrayList<>();
    guards.add(state(shape, sentinel));
    fieldGuards.add(field(shape, sentinel));
    try (State s = state(shape, x);
        State y = engine.allocateState(shape);
        Field v = engine.allocateField(shape);
        Field w = engine.allocateField(shape)) {
      guards.add(state(shape, sentinel));
      fieldGuards.add(field(shape, sentinel));
      byte[] before = engine.snapshot(s);

      engine.velocity(s, layers, all(1), v);
      double[] values = engine.download(v);
      engine.attend(s, layers, all(1), w);
      Close.sameBits(values, engine.download(v), "velocity after attend");
      observeAll(s, layers);
      engine.errorNorm(s, s, new double[][] {{1}}, new Field[] {v}, 1e-6, 1e-6, all(1));
      engine.largest(v, all(1));
      engine.combine(y, s, new double[][] {{0.1}}, new Field[] {v}, all(1));
      engine.retract(y, all(1));
      engine.finish();

      assertArrayEquals(before, engine.snapshot(s), "the input state");
      Close.sameBits(values, engine.download(v), "the input field");
      for (State guard : guards) {
        Close.sameBits(sentinel, engine.download(guard), "state beside");
      }
      for (Field guard : fieldGuards) {
        Close.sameBits(sentinel, engine.download(guard), "field beside");
      }
    } finally {
      guards.forEach(State::close);
      fieldGuards.forEach(Field::close);
    }
  }

  private void observeAll(State s, Layer[] layers) {
    Observations o = engine.observations();
    o.energy(s, layers);
    o.innerProducts(s, 10);
    o.clusters(s, Observations.Linkage.COSINE, 0.9);
    o.clusters(s, Observations.Linkage.DISTANCE, 0.1);
    o.distanceToFirst(s);
    o.norms(s);
    o.orderParameter(s);
    o.attentionEntropy(s, layers);
    o.secondMoment(s);
    o.nonFinite(s);
    o.attentionRows(s, layers[0], 0, 0, new int[] {0});
  }
}
