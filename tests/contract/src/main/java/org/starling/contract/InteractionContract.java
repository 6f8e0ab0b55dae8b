package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.core.engine.EngineException;
import org.starling.core.engine.Field;
import org.starling.core.engine.FieldReport;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.Geometry;
import org.starling.core.model.Interaction;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;

/** A user's own interaction: run where Java runs, refused with its name elsewhere. */
abstract class InteractionContract extends VelocityTheme {
  /** The built-in score, so that the built-in model is the oracle. */
  private static class PlainScore implements Interaction {
    @Override
    public String name() {
      return "example.PlainScore";
    }

    @Override
    public double score(
        double[] q, int qAt, double[] k, int kAt, int m, int i, int j, double beta) {
      double sum = 0;
      for (int a = 0; a < m; a++) {
        sum += q[qAt + a] * k[kAt + a];
      }
      return beta * sum;
    }

    @Override
    public boolean live(int i, int j, int n) {
      return true;
    }
  }

  /** Tokens see others of the other parity only; token 4 sees nobody. */
  private static final class OtherParity extends PlainScore {
    @Override
    public boolean live(int i, int j, int n) {
      return i != 4 && (i + j) % 2 == 1;
    }
  }

  private static Layer with(Layer layer, Interaction interaction) {
    return new Layer(
        layer.geometry(),
        layer.mask(),
        layer.normalisation(),
        layer.beta(),
        layer.heads(),
        interaction);
  }

  /** Whether the engine runs interactions; one that does not must refuse this layer by name. */
  private boolean accepted(Layer layer) {
    Shape shape = new Shape(1, 7, layer.d());
    if (subject().runsJava()) {
      engine.check(shape, List.of(layer));
      return true;
    }
    EngineException e =
        assertThrows(EngineException.class, () -> engine.check(shape, List.of(layer)));
    assertEquals(EngineException.Kind.REQUEST, e.kind());
    assertTrue(e.getMessage().contains(layer.interaction().name()), e::getMessage);
    return false;
  }

  @ParameterizedTest
  @EnumSource(Normalisation.class)
  void aPlainScoreIsTheBuiltInModel(Normalisation normalisation) {
    if (!accepted(with(Layers.identity(3, 1), new PlainScore()))) {
      return;
    }
    int n = 49;
    for (int d : new int[] {3, 17}) {
      double[] x = subject().representable(Tokens.sphere(n, d, 401));
      for (Mask mask : new Mask[] {Mask.FULL, Mask.alibi(0.3)}) {
        Layer plain =
            Layers.of(Geometry.SPHERE, mask, normalisation, 2, d, Layers.Weights.THREE_HEADS, 402);
        double[] expected = velocity(n, d, x, plain);
        double[] v = velocity(n, d, x, with(plain, new PlainScore()));
        Close.to(expected, v, 512 * subject().epsilon(), mask + " d=" + d);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Normalisation.class)
  void deadPairsAndDeadRows(Normalisation normalisation) {
    if (!accepted(with(Layers.identity(3, 1), new OtherParity()))) {
      return;
    }
    int n = 49;
    int d = 3;
    Shape shape = new Shape(2, n, d);
    for (Geometry geometry : Geometry.values()) {
      double[] x = subject().representable(Tokens.sphere(2 * n, d, 411));
      Layer layer =
          with(
              Layers.of(geometry, Mask.FULL, normalisation, 2, d, Layers.Weights.DENSE, 412),
              new OtherParity());
      try (State s = state(shape, x);
          Field v = field(shape, x);
          Field u = field(shape, x)) {
        engine.velocity(s, repeated(layer, 2), all(2), v);
        FieldReport report = engine.takeReport();
        assertEquals(new FieldReport(2, 4, 0, -1), report);
        engine.attend(s, repeated(layer, 2), all(2), u);
        assertEquals(report, engine.takeReport());
        double[] values = engine.download(v);
        double[] attention = engine.download(u);
        for (int r = 0; r < 2; r++) {
          int dead = (r * n + 4) * d;
          Close.to(0, Naive.norm(values, dead, d), 0, "velocity of the dead row");
          Close.to(0, Naive.norm(attention, dead, d), 0, "attention of the dead row");
          double[] replica = java.util.Arrays.copyOfRange(x, r * n * d, (r + 1) * n * d);
          for (int i = 0; i < n; i++) {
            if (i != 4) {
              assertParitySum(replica, n, d, layer, i, attention, (r * n + i) * d);
            }
          }
        }
      }
    }
  }

  /** u_i against the plain sum over tokens of the other parity. */
  private void assertParitySum(double[] x, int n, int d, Layer layer, int i, double[] u, int at) {
    Naive naive = new Naive(x, n, d, layer);
    double z = 0;
    double best = Double.NEGATIVE_INFINITY;
    double[] mean = new double[d];
    int live = 0;
    for (int j = (i + 1) % 2; j < n; j += 2) {
      double s = naive.score(0, i, j);
      double w = Math.exp(s);
      if (layer.normalisation() == Normalisation.HARDMAX) {
        w = s > best ? 1 : 0;
        if (w == 1) {
          mean = new double[d];
          z = 0;
        }
        best = Math.max(best, s);
      }
      live++;
      z += w;
      for (int a = 0; a < d; a++) {
        mean[a] += w * x[j * d + a];
      }
    }
    double divisor = layer.normalisation() == Normalisation.UNNORMALISED ? live : z;
    for (int a = 0; a < d; a++) {
      mean[a] /= divisor;
    }
    double[] expected = Naive.times(layer.heads().get(0).v(), mean, 0);
    for (int a = 0; a < d; a++) {
      Close.to(expected[a], u[at + a], 512 * subject().epsilon() * (1 + z / divisor), "row " + i);
    }
  }
}
