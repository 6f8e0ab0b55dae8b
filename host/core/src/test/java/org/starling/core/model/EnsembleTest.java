package org.starling.core.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Philox.Purpose;

class EnsembleTest {
  private static final int D = 200;
  private static final long SEED = 5;

  private static double[] draw(Ensemble ensemble, double std) {
    return ensemble.draw(D, std, SEED, Purpose.MATRIX, 0, 0).dense();
  }

  /** Variances times d, within 5 standard errors of a sample of that size. */
  @ParameterizedTest(name = "{0}: d var = {1} off the diagonal, {2} on it (seed 5)")
  @CsvSource({"GAUSSIAN, 1, 1", "WIGNER, 1, 1", "GOE, 1, 2"})
  void variances(Ensemble ensemble, double off, double on) {
    double[] a = draw(ensemble, Ensemble.defaultDeviation(D));
    double sumOff = 0;
    double sumOn = 0;
    for (int i = 0; i < D; i++) {
      sumOn += a[i * D + i] * a[i * D + i];
      for (int j = i + 1; j < D; j++) {
        sumOff += a[i * D + j] * a[i * D + j];
      }
    }
    double pairs = D * (D - 1) / 2.0;
    assertEquals(off, sumOff / pairs * D, 5 * off * Math.sqrt(2 / pairs));
    assertEquals(on, sumOn / D * D, 5 * on * Math.sqrt(2.0 / D));
  }

  @Test
  void wignerAndGoeAreExactlySymmetric() {
    for (Ensemble e : new Ensemble[] {Ensemble.WIGNER, Ensemble.GOE}) {
      double[] a = draw(e, Double.NaN);
      for (int i = 0; i < D; i++) {
        for (int j = 0; j < i; j++) {
          assertEquals(a[i * D + j], a[j * D + i], 0.0);
        }
      }
    }
  }

  @Test
  void gaussianEntriesHaveTheDeviationAskedFor() {
    double[] wide = draw(Ensemble.GAUSSIAN, 3);
    double[] unit = draw(Ensemble.GAUSSIAN, 1);
    for (int k = 0; k < wide.length; k++) {
      assertEquals(3 * unit[k], wide[k], 0.0);
    }
  }

  @Test
  void headsAndLayersDrawApart() {
    double first = Ensemble.GOE.draw(3, 1, SEED, Purpose.MATRIX, 0, 0).dense()[1];
    assertNotEquals(first, Ensemble.GOE.draw(3, 1, SEED, Purpose.MATRIX, 1, 0).dense()[1]);
    assertNotEquals(first, Ensemble.GOE.draw(3, 1, SEED, Purpose.MATRIX, 0, 1).dense()[1]);
    assertNotEquals(first, Ensemble.GOE.draw(3, 1, SEED, Purpose.VALUE, 0, 0).dense()[1]);
  }
}
