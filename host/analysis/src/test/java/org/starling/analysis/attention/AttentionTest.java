package org.starling.analysis.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.analysis.Tokens;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Weight;

class AttentionTest {
  private static Layer layer(int d, Mask mask, Normalisation normalisation, double beta) {
    Weight one = Weight.identity(d);
    return new Layer(
        Geometry.EUCLIDEAN,
        mask,
        normalisation,
        beta,
        List.of(new Layer.LayerHead(one, one, one, one)),
        null);
  }

  private static AttentionRows rows(double beta, Normalisation how, Mask mask, double... x) {
    return new AttentionRows(layer(1, mask, how, beta), 0, new Tokens(x, x.length, 1));
  }

  @Test
  void aRowIsTheSoftmaxOfItsLiveKeys() {
    double[] w = rows(1, Normalisation.SOFTMAX, Mask.CAUSAL, 1, 2, 3).weights(1);
    double a = Math.exp(2);
    double b = Math.exp(4);
    assertArrayEquals(new double[] {a / (a + b), b / (a + b), 0}, w, 1e-15);
    double[] u = rows(1, Normalisation.UNNORMALISED, Mask.CAUSAL, 1, 2, 3).weights(1);
    assertArrayEquals(new double[] {a / 2, b / 2, 0}, u, 1e-13);
    double[] h = rows(1, Normalisation.HARDMAX, Mask.FULL, 2, 2, 1).weights(2);
    assertArrayEquals(new double[] {1, 0, 0}, h);
    double[] alibi = rows(0, Normalisation.SOFTMAX, Mask.alibi(1), 1, 2, 3).weights(1);
    assertArrayEquals(new double[] {1 / (1 + Math.E), Math.E / (1 + Math.E), 0}, alibi, 1e-15);
  }

  @Test
  void theScoreMatrixActsFromTheLeft() {
    // <x_i, S x_j>, not <x_j, S x_i>.
    Weight s = Weight.dense(2, 2, new double[] {0, 1, 0, 0});
    Layer l =
        new Layer(
            Geometry.SPHERE,
            Mask.FULL,
            Normalisation.SOFTMAX,
            1,
            List.of(new Layer.LayerHead(s, Weight.identity(2), Weight.identity(2), s)),
            null);
    Tokens x = Tokens.of(new double[] {1, 0}, new double[] {0, 1});
    assertArrayEquals(new double[] {0, 1}, new AttentionRows(l, 0, x).scores(0));
    assertArrayEquals(new double[] {0, 0}, new AttentionRows(l, 0, x).scores(1));
  }

  @Test
  void tinyResidualsKeepTheirDigits() {
    Leaders l = Leaders.of(rows(1, Normalisation.SOFTMAX, Mask.FULL, 10, -10, 3));
    assertArrayEquals(new int[] {0, 1, 0}, l.leader());
    // 1 - max P = e^{-70} is far below the rounding of 1.
    assertEquals(Math.exp(-70), l.residual()[0], 1e-13 * Math.exp(-70));
    assertEquals(70, l.margin()[0]);
    assertArrayEquals(new int[] {0, 1}, l.distinct());
    assertTrue(l.leadersLeadThemselves());
    assertEquals(0, l.rowsAbove(1e-9));
    assertEquals(1 / (1 + Math.exp(21)), l.largestResidual(), 1e-12 * Math.exp(-21));
    assertThrows(
        IllegalArgumentException.class,
        () -> Leaders.of(rows(1, Normalisation.UNNORMALISED, Mask.FULL, 1, 2)));
  }

  @Test
  void theMiddleTokenMakesRankThree() {
    // x = (-a, 0, a): the middle row is uniform, a third rank that no tolerance of 1e-8 hides
    // (emergence.md T1); without the token at 0 the rank is 2.
    double a = 5;
    AttentionMatrix three =
        new AttentionMatrix(rows(1, Normalisation.SOFTMAX, Mask.FULL, -a, 0, a).matrix());
    assertArrayEquals(new double[] {1. / 3, 1. / 3, 1. / 3}, three.p()[1], 1e-15);
    // Rows (1,0,0), (1,1,1)/3, (0,0,1): independent.
    assertArrayEquals(new int[] {3, 3, 2}, three.ranks(1e-8, 1e-2, 0.5));
    assertEquals(1. / 3, three.booleanDistance(), 1e-15);
    AttentionMatrix two =
        new AttentionMatrix(rows(1, Normalisation.SOFTMAX, Mask.FULL, -a, 3, 4, a).matrix());
    assertEquals(2, two.ranks(0.05)[0]);
    assertTrue(two.booleanDistance() > 1e-8 && two.booleanDistance() < 0.05);
  }

  @Test
  void refusesALayerOfAnotherDimension() {
    Tokens x = Tokens.of(new double[] {1, 2});
    assertThrows(
        IllegalArgumentException.class,
        () -> new AttentionRows(layer(1, Mask.FULL, Normalisation.SOFTMAX, 1), 0, x));
  }
}
