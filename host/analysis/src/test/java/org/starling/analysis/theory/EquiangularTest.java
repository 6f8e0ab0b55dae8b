package org.starling.analysis.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.analysis.theory.Equiangular.Model;

/** Numbers of science/emergence.md 1.9 and science/causal.md 4.1, 4.2. */
class EquiangularTest {
  @ParameterizedTest(name = "n = {0}, beta = {1}")
  @CsvSource({
    "2, 0, 3.800",
    "2, 1, 4.271",
    "2, 2, 5.163",
    "2, 4, 10.83",
    "2, 5, 19.43",
    "2, 6, 39.16",
    "2, 7, 85.57",
    "2, 8, 196.7",
    "2, 9, 466.7",
    "32, 0, 5.186",
    "32, 2, 5.458",
    "32, 4, 6.954",
    "32, 6, 15.995",
    "32, 8, 73.45",
    "128, 0, 5.879",
    "128, 5, 7.634",
    "128, 6, 10.353",
    "128, 9, 82.59"
  })
  void timesToAGammaOf999(int n, double beta, double expected) {
    Equiangular e = new Equiangular(n, beta, Model.SOFTMAX);
    double t = e.time(0, 0.999);
    assertEquals(expected, t, 6e-4 * expected);
    assertEquals(0.999, e.gamma(0, t), 1e-11);
    assertEquals(t, e.time(0, 0.5) + e.time(0.5, 0.999), 1e-10 * t);
  }

  @ParameterizedTest(name = "t = {0}")
  @CsvSource({"10, 5.110", "15, 5.894", "20, 6.345", "25, 6.662", "30, 6.906"})
  void phaseBoundaryOf32Tokens(double t, double beta) {
    assertEquals(beta, Equiangular.boundary(32, Model.SOFTMAX, 0, 0.999, t), 6e-4);
  }

  @Test
  void ratesClosedFormsAndRange() {
    assertEquals(2, new Equiangular(7, 3, Model.SOFTMAX).lateRate(), 1e-14);
    assertEquals(2 * Math.exp(1.5), new Equiangular(7, 1.5, Model.UNNORMALISED).lateRate(), 1e-12);
    assertEquals(
        Equiangular.atZeroBeta(5, 1.3), new Equiangular(5, 0, Model.SOFTMAX).gamma(0, 1.3), 1e-12);
    assertEquals(Math.tanh(0.7), Equiangular.atZeroBeta(2, 0.7), 1e-15);
    double h = 1e-5;
    Equiangular u = new Equiangular(4, 1, Model.UNNORMALISED);
    double slope = (u.gamma(0.2, 0.5 + h) - u.gamma(0.2, 0.5 - h)) / (2 * h);
    assertEquals(u.rate(u.gamma(0.2, 0.5)), slope, 1e-6);
    assertThrows(IllegalArgumentException.class, () -> u.time(0.5, 0.2));
    assertThrows(
        IllegalArgumentException.class, () -> Equiangular.boundary(32, Model.SOFTMAX, 0, 0.999, 1));
  }

  @Test
  void theEulerMapHasItsOwnBoundary() {
    // After 300 layers of 0.1: 6.784, where the ODE has 6.906.
    assertTrue(EquiangularLayer.euler(32, 6.783, 0.1).apply(0, 300) > 0.999);
    assertTrue(EquiangularLayer.euler(32, 6.785, 0.1).apply(0, 300) < 0.999);
    assertTrue(EquiangularLayer.euler(32, 0.1, 0.1).apply(0, 55) > 0.999);
    assertTrue(EquiangularLayer.euler(32, 0.1, 0.1).apply(0, 54) < 0.999);
    // A small step is the ODE.
    double map = EquiangularLayer.euler(32, 3, 1e-4).apply(0, 20000);
    assertEquals(new Equiangular(32, 3, Model.SOFTMAX).gamma(0, 2), map, 1e-4);
  }

