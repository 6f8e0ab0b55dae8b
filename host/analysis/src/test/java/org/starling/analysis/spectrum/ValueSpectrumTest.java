package org.starling.analysis.spectrum;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.analysis.Tokens;
import org.starling.analysis.cluster.GapGroups;
import org.starling.core.model.Weight;

class ValueSpectrumTest {
  private static Weight square(int d, double... entries) {
    return Weight.dense(d, d, entries);
  }

  @Test
  void namedMatricesOfTheEmergencePaper() {
    ValueSpectrum plane =
        ValueSpectrum.of(square(2, 0.64709742, 0.81911926, 0.61210449, 0.63264484));
    assertEquals(1.34799, plane.values().get(0).re(), 5e-6);
    assertEquals(-0.06826, plane.values().get(1).re(), 5e-5);
    double[] phi = plane.leftEigenvector(plane.values().get(0));
    assertEquals(0.6578 / 0.7532, phi[0] / phi[1], 2e-4);
    ValueSpectrum space =
        ValueSpectrum.of(
            square(
                3,
                0.2362413,
                0.0599536,
                0.40506019,
                0.81321448,
                0.49948705,
                0.33754772,
                0.2160645,
                0.38505272,
                0.14588075));
    Eigenvalue pair = space.values().get(1);
    assertEquals(0.99101, space.values().get(0).re(), 5e-6);
    assertEquals(-0.0547, pair.re(), 5e-5);
    assertEquals(0.2540, pair.im(), 5e-5);
    assertArrayEquals(
        new double[] {0.6877, 0.4979, 0.5284}, space.leftEigenvector(space.values().get(0)), 5e-5);
    assertTrue(space.nonNormality() > 0.1);
    assertThrows(IllegalArgumentException.class, () -> space.leftEigenvector(pair));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void blocksSurviveAChangeOfBasis(long seed) {
    // J_2 + J_1 at 1, and 0.3: block sizes and L are those of the definition in any basis.
    Random random = new Random(seed);
    double[] t = random.doubles(16, -1, 1).toArray();
    for (int i = 0; i < 4; i++) {
      t[5 * i] += 3;
    }
    Weight basis = square(4, t);
    Weight j = square(4, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.3);
    Weight v = basis.times(j).times(inverse(basis));
    ValueSpectrum s = ValueSpectrum.of(v);
    assertEquals(2, s.values().size());
    assertArrayEquals(new int[] {2, 1}, s.values().get(0).blocks());
    assertEquals(1, s.values().get(0).re(), 1e-12);
    assertEquals(3, s.leadingDimension());
    assertEquals(0.7, s.gap(), 1e-9);
    double[][] l = s.principalSpace();
    assertEquals(1, l.length);
    double[] first = {t[0], t[4], t[8], t[12]};
    double norm = Math.sqrt(dot(first, first));
    assertEquals(1, Math.abs(dot(first, l[0])) / norm, 1e-8);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void aBlockOfThreeInAnyBasis(long seed) {
    Random random = new Random(seed);
    double[] t = random.doubles(16, -1, 1).toArray();
    for (int i = 0; i < 4; i++) {
      t[5 * i] += 2;
    }
    Weight basis = square(4, t);
    Weight j = square(4, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, -0.5);
    ValueSpectrum s = ValueSpectrum.of(basis.times(j).times(inverse(basis)));
    assertArrayEquals(new int[] {3}, s.values().get(0).blocks());
    assertEquals(1, s.values().get(0).re(), 1e-10);
  }

  @Test
  void closeEigenvaluesStayApart() {
    // Closer than SAME, but no kernel holds two of them.
    ValueSpectrum s = ValueSpectrum.of(square(3, 1, 0, 0, 0, 1 - 1e-5, 0, 0, 0.3, 0.2));
    assertEquals(3, s.values().size());
    assertEquals(1e-5, s.gap(), 1e-10);
    assertEquals(1, s.leadingDimension());
    Random random = new Random(9);
    double[] a = new double[200 * 200];
    for (int r = 0; r < 200; r++) {
      for (int c = 0; c <= r; c++) {
        a[r * 200 + c] = random.nextGaussian();
        a[c * 200 + r] = a[r * 200 + c];
      }
    }
    assertEquals(200, ValueSpectrum.of(Weight.dense(200, 200, a)).values().size());
  }

  @Test
  void complexBlocksAndScalars() {
    ValueSpectrum rotation = ValueSpectrum.of(square(3, 1, -0.5, 0, 0.5, 1, 0, 0, 0, 0.3));
    Eigenvalue lead = rotation.values().get(0);
    assertEquals(0.5, lead.im(), 1e-14);
    assertEquals(2, lead.dimension());
    assertEquals(2, rotation.principalSpace().length);
    assertEquals("1 +- 0.5i", lead.toString());
    // Two rotation blocks tied into one Jordan block of pairs.
    ValueSpectrum tied =
        ValueSpectrum.of(square(4, 1, -2, 1, 0, 2, 1, 0, 1, 0, 0, 1, -2, 0, 0, 2, 1));
    assertArrayEquals(new int[] {2}, tied.values().get(0).blocks());
    assertEquals(2, tied.principalSpace().length);
    ValueSpectrum scalar = ValueSpectrum.of(Weight.scalar(5, -1));
    assertEquals(5, scalar.leadingDimension());
    assertEquals(Double.POSITIVE_INFINITY, scalar.gap());
    assertEquals(5, scalar.principalSpace().length);
  }

  @Test
  void levelsAreOfTheLeftEigenvector() {
    // Tokens on two level sets of the left eigenvector; along the right one they would be four.
    Weight v = square(2, 1, 2, 0, 0.3);
    ValueSpectrum s = ValueSpectrum.of(v);
    double[] left = s.leftEigenvector(s.values().get(0));
    double[] right = s.rightEigenvector(s.values().get(0));
    double[] along = {-left[1], left[0]};
    double[][] rows = new double[4][];
    for (int i = 0; i < 4; i++) {
      double level = i < 2 ? -1 : 1;
      rows[i] = new double[] {level * left[0] + i * along[0], level * left[1] + i * along[1]};
    }
    Tokens z = Tokens.of(rows);
    GapGroups levels = HyperplaneLevels.of(z, left, HyperplaneLevels.GAP);
    assertEquals(2, levels.clusters().count());
    assertEquals(2, levels.range(), 1e-14);
    assertTrue(levels.spreads()[0] < 1e-14);
    assertEquals(4, HyperplaneLevels.of(z, right, HyperplaneLevels.GAP).clusters().count());
  }

  private static double dot(double[] a, double[] b) {
    double s = 0;
    for (int i = 0; i < a.length; i++) {
      s += a[i] * b[i];
    }
    return s;
  }

  private static Weight inverse(Weight a) {
    org.ejml.data.DMatrixRMaj m = Matrices.of(a);
    org.ejml.dense.row.CommonOps_DDRM.invert(m);
    return Weight.dense(a.rows(), a.rows(), m.data);
  }
}
