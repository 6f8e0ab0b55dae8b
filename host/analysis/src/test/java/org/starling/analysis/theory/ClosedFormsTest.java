package org.starling.analysis.theory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.analysis.Tokens;
import org.starling.analysis.theory.Equiangular.Model;
import org.starling.core.model.Weight;

/**
 * Numbers of science/emergence.md 1.5, 1.10, 1.12 and science/causal.md 1.2, 1.4, 4.3, 4.8, 4.9.
 */
class ClosedFormsTest {
  @Test
  void twoTokensAndTwoClusters() {
    assertEquals(10.7036, TokenPair.causalPassage(1, 2.5, 0.3), 5e-5);
    assertEquals(2.5181e6, TokenPair.causalPassage(9, 2.5, 0.3), 50);
    // Both tokens move under full attention: half the time.
    assertEquals(
        TokenPair.causalPassage(3, 2, 0.1) / 2, TokenPair.mergeTime(3, 1, 1, 2, 0.1), 1e-9);
    assertEquals(6.66, TokenPair.mergeTime(2, 5, 5, Math.PI / 2, 0.01), 5e-3);
    assertEquals(40.66, TokenPair.mergeTime(6, 1, 1, Math.PI / 2, 0.01), 5e-3);
    double ten = TokenPair.mergeTime(10, 1, 1, Math.PI / 2, 0.01);
    assertEquals(1131.7, ten, 0.05);
    double twelve = TokenPair.mergeTime(12, 1, 1, Math.PI / 2, 0.01);
    assertEquals(0.903, Math.log(twelve / ten) / 2, 5e-4);
    assertEquals(1, TokenPair.lifetimeExponent(Math.PI / 2), 1e-15);
    assertEquals(TokenPair.mergeTime(4, 1, 3, 1, 0.1), TokenPair.mergeTime(4, 3, 1, 1, 0.1), 1e-9);
    assertThrows(IllegalArgumentException.class, () -> TokenPair.causalPassage(1000, 2, 0.1));
  }

  @Test
  void twoEquiangularTokensAreAPair() {
    double t = new Equiangular(2, 5, Model.SOFTMAX).time(0, 0.999);
    assertEquals(t, TokenPair.mergeTime(5, 1, 1, Math.PI / 2, Math.acos(0.999)), 1e-8);
  }

  @Test
  void thePairLemmaAndItsPrintedCentre() {
    double beta = 1e8;
    double c = 2;
    double exact = StaircasePair.crossing(beta, c, 1);
    assertEquals(exact, StaircasePair.asymptote(beta, c, 1), 1e-6);
    double printed = StaircasePair.asymptote(beta, c, 1) - 1 / (2 * c) + 2 / c;
    assertTrue(Math.abs(printed - exact) > 0.7);
    // The centre is approached as beta grows.
    assertEquals(1 / (2 * c), StaircasePair.crossing(1e300, c, 1), 1e-2);
  }

  @Test
  void theFirstTokenFollowsTheLeftEigenvector() {
    Weight v = Weight.dense(3, 3, new double[] {1, 2, 0, 0, .3, 0, 0, 0, -.5});
    // <left, x> > 0 although <right, x> < 0.
    double[] x = {-0.5, 0.8, 0.3};
    double[] far = FirstToken.position(v, x, 2000);
    assertArrayEquals(new double[] {1, 0, 0}, far, 1e-12);
    double[] half = FirstToken.position(v, FirstToken.position(v, x, 0.7), 0.9);
    assertArrayEquals(FirstToken.position(v, x, 1.6), half, 1e-14);
    double[] still = FirstToken.position(Weight.scalar(3, -5), x, 10);
    double norm = Math.sqrt(0.25 + 0.64 + 0.09);
    assertArrayEquals(new double[] {-0.5 / norm, 0.8 / norm, 0.3 / norm}, still, 1e-15);
    // J_3: t times the distance to the eigenvector tends to 2.
    Weight j = Weight.dense(3, 3, new double[] {1, 1, 0, 0, 1, 1, 0, 0, 1});
    double[] y = FirstToken.position(j, new double[] {0.3, -0.4, 0.6}, 1000);
    assertEquals(2, 1000 * Math.hypot(y[1], y[2]), 0.02);
  }

