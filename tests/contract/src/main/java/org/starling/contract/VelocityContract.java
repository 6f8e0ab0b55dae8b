package org.starling.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** The velocity agrees with the definition, over sizes, temperatures, states and models. */
abstract class VelocityContract extends VelocityTheme {
  private static final int[] SIZES = {1, 2, 3, 7, 47, 48, 49, 129};
  private static final int[] DIMENSIONS = {1, 2, 3, 4, 8, 9, 17, 64, 257};
  private static final double[] BETAS = {0, 1, 9, 81, 128, 1000};
  private static final double[] SPREADS = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};

  /** States of fewer tokens are judged together, so that statistics mean something. */
  private static final int TOKENS = 48;

  /** As many states, from consecutive seeds, as make up {@link #TOKENS}. */
  private List<Scene> pooled(String name, int n, int d, long seed, Layer layer, double spread) {
    List<Scene> scenes = new ArrayList<>();
    for (int k = 0; k == 0 || k * n < TOKENS; k++) {
      long s = seed + 100 * k;
      double[] x = spread == 0 ? Tokens.sphere(n, d, s) : Tokens.clustered(n, d, spread, s);
      scenes.add(new Scene(name + " seed=" + s, n, d, subject().representable(x), layer));
    }
    return scenes;
  }

  static Stream<int[]> sizesAndDimensions() {
    List<int[]> cases = new ArrayList<>();
    for (int n : SIZES) {
      for (int d : DIMENSIONS) {
        cases.add(new int[] {n, d});
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "n, d = {0}")
  @MethodSource("sizesAndDimensions")
  void agreesAtEverySize(int[] size) {
    int n = size[0];
    int d = size[1];
    double beta = n % 2 == 0 ? 1 : 9;
    assertOwed(
        pooled("n=" + n + " d=" + d + " beta=" + beta, n, d, 11, Layers.identity(d, beta), 0));
  }

  static Stream<Object[]> temperaturesAndStates() {
    List<Object[]> cases = new ArrayList<>();
    for (int d : new int[] {2, 3, 64, 512, 1024}) {
      for (double beta : BETAS) {
        cases.add(new Object[] {d, beta, 0.0});
        for (double spread : SPREADS) {
          cases.add(new Object[] {d, beta, spread});
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "d={0} beta={1} spread={2} (0: random), seed 23")
  @MethodSource("temperaturesAndStates")
  void keepsItsDigitsFarApartAndInsideClusters(int d, double beta, double spread) {
    int n = d <= 64 ? 65 : TOKENS;
    String name = "n=" + n + " d=" + d + " beta=" + beta + " spread=" + spread;
    assertOwed(pooled(name, n, d, 23, Layers.identity(d, beta), spread));
  }

  static Stream<Object[]> models() {
    List<Object[]> cases = new ArrayList<>();
    Mask[] masks = {
      Mask.FULL,
      Mask.CAUSAL,
      Mask.window(5),
      Mask.CAUSAL.and(Mask.window(16)),
      Mask.prefix(10),
      Mask.alibi(0.3),
      Mask.alibi(0.05).and(Mask.window(20))
    };
    int k = 0;
    for (Geometry geometry : Geometry.values()) {
      for (Normalisation normalisation : Normalisation.values()) {
        for (Mask mask : masks) {
          Layers.Weights[] all = Layers.Weights.values();
          int d = new int[] {3, 8, 17}[k % 3];
          cases.add(new Object[] {geometry, normalisation, mask, all[k % all.length], d});
          cases.add(new Object[] {geometry, normalisation, mask, all[(k + 3) % all.length], 17});
          k++;
        }
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} {1} {2} {3} d={4} seed 31")
  @MethodSource("models")
  void agreesForEveryModel(
      Geometry geometry, Normalisation normalisation, Mask mask, Layers.Weights weights, int d) {
    int n = 67;
    Layer layer = Layers.of(geometry, mask, normalisation, 2, d, weights, 31);
    double[] x = geometry == Geometry.SPHERE ? Tokens.sphere(n, d, 32) : Tokens.gaussian(n, d, 32);
    String name = geometry + " " + normalisation + " " + mask + " " + weights + " d=" + d;
    assertOwed(List.of(new Scene(name, n, d, subject().representable(x), layer)));
  }

  @ParameterizedTest(name = "{0} n=49 d=64 beta=81 seed 41")
  @MethodSource("weights")
  void agreesForEveryWeightKindAtLargeBeta(Layers.Weights weights) {
    int n = 49;
    int d = 64;
    Layer layer = Layers.of(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 81, d, weights, 41);
    assertOwed(pooled(weights.toString(), n, d, 42, layer, 0));
    assertOwed(pooled(weights + " clustered", n, d, 42, layer, 1e-2));
  }

  static Stream<Layers.Weights> weights() {
    return Stream.of(Layers.Weights.values());
  }
}
