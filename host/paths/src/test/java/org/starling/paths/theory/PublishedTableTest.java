package org.starling.paths.theory;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hidden-Markov-chain experiment from its own random numbers (science/paths.md 3.1). */
class PublishedTableTest {
  private static Problem.Published four;
  private static Problem.Published two;

  @BeforeAll
  static void load() {
    four = Problem.Published.of(false);
    two = Problem.Published.of(true);
  }

  private static Fit fit(Action action) {
    Fit fit = new Fitter(1, 500, 1).fit(action, null);
    assertTrue(fit.converged(), () -> "gradient " + fit.gradient());
    assertTrue(fit.curvature() > 0, () -> "curvature " + fit.curvature());
    return fit;
  }

  @ParameterizedTest(name = "four paths, N = {0}")
  @CsvSource({
    "10, 96.4, 8.420371, -1.26225, 9.68262, 2.02293",
    "50, 94.5, 8.294108, 0.65584, 7.63827, 1.58771",
    "100, 91.1, 7.852642, 0.58038, 7.27226, 1.44610",
    "500, 84.0, 7.244012, 0.20663, 7.03738, 1.19599",
    "1000, 83.4, 7.133430, 0.11929, 7.01414, 1.12151"
  })
  void fourPaths(int width, double accuracy, double f, double e, double s, double readout) {
    Fit fit = fit(four.width(width));
    assertAll(
        () -> assertEquals(f, fit.action() / width, 1e-6 * f),
        () -> assertEquals(e, fit.energy() / width, 6e-6),
        () -> assertEquals(s, fit.entropy() / width, 6e-6),
        () -> assertEquals(readout, fit.parameters().readout(), 1e-4),
        () ->
            assertEquals(
                accuracy, 100 * four.predictor().at(fit.parameters().first()).accuracy(), 0.2));
  }

  @ParameterizedTest(name = "two paths, N = {0}")
  @CsvSource({
    "10, 95.7, 86.2, 2.93484, -1.73925, 1.25741, 4.147718",
    "50, 95.4, 85.7, 1.9164, -.8405, 1.1252, 4.859737",
    "100, 92.5, 85.8, 1.6104, -.4615, 1.1622, 4.576289",
    "500, 86.2, 84.5, 1.2219, -.0851, 1.1310, 4.148929",
    "1000, 85.7, 84.2, 1.1303, -.0405, 1.0857, 4.077867"
  })
  void twoPaths(
      int width, double accuracy, double diagonal, double gg, double gd, double dd, double f) {
    Fit fit = fit(two.width(width));
    double[] u = fit.parameters().first();
    assertAll(
        () -> assertEquals(f, fit.action() / width, 1e-6 * f),
        () -> assertEquals(gg, u[0], 1e-3),
        () -> assertEquals(gd, u[1], 1e-3),
        () -> assertEquals(dd, u[3], 1e-3),
        () -> assertEquals(accuracy, 100 * two.predictor().at(u).accuracy(), 0.2),
        () ->
            assertEquals(diagonal, 100 * two.predictor().at(Heads.diagonal(u, 2)).accuracy(), 0.2));
  }

  @Test
  void matricesOfTheNarrowestNetwork() {
    Fit fit = fit(four.width(10));
    double[] first = {
      13.36534, -0.00397, -5.39702, -0.33955, -0.00397, 0.54629, -0.16442, 0.04432, -5.39702,
      -0.16442, 6.74519, 0.01908, -0.33955, 0.04432, 0.01908, 0.34342
    };
    double[] second = {5.44649, 0.00376, 0.00376, 0.66868};
    for (int k = 0; k < first.length; k++) {
      assertEquals(first[k], fit.parameters().first()[k], 1e-3, "entry " + k + " of U_1");
    }
    for (int k = 0; k < second.length; k++) {
      assertEquals(second[k], fit.parameters().u().get(1)[k], 1e-3, "entry " + k + " of U_2");
    }
    double[] mean = four.predictor().at(fit.parameters().first()).mean();
    double[] expected = {0.9409830893, 1.3715359299, 0.2663804811, 0.3531597560, 0.4694743714};
    for (int k = 0; k < expected.length; k++) {
      assertEquals(expected[k], mean[k], 1e-6, "mean " + k);
    }
    Prediction prediction = four.predictor().at(fit.parameters().first());
    assertEquals(0.244406, prediction.bias(), 1e-6);
    assertEquals(0.237090, prediction.meanVariance(), 1e-6);
  }

