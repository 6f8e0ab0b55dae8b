package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/**
 * Rotating or permuting all tokens rotates or permutes the velocity; it is tangent to the sphere.
 */
abstract class EquivarianceContract extends ContractTheme {
  @ParameterizedTest(name = "{0} {1} d={2} seed 251")
  @CsvSource({
    "SPHERE,SOFTMAX,2",
    "SPHERE,SOFTMAX,3",
    "SPHERE,UNNORMALISED,17",
    "EUCLIDEAN,SOFTMAX,8",
    "EUCLIDEAN,UNNORMALISED,9",
    "RESCALED,SOFTMAX,64"
  })
  void rotationsCommuteWithTheVelocity(Geometry geometry, Normalisation normalisation, int d) {
    int n = 65;
    Layer layer = Layers.of(geometry, Mask.CAUSAL, normalisation, 4, d, Layers.Weights.IDENTITY, 0);
    double[] x = subject().representable(Tokens.sphere(n, d, 251));
    double[] rotation = Tokens.orthogonal(d, 252);
    double[] rotated = subject().representable(rotate(rotation, x, n, d));
    assertVelocities(
        rotate(rotation, velocity(n, d, x, layer), n, d), velocity(n, d, rotated, layer), n, d);
  }

  private static double[] rotate(double[] rotation, double[] x, int n, int d) {
    double[] y = new double[n * d];
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) {
        y[i * d + a] = Naive.dot(rotation, a * d, x, i * d, d);
      }
    }
    return y;
  }

  @ParameterizedTest(name = "{0} {1} d={2} seed 261")
  @CsvSource({
    "SPHERE,SOFTMAX,3",
    "SPHERE,HARDMAX,9",
    "EUCLIDEAN,UNNORMALISED,4",
    "RESCALED,SOFTMAX,17"
  })
  void permutationsCommuteWithTheVelocity(Geometry geometry, Normalisation normalisation, int d) {
    int n = 129;
    Layer layer =
        Layers.of(geometry, Mask.FULL, normalisation, 4, d, Layers.Weights.THREE_HEADS, 262);
    double[] x = subject().representable(Tokens.sphere(n, d, 261));
    int[] from = allRows(n);
    Random random = new Random(263);
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = from[i];
      from[i] = from[j];
      from[j] = swap;
    }
    assertVelocities(
        permute(from, velocity(n, d, x, layer), d),
        velocity(n, d, permute(from, x, d), layer),
        n,
        d);
  }

  private static double[] permute(int[] from, double[] x, int d) {
    double[] y = new double[x.length];
    for (int i = 0; i < from.length; i++) {
      System.arraycopy(x, from[i] * d, y, i * d, d);
    }
    return y;
  }

  /** Within the rounding of the positions and of the velocity. */
  private void assertVelocities(double[] expected, double[] actual, int n, int d) {
    double largest = 0;
    for (int i = 0; i < n; i++) {
      largest = Math.max(largest, Naive.norm(expected, i * d, d));
    }
    assertTrue(largest > 0, "the velocity must not vanish");
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) {
        Close.to(
            expected[i * d + a],
            actual[i * d + a],
            128 * subject().epsilon() * largest,
            "token " + i + " coordinate " + a);
      }
    }
  }

  @ParameterizedTest(name = "{0} d={1} seed 271")
  @CsvSource({"IDENTITY,3", "DENSE,2", "DENSE,9", "THREE_HEADS,17", "DIAGONAL,257"})
  void velocitiesAreTangentToTheSphere(Layers.Weights weights, int d) {
    int n = 49;
    Layer layer = Layers.of(Geometry.SPHERE, Mask.FULL, Normalisation.SOFTMAX, 2, d, weights, 272);
    double[] x = subject().representable(Tokens.sphere(n, d, 271));
    double[] v = velocity(n, d, x, layer);
    for (int i = 0; i < n; i++) {
      Close.to(0, Naive.dot(v, i * d, x, i * d, d), 64 * subject().epsilon(), "<v,x> of " + i);
    }
  }
}
