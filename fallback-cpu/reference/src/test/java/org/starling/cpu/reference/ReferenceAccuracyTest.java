package org.starling.cpu.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.core.engine.Judge;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

/** The definition keeps its digits where the printed formula in float64 loses all of them. */
class ReferenceAccuracyTest {
  private static final int N = 12;

  /** n tokens on the sphere; around three centres unless {@code spread} is 0. */
  private static double[] tokens(int d, double spread, long seed) {
    Random random = new Random(seed);
    double[][] centres = new double[3][];
    double[] x = new double[N * d];
    for (int i = -3; i < N; i++) {
      double[] t = random.doubles(d).map(u -> random.nextGaussian()).toArray();
      if (i >= 0 && spread > 0) {
        for (int a = 0; a < d; a++) {
          t[a] = centres[i % 3][a] + spread / Math.sqrt(d) * t[a];
        }
      }
      double norm = Algebra.norm(t, 0, d);
      for (int a = 0; a < d; a++) {
        t[a] /= norm;
      }
      if (i < 0) {
        centres[i + 3] = t;
      } else {
        System.arraycopy(t, 0, x, i * d, d);
      }
    }
    return x;
  }

  private static Weight gaussian(int d, long seed) {
    Random random = new Random(seed);
    return Weight.dense(
        d, d, random.doubles(d * d).map(u -> random.nextGaussian() / Math.sqrt(d)).toArray());
  }

  private static Layer layer(int d, double beta, Normalisation normalisation, Weight s, Weight v) {
    return new Layer(
        Geometry.SPHERE,
        Mask.FULL,
        normalisation,
        beta,
        List.of(new Layer.LayerHead(s, v, s.transposed(), Weight.identity(d))),
        null);
  }

  private static void assertRelativeError(double[] x, int d, Layer layer, double allowed) {
    int[] rows = new int[N];
    for (int i = 0; i < N; i++) {
      rows[i] = i;
    }
    Judge.Rows found = new ReferenceJudge().velocity(x, N, d, layer, rows);
    FiftyDigits exact = new FiftyDigits(x, N, d, layer);
    for (int i = 0; i < N; i++) {
      BigDecimal[] v = exact.velocity(i);
      BigDecimal[] error = new BigDecimal[d];
      for (int a = 0; a < d; a++) {
        error[a] = v[a].subtract(new BigDecimal(found.v()[i][a]));
      }
      double speed = FiftyDigits.norm(v).doubleValue();
      double relative = FiftyDigits.norm(error).doubleValue() / speed;
      int token = i;
      assertTrue(
          relative <= allowed,
          () -> "token " + token + ": relative error " + relative + " at speed " + speed);
      assertEquals(Math.log(speed), found.logSpeed()[i], 1e-12 * layer.beta() + 1e-13);
    }
  }

  @ParameterizedTest(name = "d={0} beta={1} spread={2} seed={3}")
  @CsvSource({
    "64,81,0,1",
    "64,81,0,2",
    "64,81,1e-3,1",
    "64,81,1e-4,1",
    "64,81,1e-5,1",
    "3,9,1e-3,1",
    "3,81,1e-5,1",
    "9,1,1e-4,1",
    "2,81,0,1",
    "257,9,0,1",
    "64,81,1e-1,1"
  })
  void agreesWithFiftyDigits(int d, double beta, double spread, long seed) {
    Layer layer = layer(d, beta, Normalisation.SOFTMAX, Weight.identity(d), Weight.identity(d));
    assertRelativeError(tokens(d, spread, seed), d, layer, 1e-13);
  }

  @ParameterizedTest(name = "d={0} beta={1} {2}")
  @CsvSource({"9,9,SOFTMAX", "9,81,SOFTMAX", "9,9,UNNORMALISED", "64,20,SOFTMAX"})
  void agreesForGeneralMatrices(int d, double beta, Normalisation normalisation) {
    Layer layer = layer(d, beta, normalisation, gaussian(d, 3), gaussian(d, 4));
    assertRelativeError(tokens(d, 0, 5), d, layer, 1e-13);
    assertRelativeError(tokens(d, 1e-4, 5), d, layer, 1e-13);
  }

  /** At e^{-1000} the velocity has left float64, but not its logarithm. */
  @Test
  void tellsSpeedsBelowTheRangeOfFloat64() {
    double[] x = {1, 0, 0, 1};
    Layer layer = layer(2, 1000, Normalisation.SOFTMAX, Weight.identity(2), Weight.identity(2));
    Judge.Rows rows = new ReferenceJudge().velocity(x, 2, 2, layer, new int[] {0, 1});
    assertEquals(-1000, rows.logSpeed()[0], 1e-9);
    assertEquals(0, rows.v()[0][1]);
    assertEquals(0, rows.offWeight()[0]);
  }

  /** What the house rules forbid: softmax over all keys, sum, project, in float64. */
  @Test
  void thePrintedFormulaInFloat64LosesEveryDigit() {
    int d = 64;
    double[] x = tokens(d, 0, 1);
    Layer layer = layer(d, 81, Normalisation.SOFTMAX, Weight.identity(d), Weight.identity(d));
    HeadAttention head = new HeadAttention(x, 0, N, d, layer, layer.heads().get(0));
    double[] w = head.weights(0);
    double[] u = new double[d];
    for (int j = 0; j < N; j++) {
      for (int a = 0; a < d; a++) {
        u[a] += w[j] * x[j * d + a];
      }
    }
    Algebra.project(u, x, 0);
    BigDecimal[] v = new FiftyDigits(x, N, d, layer).velocity(0);
    double[] error = new double[d];
    for (int a = 0; a < d; a++) {
      error[a] = u[a] - v[a].doubleValue();
    }
    double speed = FiftyDigits.norm(v).doubleValue();
    assertTrue(speed > 0 && speed < 1e-15, "speed " + speed);
    assertTrue(Algebra.norm(error, 0, d) > 0.9 * speed, "so these states do test the split");
  }
}