  @Test
  void fluxIsTheSameInEveryLayer() {
    double[][] expected = {{10, 10.229292}, {50, 29.386466}, {100, 44.610293}, {1000, 121.496164}};
    for (double[] pair : expected) {
      Action action = four.width((int) pair[0]);
      for (double flux : Flux.of(action, fit(action).parameters())) {
        assertEquals(pair[1], flux, 1e-5 * pair[1], "N = " + pair[0]);
      }
    }
  }

  @Test
  void infiniteWidth() {
    Prediction gp = four.predictor().at(OrderParameters.limit(four.network()).first());
    assertEquals(82.6, 100 * gp.accuracy(), 0.2);
    assertEquals(0.525669, gp.bias(), 1e-6);
    assertEquals(0.241387, gp.meanVariance(), 1e-6);
    assertEquals(0.3362350953, gp.mean()[0], 1e-8);
    Action.Value value = four.action().at(OrderParameters.limit(four.network()).u());
    assertEquals(152.9735782226, value.energy(), 1.6e-5);
    assertEquals(70, value.entropy(), 1e-10);
    double[] g = value.gradient().get(0);
    double[] diagonal = {-55.8320907758, -14.1485327238, -44.1673659780, -55.2360973523};
    for (int k = 0; k < 4; k++) {
      assertEquals(diagonal[k], g[5 * k], 6e-6, "derivative " + k);
    }
    assertEquals(38.4709574760, g[2], 4e-6);
  }

  @Test
  void networksAndKernelsOfFewerPaths() {
    double[] limit = OrderParameters.limit(four.network()).first();
    boolean[] good = {true, false, false, false};
    boolean[] both = {true, false, true, false};
    assertEquals(92.3, accuracy(Heads.restricted(limit, good)), 0.2);
    assertEquals(97.0, accuracy(Heads.restricted(limit, both)), 0.2);
    // A network of its own has its own number of paths in the kernel.
    double[] four1 = Heads.restricted(Small.identity(4, 4), good);
    double[] four2 = Heads.restricted(Small.identity(4, 2), both);
    assertEquals(94.0, accuracy(four1), 0.2);
    assertEquals(95.5, accuracy(four2), 0.2);
  }

  private static double accuracy(double[] u) {
    return 100 * four.predictor().at(u).accuracy();
  }

  @Test
  void kernelsMeetTheTask() {
    Alignment gp = Alignment.of(four.action(), OrderParameters.limit(four.network()).first());
    Alignment narrow = Alignment.of(four.action(), fit(four.width(10)).parameters().first());
    assertEquals(0.3607, gp.overlaps()[3], 1e-4);
    assertEquals(0.8450, narrow.overlaps()[2], 1e-4);
    assertEquals(0.0307, gp.cosine(), 1e-4);
    assertEquals(0.0677, narrow.cosine(), 1e-4);
    assertEquals(28.428, gp.eigenvalues()[0], 1e-3);
    assertEquals(53.592, narrow.eigenvalues()[0], 1e-3);
  }

  @Test
  void headsInTheirOrder() {
    double[] u = fit(four.width(10)).parameters().first();
    List<Heads.Score> scores = Heads.scores(four.network(), u);
    double[] expected = {0.0636, 0.5951, 0.8076, 1};
    double[] accuracy = {95.7, 91.3, 49.8, 58.9};
    int[][] heads = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    for (int k = 0; k < 4; k++) {
      Heads.Score s = scores.get(k);
      assertEquals(heads[k][0], s.layer());
      assertEquals(heads[k][1], s.head());
      assertEquals(expected[k], s.score(), 1e-4);
      assertEquals(
          accuracy[k], accuracy(Heads.silenced(four.network(), u, List.of(s))), 0.2, s.name());
    }
  }

  @Test
  void departureFromInfiniteWidth() {
    int width = 100000;
    Action action = four.width(width);
    double[] u = fit(action).parameters().first();
    double[] correction = LargeWidth.correction(action);
    double error = 0;
    double size = 0;
    for (int k = 0; k < u.length; k++) {
      double departure = u[k] - (k % 5 == 0 ? 1 : 0);
      error += Math.pow(departure - correction[k], 2);
      size += correction[k] * correction[k];
    }
    assertTrue(Math.sqrt(error / size) < 0.01, "relative error " + Math.sqrt(error / size));
  }

  @Test
  void startsEndAtTheSamePoint() {
    for (Problem.Published p : Stream.of(four, two).toList()) {
      Fit fit = new Fitter(3, 500, 5).fit(p.width(10), null);
      for (Fit.Ending other : fit.others()) {
        assertTrue(Math.abs(other.excess()) < 1e-6 && other.distance() < 1e-4, other::toString);
      }
    }
  }
}