  @Test
  void theEulerMapIsTheLayerOnVectors() {
    int n = 5;
    double[][] x = new double[n][n];
    for (int i = 0; i < n; i++) {
      x[i][i] = 1;
    }
    double beta = 1.7;
    double step = 0.3;
    double rho = 0;
    for (int layer = 0; layer < 3; layer++) {
      double[][] y = new double[n][n];
      for (int i = 0; i < n; i++) {
        double z = 0;
        for (int j = 0; j < n; j++) {
          z += Math.exp(beta * dot(x[i], x[j]));
        }
        for (int c = 0; c < n; c++) {
          y[i][c] = x[i][c];
          for (int j = 0; j < n; j++) {
            y[i][c] += step * Math.exp(beta * dot(x[i], x[j])) / z * x[j][c];
          }
        }
        double norm = Math.sqrt(dot(y[i], y[i]));
        for (int c = 0; c < n; c++) {
          y[i][c] /= norm;
        }
      }
      x = y;
      rho = EquiangularLayer.euler(n, beta, step).apply(rho);
      assertEquals(rho, dot(x[0], x[3]), 1e-14);
    }
  }

  private static double dot(double[] a, double[] b) {
    double s = 0;
    for (int c = 0; c < a.length; c++) {
      s += a[c] * b[c];
    }
    return s;
  }

  @Test
  void longContexts() {
    assertEquals(0.8028, LongContext.cosine(100, LongContext.critical(0.5), 0.5), 5e-5);
    assertEquals(0.8, LongContext.cosine(1_000_000, 2, 0.5), 1e-4);
    assertEquals(0.8, LongContext.limit(2, 0.5), 1e-15);
    double below = 0.7 * LongContext.critical(0.2);
    assertEquals(0.98615, LongContext.cosine(10_000, below, 0.2), 1e-5);
    for (double rho : new double[] {0.2, 0.5, 0.8}) {
      double c = LongContext.critical(rho);
      assertEquals(LongContext.limit(c, rho), LongContext.cosine(100, c, rho), 0.01);
      assertEquals(rho, LongContext.cosine(10_000, 1.3 * c, rho), 0.04);
      assertTrue(LongContext.cosine(10_000, 0.7 * c, rho) > 0.98);
    }
    // A fixed beta makes no transition: with many tokens every layer averages.
    assertTrue(new EquiangularLayer(1_000_000, 6, 0, 1).apply(0.5) > 0.999);
  }

  @Test
  void normalisationSchemes() {
    NormalisationScheme.Setting p = new NormalisationScheme.Setting(256, 5, 1, 2, 1);
    for (NormalisationScheme s : NormalisationScheme.values()) {
      boolean fast = s == NormalisationScheme.PERI || s == NormalisationScheme.NGPT;
      assertEquals(fast ? 0.0133986 : 0.0049577, s.initialSlope(p), 5e-8, s.name());
    }
    assertEquals(0.5, NormalisationScheme.NGPT.at(p, 0, 1.623).g(), 1e-3);
    assertEquals(0.5, NormalisationScheme.POST.at(p, 0, 3.819).g(), 1e-3);
    assertEquals(0.5, NormalisationScheme.PRE.at(p, 0, 8.159).g(), 1e-4);
    assertEquals(0.9092, NormalisationScheme.PERI.at(p, 0, 10).g(), 5e-5);
    assertEquals(0.8326, NormalisationScheme.SQRT.at(p, 0, 10).g(), 5e-5);
    assertEquals(0.6886, NormalisationScheme.PRE.at(p, 0, 10).g(), 5e-5);
    double post = new Equiangular(256, 5, Model.SOFTMAX).gamma(0, 6);
    assertEquals(post, NormalisationScheme.POST.at(p, 0, 6).g(), 1e-9);
    assertEquals(-2.068, lateSlope(NormalisationScheme.PRE, p), 5e-3);
    assertEquals(-2.008, lateSlope(NormalisationScheme.PERI, p), 5e-3);
    // Post-LN must not show the algebraic law: its slope against ln t is -2 t.
    assertTrue(lateSlope(NormalisationScheme.POST, p) < -100);
    // nGPT falls like e^{-2 alpha t}, so by 1/alpha and not alpha.
    NormalisationScheme.Setting slow = new NormalisationScheme.Setting(256, 5, 1, 0, 0.5);
    double early = 1 - NormalisationScheme.NGPT.at(slow, 0, 12).g();
    double late = 1 - NormalisationScheme.NGPT.at(slow, 0, 13).g();
    assertEquals(-1, Math.log(late / early), 1e-2);
  }

  private static double lateSlope(NormalisationScheme s, NormalisationScheme.Setting p) {
    double a = -Math.log1p(-s.at(p, 0, 190).g());
    double b = -Math.log1p(-s.at(p, 0, 210).g());
    return s == NormalisationScheme.POST ? -2 * 200 : (a - b) / Math.log(210.0 / 190);
  }
}
