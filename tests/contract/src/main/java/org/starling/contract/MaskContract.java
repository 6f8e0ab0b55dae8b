package org.starling.contract;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** What a mask hides has no influence at all: not on a single bit, not even as NaN. */
abstract class MaskContract extends ContractTheme {
  static Stream<Object[]> causalCases() {
    Mask[] masks = {
      Mask.CAUSAL, Mask.CAUSAL.and(Mask.window(17)), Mask.alibi(0.2), Mask.prefix(20)
    };
    Stream.Builder<Object[]> cases = Stream.builder();
    for (Mask mask : masks) {
      for (Normalisation normalisation : Normalisation.values()) {
        for (int d : new int[] {3, 17}) {
          cases.add(new Object[] {mask, normalisation, d});
        }
      }
    }
    return cases.build();
  }

  @ParameterizedTest(name = "{0} {1} d={2} seed 191")
  @MethodSource("causalCases")
  void laterTokensChangeNoBit(Mask mask, Normalisation normalisation, int d) {
    int n = 129;
    Layer layer = Layers.of(Geometry.SPHERE, mask, normalisation, 3, d, Layers.Weights.DENSE, 192);
    double[] x = subject().representable(Tokens.sphere(n, d, 191));
    double[] v = velocity(n, d, x, layer);
    double[] u = attend(n, d, x, layer);
    for (int m : new int[] {20, 47, 48, 64, 65, 100, 128}) {
      double[] later = subject().representable(Tokens.sphere(n, d, 193));
      System.arraycopy(x, 0, later, 0, m * d);
      String what = "first " + m + " of " + n + " tokens";
      Close.sameBits(v, velocity(n, d, later, layer), 0, m * d, what + ", velocity");
      Close.sameBits(u, attend(n, d, later, layer), 0, m * d, what + ", attention");
      double[] alone = Arrays.copyOf(x, m * d);
      Close.sameBits(v, velocity(m, d, alone, layer), 0, m * d, "velocity of " + m + " alone");
      Close.sameBits(u, attend(m, d, alone, layer), 0, m * d, "attention of " + m + " alone");
      Arrays.fill(later, m * d, n * d, Double.NaN);
      Close.sameBits(v, velocity(n, d, later, layer), 0, m * d, "NaN after " + what);
    }
  }

  @ParameterizedTest(name = "{0} seed 201")
  @MethodSource("normalisations")
  void tokensOutsideTheWindowChangeNoBit(Normalisation normalisation) {
    int n = 129;
    int w = 9;
    for (int d : new int[] {3, 17}) {
      Layer layer =
          Layers.of(
              Geometry.EUCLIDEAN,
              Mask.window(w),
              normalisation,
              1,
              d,
              Layers.Weights.DIAGONAL,
              202);
      double[] x = subject().representable(Tokens.gaussian(n, d, 201));
      double[] v = velocity(n, d, x, layer);
      int i = 70;
      double[] hidden = x.clone();
      Arrays.fill(hidden, 0, (i - w + 1) * d, Double.NaN);
      Arrays.fill(hidden, (i + w) * d, n * d, Double.NaN);
      Close.sameBits(
          v, velocity(n, d, hidden, layer), i * d, (i + 1) * d, "token " + i + " d=" + d);
    }
  }

  static Stream<Normalisation> normalisations() {
    return Stream.of(Normalisation.values());
  }

  @Test
  void oneLiveKeyHasWeightExactlyOne() {
    int n = 49;
    for (int d : new int[] {1, 3, 17}) {
      double[] x = subject().representable(Tokens.sphere(n, d, 211));
      for (Mask mask : new Mask[] {Mask.CAUSAL, Mask.window(1), Mask.alibi(1)}) {
        Layer layer =
            Layers.of(
                Geometry.SPHERE, mask, Normalisation.SOFTMAX, 5, d, Layers.Weights.IDENTITY, 0);
        int single = mask.window() == 1 ? n * d : d;
        Close.sameBits(x, attend(n, d, x, layer), 0, single, mask + ": attention is the token");
        Close.sameBits(
            new double[single],
            positiveZero(velocity(n, d, x, layer)),
            0,
            single,
            mask + ": velocity is 0");
      }
    }
  }

  /** -0 as +0: the sign of a zero velocity is nobody's business. */
  private static double[] positiveZero(double[] v) {
    double[] out = new double[v.length];
    Arrays.setAll(out, a -> v[a] + 0.0);
    return out;
  }

  @Test
  void masksThatHideNothingAreTheFullMask() {
    int n = 49;
    int d = 9;
    double[] x = subject().representable(Tokens.sphere(n, d, 221));
    Layer full = Layers.identity(d, 4);
    double[] v = velocity(n, d, x, full);
    double size = Arrays.stream(v).map(Math::abs).max().getAsDouble();
    for (Mask mask : new Mask[] {Mask.window(n), Mask.prefix(n), Mask.window(Integer.MAX_VALUE)}) {
      Layer layer =
          Layers.of(Geometry.SPHERE, mask, Normalisation.SOFTMAX, 4, d, Layers.Weights.IDENTITY, 0);
      Close.to(v, velocity(n, d, x, layer), 64 * subject().epsilon() * size, mask.toString());
    }
  }
}
