package org.starling.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** The raw attention output agrees with the plain sum over all live keys. */
abstract class AttendContract extends ContractTheme {
  static Stream<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    int[] sizes = {1, 2, 7, 48, 129};
    int[] dimensions = {1, 3, 8, 9, 64, 257};
    int k = 0;
    for (int n : sizes) {
      for (int d : dimensions) {
        cases.add(
            new Object[] {
              n,
              d,
              Normalisation.values()[k % 2],
              new Mask[] {Mask.FULL, Mask.CAUSAL, Mask.window(4)}[k / 2 % 3],
              Layers.Weights.values()[k % Layers.Weights.values().length],
              Geometry.values()[k % 3]
            });
        k++;
      }
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "n={0} d={1} {2} {3} {4} {5} seed 51")
  @MethodSource("cases")
  void agreesWithThePlainSum(
      int n, int d, Normalisation normalisation, Mask mask, Layers.Weights weights, Geometry g) {
    Layer layer = Layers.of(g, mask, normalisation, 3, d, weights, 51);
    double[] x = subject().representable(Tokens.sphere(n, d, 52));
    assertPlainSum(n, d, x, layer);
  }

  @Test
  void agreesOnTokensOffTheSphere() {
    int n = 49;
    int d = 5;
    double[] x = subject().representable(Tokens.gaussian(n, d, 53));
    for (Layers.Weights weights : Layers.Weights.values()) {
      Layer layer =
          Layers.of(Geometry.EUCLIDEAN, Mask.FULL, Normalisation.SOFTMAX, 0.5, d, weights, 54);
      assertPlainSum(n, d, x, layer);
    }
  }

  private void assertPlainSum(int n, int d, double[] x, Layer layer) {
    Naive naive = new Naive(x, n, d, layer);
    double[] u = attend(n, d, x, layer);
    for (int i = 0; i < n; i++) {
      double score = 0;
      for (int h = 0; h < layer.heads().size(); h++) {
        for (int j = 0; j < n; j++) {
          score = Math.max(score, Math.abs(naive.score(h, i, j)));
        }
      }
      double tolerance =
          subject().epsilon() * (32 + 2 * Math.sqrt(d) + 16 * score) * naive.attentionSize(i);
      double[] expected = naive.attention(i);
      for (int a = 0; a < d; a++) {
        Close.to(expected[a], u[i * d + a], tolerance, "token " + i + " coordinate " + a);
      }
    }
  }
}
