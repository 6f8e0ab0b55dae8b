package org.starling.analysis.hull;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.analysis.Tokens;

class HullTest {
  /** Corners of the cube [-1, 1]^d first, then points inside it and on its faces. */
  private static Tokens cube(int d, long seed) {
    Random random = new Random(seed);
    int corners = 1 << d;
    double[][] rows = new double[corners + 60][d];
    for (int i = 0; i < rows.length; i++) {
      for (int c = 0; c < d; c++) {
        rows[i][c] = i < corners ? 2 * (i >> c & 1) - 1 : 2 * random.nextDouble() - 1;
      }
      if (i >= corners && i % 2 == 0) {
        rows[i][i % d] = 1;
      }
    }
    return Tokens.of(rows);
  }

  @ParameterizedTest(name = "d = {0}")
  @ValueSource(ints = {1, 2, 3, 5})
  void theCornersOfACubeAreItsVertices(int d) {
    Tokens x = cube(d, d);
    HullVertices hull = HullVertices.of(x, 1e-9);
    assertArrayEquals(IntStream.range(0, 1 << d).toArray(), hull.tokens());
    assertEquals(0, hull.distances(x)[0]);
    if (d <= 3) {
      assertEquals(Math.pow(2, d), HullMeasure.of(x), 1e-12);
    } else {
      assertThrows(IllegalArgumentException.class, () -> HullMeasure.of(x));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void agreesWithAScanOfAllEdgesInThePlane(long seed) {
    Random random = new Random(seed);
    double[][] rows = new double[40][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = new double[] {10 * random.nextDouble() - 5, 10 * random.nextDouble() - 5};
    }
    Tokens x = Tokens.of(rows);
    boolean[] corner = new boolean[rows.length];
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < rows.length; j++) {
        boolean edge = i != j;
        for (int k = 0; k < rows.length && edge; k++) {
          double turn =
              (rows[j][0] - rows[i][0]) * (rows[k][1] - rows[i][1])
                  - (rows[j][1] - rows[i][1]) * (rows[k][0] - rows[i][0]);
          edge = turn >= 0;
        }
        corner[i] |= edge;
        corner[j] |= edge;
      }
    }
    int[] expected = IntStream.range(0, 40).filter(i -> corner[i]).toArray();
    assertArrayEquals(expected, HullVertices.of(x, 1e-12).tokens());
    double[] h = SupportFunction.of(x, SupportFunction.directions(64, 2));
    Tokens half = new Tokens(Arrays.stream(x.x()).map(v -> v / 2).toArray(), x.n(), 2);
    double[] smaller = SupportFunction.of(half, SupportFunction.directions(64, 2));
    assertTrue(SupportFunction.growth(h, smaller) < 0);
    assertTrue(SupportFunction.growth(smaller, h) > 0);
    assertEquals(HullMeasure.of(x) / 4, HullMeasure.of(half), 1e-12);
  }

  @Test
  void aTightClusterIsOneVertex() {
    Random random = new Random(7);
    double[][] corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double[][] rows = new double[80][3];
    for (int i = 0; i < rows.length; i++) {
      for (int c = 0; c < 3; c++) {
        rows[i][c] = corners[i % 4][c] + 1e-6 * random.nextGaussian();
      }
    }
    Tokens x = Tokens.of(rows);
    HullVertices hull = HullVertices.of(x, 1e-4);
    assertEquals(4, hull.tokens().length);
    assertTrue(Arrays.stream(hull.distances(x)).max().orElseThrow() < 1e-4);
    assertTrue(HullVertices.of(x, 0).tokens().length > 8);
    assertEquals(1. / 6, HullMeasure.of(x), 1e-4);
  }

  @Test
  void aPolygonOnTheSphereOfVolumeIsFlat() {
    double[][] rows = new double[12][3];
    for (int i = 0; i < 12; i++) {
      rows[i] = new double[] {Math.cos(i), Math.sin(i), 0.5 * Math.cos(i)};
    }
    assertEquals(0, HullMeasure.of(Tokens.of(rows)));
    assertEquals(12, HullVertices.of(Tokens.of(rows), 1e-9).tokens().length);
  }

  @Test
  void volumeOfRandomPointsOnTheSphereIsThatOfItsFaces() {
    // Signed volumes from an outside point cancel: the hull is closed and oriented.
    Random random = new Random(3);
    double[][] rows = new double[100][3];
    for (double[] r : rows) {
      double norm = 0;
      for (int c = 0; c < 3; c++) {
        r[c] = random.nextGaussian();
        norm += r[c] * r[c];
      }
      for (int c = 0; c < 3; c++) {
        r[c] /= Math.sqrt(norm);
      }
    }
    Tokens x = Tokens.of(rows);
    double volume = HullMeasure.of(x);
    assertTrue(volume > 3.5 && volume < 4 * Math.PI / 3, "volume " + volume);
    // Monte Carlo with the hull's own membership test.
    int inside = 0;
    double[][] corners = HullVertices.of(x, 1e-12).corners();
    assertEquals(100, corners.length);
    for (int k = 0; k < 1000; k++) {
      double[] y = random.doubles(3, -1, 1).toArray();
      inside += NearestPoint.of(corners, y).lower() <= 1e-9 ? 1 : 0;
    }
    assertEquals(volume / 8, inside / 1000.0, 0.05);
  }

  @Test
  void theNearestPointBringsItsCertificate() {
    double[][] corners = new double[10][10];
    for (int i = 0; i < 10; i++) {
      corners[i][i] = 1;
    }
    NearestPoint near = NearestPoint.of(corners, new double[10]);
    assertEquals(1 / Math.sqrt(10), near.distance(), 1e-14);
    assertEquals(near.distance(), near.lower(), 1e-14);
    assertEquals(0.1, near.point()[3], 1e-14);
  }
}