  @Test
  void theTerminalLaw() {
    Weight v = Weight.diagonal(2, -0.5);
    Tokens z = Tokens.of(new double[] {1, 1}, new double[] {3, 2});
    Tokens later = TerminalLaw.rescaled(z, new int[] {0, 0}, v, 1.5);
    assertEquals(1 + 2 * Math.exp(-3), later.at(1, 0), 1e-14);
    assertEquals(1 + Math.exp(0.75), later.at(1, 1), 1e-14);
    assertArrayEquals(z.row(0), later.row(0));
    assertThrows(
        IllegalArgumentException.class, () -> TerminalLaw.rescaled(z, new int[] {1, 0}, v, 1));
    assertEquals(Math.log(1e3) / 0.099, TerminalLaw.collapseTime(0.099, 10, 0.01), 1e-10);
    assertEquals(Double.POSITIVE_INFINITY, TerminalLaw.collapseTime(-1, 10, 0.01));
  }

  @Test
  void fastestModes() {
    double[] betas = {1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 25, 32, 64, 100};
    int[][] expected = {
      {1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 11, 14},
      {1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 7, 8, 11, 14},
      {1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 5, 6, 9, 11}
    };
    int[] dimensions = {2, 3, 8};
    for (int k = 0; k < 3; k++) {
      for (int b = 0; b < betas.length; b++) {
        assertEquals(
            expected[k][b],
            UnstableModes.fastest(dimensions[k], betas[b]),
            "d = " + dimensions[k] + ", beta = " + betas[b]);
      }
    }
    double[] usa = {4.867, 14.005, 18.596, 16.346, 10.790};
    double[] sa = {.1787, .5141, .6827, .6001, .3961};
    for (int k = 1; k <= 5; k++) {
      assertEquals(usa[k - 1], UnstableModes.growth(2, 5, k, Model.UNNORMALISED), 6e-4);
      assertEquals(sa[k - 1], UnstableModes.growth(2, 5, k, Model.SOFTMAX), 5e-5);
    }
  }

  @Test
  void noiseThresholds() {
    assertEquals(2.446918, NoiseThreshold.tricritical(2), 5e-7);
    assertEquals(1.575257, NoiseThreshold.tricritical(4), 5e-7);
    assertEquals(.884707, NoiseThreshold.sharp(2, 1), 5e-7);
    assertEquals(1.359141, NoiseThreshold.sharp(3, 1), 5e-7);
    assertEquals(1.841652, NoiseThreshold.sharp(4, 1), 5e-7);
    assertEquals(1.76941, NoiseThreshold.kappa(2, 1), 5e-6);
    assertEquals(.40986, NoiseThreshold.kappa(2, 4), 5e-6);
    assertEquals(2, NoiseThreshold.kappa(2, 1e-6), 1e-6);
  }

  @ParameterizedTest(name = "t = {0}")
  @CsvSource({"0.25, .0626", "0.5, .1252", "1, .2592", "1.5, .4184", "2, .6330"})
  void lostInTheMiddle(double t, double position) {
    KineticRetrieval k = new KineticRetrieval(1, 1, 8, 20);
    // The reference values come from a grid.
    assertEquals(position, k.worstPosition(t), 1e-4);
    assertTrue(Double.isNaN(k.worstPosition(5)));
    assertEquals(2.45749, k.criticalTime(), 5e-6);
    assertEquals(2.23696, k.theoremTime(), 5e-6);
    KineticRetrieval two = new KineticRetrieval(2, 1, 8, 20);
    assertEquals(.600716, two.criticalTime(), 5e-7);
    assertEquals(.458758, two.theoremTime(), 5e-7);
  }

  @Test
  void hemispheres() {
    assertEquals(.5, Hemisphere.probability(4, 2), 1e-12);
    assertEquals(.2266, Hemisphere.probability(8, 3), 5e-5);
    assertEquals(.5, Hemisphere.probability(16, 8), 1e-12);
    assertEquals(.5, Hemisphere.probability(32, 16), 1e-12);
    assertEquals(1, Hemisphere.probability(8, 8), 1e-12);
  }
}
