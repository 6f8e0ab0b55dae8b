package org.starling.analysis.spectrum;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.model.Philox.Purpose;
import org.starling.core.model.PrincipalMatrix;
import org.starling.core.model.Weight;

/** A drawn matrix has the leading eigenspace that was asked for. */
class PrincipalMatrixTest {
  private static Weight draw(int d, int m, double value, double rest, long seed) {
    return PrincipalMatrix.draw(d, m, value, rest, seed, Purpose.VALUE, 0, 0);
  }

  @ParameterizedTest(name = "d {0}, multiplicity {1}, value {2}, rest {3}, seed {4}")
  @CsvSource({"4, 2, 1, 0.5, 1", "6, 3, 2, 1.9, 2", "3, 1, -1, -1.5, 3", "16, 5, 1, -3, 4"})
  void leadingSpaceIsAsStated(int d, int m, double value, double rest, long seed) {
    Weight v = draw(d, m, value, rest, seed);
    ValueSpectrum spectrum = ValueSpectrum.of(v);
    Eigenvalue first = spectrum.values().get(0);
    assertEquals(value, first.re(), 1e-9);
    assertEquals(m, first.multiplicity());
    assertTrue(first.semisimple());
    LeadingSpace space = LeadingSpace.of(v, spectrum.leadingBasis());
    assertTrue(space.leak() < 1e-9, () -> "leak " + space.leak());
    assertEquals(rest, space.complement(), 1e-9 * d);
    assertArrayEquals(v.dense(), draw(d, m, value, rest, seed).dense());
    assertNotEquals(v.dense()[0], draw(d, m, value, rest, seed + 1).dense()[0]);
  }
}
