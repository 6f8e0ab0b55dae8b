package org.starling.analysis.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.Link;
import org.starling.analysis.cluster.SingleLinkage;

/**
 * Numbers of science/causal.md 1.4, 1.6 and science/emergence.md 1.11; printed errors must fail.
 */
class MetastabilityTest {
  @ParameterizedTest(name = "beta = {0}")
  @ValueSource(doubles = {1, 2, 16, 256, 1e4})
  void boundsOnTheInteraction(double beta) {
    CircleInteraction p = new CircleInteraction(beta);
    double peak = p.peak();
    assertTrue(peak > 1 / Math.sqrt(beta + 0.5) && peak < 1 / Math.sqrt(beta));
    assertEquals(0, p.g(peak), 1e-12);
    for (double x = 0.01; x <= Math.PI; x += 0.01) {
      if (p.h(x) > 1e-290) {
        assertTrue(p.lowerH(x) < p.h(x) && p.h(x) < p.upperH(x), "x = " + x);
        assertTrue(p.lowerG(x) < p.g(x), "x = " + x);
      }
    }
  }

  @Test
  void thePrintedCornersAreFalse() {
    CircleInteraction five = new CircleInteraction(5);
    double x = 1.5 * Math.PI;
    assertTrue(five.lowerH(x) > five.h(x));
    CircleInteraction hot = new CircleInteraction(.05);
    assertTrue(hot.lowerG(1.66) > hot.g(1.66));
  }

  @Test
  void conditionTwoAndTheLifetimeOfStrongCentres() {
    double[] betas = {1, 2, 4, 16, 64, 256};
    double[] thresholds = {0.9046, .9544, .9781, .9947, .9987, .9997};
    for (int k = 0; k < betas.length; k++) {
      assertEquals(thresholds[k], new StrongCentreBound(betas[k], 3, .1).threshold(), 5e-5);
    }
    assertTrue(new StrongCentreBound(64, 1, .1).holds());
    assertFalse(new StrongCentreBound(64, .8, .1).holds());
    StrongCentreBound b = new StrongCentreBound(64, 3, .1);
    assertTrue(b.explicitLifetime(5) < b.lifetime(5));
    assertEquals(b.lifetime(1) / 5, b.lifetime(5), 1e-12 * b.lifetime(1));
    assertEquals(.1 * 3 / 8, b.displacement(), 1e-15);
    assertEquals(1.2 * 3 / 8, b.separation(), 1e-15);
  }

  @Test
  void theFrozenCentreWindow() {
    FrozenCentres f = new FrozenCentres(14, 6.5, .1, 700);
    assertEquals(14.045, f.windowBeta(), 1e-3);
    assertEquals(682.9, f.windowMass(), .05);
    assertFalse(f.inWindow());
    assertEquals(3763, f.largestMassByForce(), 1);
    assertEquals(4.1e5, f.largestMassByStability(), 5e3);
    FrozenCentres inside = new FrozenCentres(11, 5.68, .09, 36 + 2);
    assertTrue(inside.inWindow() && inside.holds());
    assertEquals(38.2, inside.windowMass(), .05);
    assertFalse(new FrozenCentres(64, 2, .09, 50).holds());
  }

  @Test
  void withoutItsMinusSignTheConditionAsksForNothing() {
    for (double mass : new double[] {1e6, 1e12, 1e30}) {
      FrozenCentres f = new FrozenCentres(14, 6.5, .09, mass);
      assertTrue(FrozenCentres.printedStabilityCondition(f));
      assertFalse(f.stabilityCondition());
    }
  }

  @Test
  void separatedCaps() {
    double eps = .005;
    Separation s = new Separation(12, 3, 32, eps, Separation.alphaOrthogonal(eps));
    assertEquals(.2793, s.alpha(), 5e-5);
    assertEquals(.338, s.gamma(), 5e-4);
    assertEquals(.502, s.largestLambda(), 6e-4);
    assertEquals(519, s.contracted(.402), 1);
    assertEquals(4.32e6, s.lifetime(), 1e4);
    assertTrue(s.separated());
    assertFalse(new Separation(12, 3, 8, eps, Separation.alphaOrthogonal(eps)).separated());
    assertFalse(new Separation(12, 3, 32, .06, Separation.alphaOrthogonal(.06)).separated());
  }

  @Test
  void printedBoundsOfSeparationAreWrong() {
    // alpha of orthogonal caps is about 4 sqrt(eps): two points of the caps show it.
    double eps = .005;
    double r = Math.acos(1 - 2 * eps);
    double closest = Math.cos(Math.PI / 2 - 2 * r);
    assertEquals(closest, Separation.alphaOrthogonal(eps), 1e-14);
    assertTrue(closest > 20 * (eps * eps + 2 * eps));
    assertEquals(4 * Math.sqrt(eps), closest, .05 * closest);
    // Near the edge the second bound on lambda decides, and the printed one never does.
    Separation edge = new Separation(40, 2, 17.5, 1e-4, -1);
    double printed = Math.min(edge.firstBound(), Separation.printedSecondBound(edge));
    assertTrue(edge.separated());
    assertEquals(edge.firstBound(), printed);
    Separation weak = new Separation(40, 2, 24, 1e-3, .2);
    assertTrue(Separation.printedSecondBound(weak) > 1e6 * weak.secondBound());
  }

  @Test
  void separationOfTokens() {
    Tokens x = Tokens.onCircle(.01, -.01, 1.5, 1.52, 3.4);
    Separation s = Separation.of(x, SingleLinkage.of(x, Link.angle(.1)), 50, 1e-6);
    assertEquals(3, s.clusters());
    assertEquals(1 - Math.cos(.01), s.eps(), 1e-12);
    assertEquals(Separation.alpha(s.eps(), 1.51), s.alpha(), 1e-12);
    assertThrows(
        IllegalArgumentException.class,
        () -> Separation.of(x, SingleLinkage.of(x, Link.angle(3)), 50, 1e-6));
  }

  @Test
  void ratesNearPoles() {
    // One pole only (q = 0, p = 1): token k = 2 falls back at lambda - mu/k.
    assertEquals(-.7, ConsensusRates.atTwoPoles(1, .6, .5, 1, 0), 1e-15);
    // Two equal poles and no weight on itself: neutral but for the gap.
    assertEquals(.06, ConsensusRates.atTwoPoles(1, .6, .1, .5, .5), 1e-15);
  }

  @Test
  void theSeparatrixOfThreeTokens() {
    double star = Separatrix.angle(2, 2);
    assertTrue(Separatrix.goesBack(2, 2, star - 1e-6));
    assertFalse(Separatrix.goesBack(2, 2, star + 1e-6));
    // An independent integrator's bisection.
    assertEquals(3.77966097, star, 1e-7);
  }
}
