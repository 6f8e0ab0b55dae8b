package org.starling.cpu.fast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;

/**
 * Plain loops and the Vector API give the same bits, whatever the width of a strip: a run may be
 * begun with one and gone on with in the other.
 */
class SameBitsTest {
  private static final Mask[] MASKS = {
    Mask.FULL, Mask.CAUSAL, Mask.window(40), Mask.prefix(150), Mask.alibi(0.1)
  };

  static Stream<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    // d: differences, then split sums in tiles of eight, four and one; beta: scores that float32
    // holds, and scores that it forms from differences.
    int k = 0;
    for (Precision precision : new Precision[] {Precision.SINGLE, Precision.DOUBLE}) {
      for (int d : new int[] {1, 2, 3, 7, 8, 9, 12, 31, 64}) {
        for (double beta : new double[] {3, 300}) {
          int n = new int[] {1, 31, 129, 300, 517}[k % 5];
          cases.add(new Object[] {precision, n, d, beta, MASKS[k % MASKS.length]});
          cases.add(new Object[] {precision, 517, d, beta, MASKS[(k + 2) % MASKS.length]});
          k++;
        }
      }
    }
    // More keys than the sums of a span.
    cases.add(new Object[] {Precision.SINGLE, Strip.SPAN + 200, 9, 3.0, Mask.CAUSAL});
    cases.add(new Object[] {Precision.DOUBLE, Strip.SPAN + 200, 2, 3.0, Mask.FULL});
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} n={1} d={2} beta={3} {4} seed 7")
  @MethodSource("cases")
  void bothWaysGiveTheSameBits(Precision precision, int n, int d, double beta, Mask mask) {
    double[] x = sphere(n, d);
    for (Normalisation normalisation : Normalisation.values()) {
      Weight v = normalisation == Normalisation.SOFTMAX ? Weight.identity(d) : drift(d);
      Weight one = Weight.identity(d);
      Layer.LayerHead head = new Layer.LayerHead(one, v, one, one);
      double b = normalisation == Normalisation.UNNORMALISED ? 3 : beta;
      Layer layer = new Layer(Geometry.EUCLIDEAN, mask, normalisation, b, List.of(head), null);
      double[] plain = velocity(precision, new PlainStrips(), n, d, x, layer);
      assertTrue(sum(plain) > 0, "nothing moves");
      same(plain, velocity(precision, new VectorStrips(), n, d, x, layer), normalisation);
      same(plain, velocity(precision, new Narrow(), n, d, x, layer), normalisation + ", narrow");
    }
  }

  /** Strips of seven rows. */
  private static final class Narrow implements Strips {
    private final Strips strips = new PlainStrips();

    @Override
    public String description() {
      return "narrow";
    }

    @Override
    public int width(int n, boolean single) {
      return 7;
    }

    @Override
    public Strip strip(TokensSingle tokens, float[] y, Form form, int width) {
      return strips.strip(tokens, y, form, width);
    }

    @Override
    public Strip strip(TokensDouble tokens, double[] y, Form form, int width) {
      return strips.strip(tokens, y, form, width);
    }
  }

  private static void same(double[] expected, double[] actual, Object what) {
    for (int k = 0; k < expected.length; k++) {
      int at = k;
      assertEquals(
          Double.doubleToLongBits(expected[k]),
          Double.doubleToLongBits(actual[k]),
          () -> what + ": number " + at + ", " + expected[at] + " against " + actual[at]);
    }
  }

  private static double sum(double[] a) {
    double sum = 0;
    for (double v : a) {
      sum += Math.abs(v);
    }
    return sum;
  }

  private static Weight drift(int d) {
    double[] entries = new double[d];
    for (int c = 0; c < d; c++) {
      entries[c] = 1 + 0.25 * c;
    }
    return Weight.diagonal(entries);
  }

  private static double[] sphere(int n, int d) {
    SplittableRandom random = new SplittableRandom(7);
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      double square = 0;
      for (int c = 0; c < d; c++) {
        double v = random.nextDouble() - 0.5;
        x[i * d + c] = v;
        square += v * v;
      }
      for (int c = 0; c < d; c++) {
        x[i * d + c] /= Math.sqrt(square);
      }
    }
    return x;
  }

  private static double[] velocity(
      Precision precision, Strips strips, int n, int d, double[] x, Layer layer) {
    Shape shape = new Shape(1, n, d);
    try (FastEngine engine = new FastEngine(precision, strips);
        State s = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(s, x);
      engine.velocity(s, new Layer[] {layer}, new boolean[] {true}, v);
      return engine.download(v);
    }
  }
}
