package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.NativeFunctions;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Philox;

/** Noise is the same on every engine, and a token's noise is its own. */
abstract class NoiseContract extends ContractTheme {
  private static final int R = 3;
  private static final boolean[] ACTIVE = {true, false, true};

  /** The second one fills both words of the counter. */
  private static final long[] STEP = {7, 0, (3L << 32) | 0xFFFFFFFFL};

  private static final double[] SCALE = {0.25, 9, 2};

  private static Philox[] streams() {
    Philox[] streams = new Philox[R];
    Arrays.setAll(streams, r -> Philox.stream(-5L << 40, Philox.Purpose.NOISE, r));
    return streams;
  }

  @ParameterizedTest(name = "n={0} d={1} tangent={2} seed 401")
  @CsvSource({"1,1,false", "5,2,true", "9,3,true", "33,8,false", "17,65,true"})
  void addsTheNumbersOfTheDefinition(int n, int d, boolean tangent) {
    Shape shape = new Shape(R, n, d);
    double[] x = subject().representable(Tokens.sphere(R * n, d, 401));
    double[] start = subject().representable(Tokens.gaussian(R * n, d, 402));
    try (State base = state(shape, x);
        State out = state(shape, start)) {
      engine.addNoise(out, base, streams(), STEP, SCALE, tangent, ACTIVE);
      double[] y = engine.download(out);
      Close.sameBits(x, engine.download(base), "base");
      Close.sameBits(start, y, n * d, 2 * n * d, "inactive replica");
      for (int r : new int[] {0, 2}) {
        for (int i = 0; i < n; i++) {
          token(r, i, (r * n + i) * d, d, tangent, x, start, y);
        }
      }
    }
  }

  private void token(
      int r, int i, int at, int d, boolean tangent, double[] x, double[] start, double[] y) {
    Philox stream = streams()[r];
    double[] xi = new double[d];
    double radial = 0;
    double square = 0;
    for (int c = 0; c < d; c++) {
      xi[c] = stream.gaussian(STEP[r], i, c);
      radial += xi[c] * x[at + c];
      square += x[at + c] * x[at + c];
    }
    double length = Naive.norm(xi, 0, d);
    for (int c = 0; c < d; c++) {
      double added = SCALE[r] * (tangent ? xi[c] - radial / square * x[at + c] : xi[c]);
      // Rounding is relative to the pair's length, and where it is projected to the token's noise.
      double pair = Math.hypot(xi[c], stream.gaussian(STEP[r], i, c ^ 1));
      double size = SCALE[r] * (pair + (tangent ? length * Math.abs(x[at + c]) : 0));
      double tolerance =
          16 * subject().epsilon() * size + 2 * subject().stateEpsilon() * Math.abs(start[at + c]);
      Close.to(start[at + c] + added, y[at + c], tolerance, "replica " + r + " token " + i);
    }
  }

  @Test
  void aTokensNoiseDependsOnNoOther() {
    int d = 3;
    double[] x = Tokens.sphere(41, d, 403);
    double[][] y = new double[2][];
    int[] sizes = {41, 6};
    for (int m = 0; m < 2; m++) {
      Shape shape = new Shape(1, sizes[m], d);
      double[] own = Arrays.copyOf(x, sizes[m] * d);
      try (State base = state(shape, own);
          State out = state(shape, own)) {
        Philox[] stream = {streams()[0]};
        engine.addNoise(out, base, stream, new long[] {4}, new double[] {0.1}, true, all(1));
        y[m] = engine.download(out);
      }
    }
    Close.sameBits(y[1], Arrays.copyOf(y[0], 6 * d), "the first six of 41 tokens");
  }

  @Test
  void drawsTheRandomWordsOfTheDefinitionBitByBit() {
    if (!(engine instanceof NativeFunctions device)) {
      return; // It calls the definition.
    }
    int pairs = 33;
    Philox stream = streams()[2];
    int[] expected = new int[4 * pairs];
    for (int p = 0; p < pairs; p++) {
      System.arraycopy(stream.words(STEP[2], -9, p), 0, expected, 4 * p, 4);
    }
    assertArrayEquals(expected, device.randomWords(stream, STEP[2], -9, pairs));
  }
}
