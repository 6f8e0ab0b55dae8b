package org.starling.cpu.fast;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Judge;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Precision;
import org.starling.core.model.Weight;
import org.starling.core.verify.ToleranceRule;
import org.starling.core.verify.Verdict;
import org.starling.cpu.reference.ReferenceJudge;

/** Inside a tight cluster a float32 sum over many keys must not lose what is left of it. */
class LongSumsTest {
  private static final int D = 64;

  @ParameterizedTest(name = "n={0}, clusters of 1e-3, seed 5")
  @ValueSource(ints = {149, 1100, 4000})
  void tightClustersKeepWhatTheyOwe(int n) {
    double[] x = clusters(n);
    Weight one = Weight.identity(D);
    Layer layer =
        new Layer(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            9,
            List.of(new Layer.LayerHead(one, one, one, one)),
            null);
    int[] rows = IntStream.range(0, 128).map(k -> k * n / 128).toArray();
    Shape shape = new Shape(1, n, D);
    try (FastEngine engine = new FastEngine(Precision.SINGLE);
        State s = engine.allocateState(shape);
        Field v = engine.allocateField(shape)) {
      engine.upload(s, x);
      engine.velocity(s, new Layer[] {layer}, new boolean[] {true}, v);
      double[] held = engine.download(s);
      double[] all = engine.download(v);
      Judge judge = new ReferenceJudge();
      double[][] computed = new double[rows.length][D];
      for (int k = 0; k < rows.length; k++) {
        System.arraycopy(all, rows[k] * D, computed[k], 0, D);
      }
      Verdict verdict =
          ToleranceRule.of(Precision.SINGLE)
              .judge(
                  new ToleranceRule.Sample(
                      judge.velocity(held, n, D, layer, rows),
                      judge.yardstick(held, n, D, layer, rows),
                      computed));
      assertTrue(verdict.passed(), verdict::sentence);
    }
  }

  /** Three clusters on the sphere, tokens 1e-3 from their centres. */
  private static double[] clusters(int n) {
    Random random = new Random(5);
    double[] centres = random.doubles(3L * D, -1, 1).toArray();
    double[] x = new double[n * D];
    for (int i = 0; i < n; i++) {
      int centre = i % 3 * D;
      double length = norm(centres, centre);
      for (int c = 0; c < D; c++) {
        double off = 1e-3 * random.nextGaussian() / Math.sqrt(D);
        x[i * D + c] = (float) (centres[centre + c] / length + off);
      }
      double size = norm(x, i * D);
      for (int c = 0; c < D; c++) {
        x[i * D + c] = (float) (x[i * D + c] / size);
      }
    }
    return x;
  }

  private static double norm(double[] x, int at) {
    double square = 0;
    for (int c = 0; c < D; c++) {
      square += x[at + c] * x[at + c];
    }
    return Math.sqrt(square);
  }
}
