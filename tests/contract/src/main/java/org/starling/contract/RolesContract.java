package org.starling.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.integrate.Integrator;
import org.starling.core.integrate.IntegratorSpec;
import org.starling.core.integrate.Integrators;
import org.starling.core.integrate.Method;
import org.starling.core.model.Dynamics;
import org.starling.core.model.Geometry;
import org.starling.core.model.Head;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.Sink;
import org.starling.core.model.TokenRoles;
import org.starling.core.model.Weight;
import org.starling.core.model.WeightSchedule;

/** Tokens that differ from one another: frozen ones stand still and are seen as ever. */
abstract class RolesContract extends VelocityTheme {
  private static final int N = 67;
  private static final Mask STREAMING = Mask.window(9).and(Mask.first(2));

  private static TokenRoles frozen(int n, int... tokens) {
    boolean[] still = new boolean[n];
    for (int i : tokens) {
      still[i] = true;
    }
    return new TokenRoles(still, null);
  }

  private static Layer layer(Geometry geometry, Mask mask, int d, Layers.Weights weights) {
    return Layers.of(geometry, mask, Normalisation.SOFTMAX, 4, d, weights, 31);
  }

  @Test
  void frozenRowsAreZeroAndOthersAsEver() {
    for (int d : new int[] {2, 12}) {
      for (Mask mask : List.of(Mask.FULL, Mask.CAUSAL)) {
        double[] x = subject().representable(Tokens.sphere(N, d, 71));
        Layer plain = layer(Geometry.SPHERE, mask, d, Layers.Weights.DENSE);
        Layer still = plain.withRoles(frozen(N, 0, 13, 66));
        for (boolean raw : new boolean[] {false, true}) {
          double[] of = raw ? attend(N, d, x, plain) : velocity(N, d, x, plain);
          double[] v = raw ? attend(N, d, x, still) : velocity(N, d, x, still);
          for (int i : new int[] {0, 13, 66}) {
            for (int c = 0; c < d; c++) {
              assertEquals(0.0, v[i * d + c], "token " + i);
              of[i * d + c] = 0;
            }
          }
          Close.sameBits(of, v, "d = " + d + " " + mask + (raw ? " attend" : " velocity"));
        }
      }
    }
  }

  @Test
  void frozenTokensOfOneReplicaOnly() {
    Layer plain = layer(Geometry.SPHERE, Mask.CAUSAL, 3, Layers.Weights.IDENTITY);
    Layer[] layers = {plain, plain.withRoles(frozen(9, 4)), plain};
    Shape shape = new Shape(3, 9, 3);
    double[] x = subject().representable(Tokens.sphere(27, 3, 72));
    try (State state = state(shape, x);
        var v = field(shape, new double[x.length])) {
      engine.velocity(state, layers, all(3), v);
      double[] out = engine.download(v);
      for (int r = 0; r < 3; r++) {
        double[] row = Arrays.copyOfRange(out, (r * 9 + 4) * 3, (r * 9 + 5) * 3);
        if (r == 1) {
          assertTrue(Arrays.stream(row).allMatch(c -> c == 0));
        } else {
          assertNotEquals(0.0, row[0]);
        }
      }
    }
  }

  private static TokenRoles weighted(int n, long seed) {
    double[] weight = Tokens.gaussian(1, n, seed);
    Arrays.setAll(weight, i -> Math.exp(weight[i]));
    return new TokenRoles(new boolean[n], weight);
  }

  @Test
  void keysThatDiffer() {
    List<Scene> scenes = new ArrayList<>();
    for (int d : new int[] {2, 12}) {
      double[] x = subject().representable(Tokens.sphere(N, d, 73));
      double[] place = Tokens.gaussian(1, d, 74);
      for (Mask mask : List.of(Mask.FULL, STREAMING)) {
        Layer dense = layer(Geometry.SPHERE, mask, d, Layers.Weights.DENSE);
        Layer plain = layer(Geometry.SPHERE, mask, d, Layers.Weights.IDENTITY);
        TokenRoles weights = weighted(N, 75);
        scenes.add(new Scene(d + " " + mask + " weights", N, d, x, plain.withRoles(weights)));
        scenes.add(
            new Scene(
                d + " " + mask + " sink", N, d, x, plain.withSink(new Sink(3, new double[d]))));
        scenes.add(
            new Scene(
                d + " " + mask + " both, dense V",
                N,
                d,
                x,
                dense.withRoles(weights).withSink(new Sink(-1, place))));
      }
      Layer unnormalised =
          Layers.of(
              Geometry.EUCLIDEAN,
              Mask.alibi(0.1),
              Normalisation.UNNORMALISED,
              1,
              d,
              Layers.Weights.DENSE,
              76);
      scenes.add(new Scene(d + " alibi", N, d, x, unnormalised.withRoles(weighted(N, 77))));
    }
    assertOwed(scenes);
  }

  /** Every head has a slope of its own: the field is the sum of those of masks with one each. */
  @Test
  void slopesOfHeads() {
    double[] slopes = {0, 0.5, 0.03};
    double[] x = subject().representable(Tokens.sphere(N, 12, 82));
    Layer three = layer(Geometry.EUCLIDEAN, Mask.CAUSAL, 12, Layers.Weights.THREE_HEADS);
    List<Layer.LayerHead> heads = new ArrayList<>();
    double[] sum = new double[x.length];
    for (int h = 0; h < 3; h++) {
      heads.add(three.heads().get(h).withAlibi(slopes[h]));
      Mask mask = slopes[h] == 0 ? Mask.CAUSAL : Mask.alibi(slopes[h]);
      Layer one =
          new Layer(
              Geometry.EUCLIDEAN,
              mask,
              Normalisation.SOFTMAX,
              4,
              List.of(three.heads().get(h)),
              null);
      double[] own = velocity(N, 12, x, one);
      Arrays.setAll(sum, k -> sum[k] + own[k]);
    }
    Layer sloped =
        new Layer(Geometry.EUCLIDEAN, Mask.CAUSAL, Normalisation.SOFTMAX, 4, heads, null);
    double[] v = velocity(N, 12, x, sloped);
    for (int k = 0; k < v.length; k++) {
      assertEquals(sum[k], v[k], 2e-5, "coordinate " + k);
    }
    assertOwed(List.of(new Scene("slopes of heads", N, 12, x, sloped)));
  }

  /** A token of weight 3 is three tokens at one place, as long as it is a key. */
  @Test
  void aWeightCountsAsSoManyTokens() {
    for (Normalisation rule : List.of(Normalisation.SOFTMAX, Normalisation.UNNORMALISED)) {
      Layer layer = Layers.of(Geometry.SPHERE, Mask.FULL, rule, 2, 3, Layers.Weights.DENSE, 78);
      double[] x = subject().representable(Tokens.sphere(7, 3, 79));
      double[] copies = Arrays.copyOf(x, 27);
      System.arraycopy(x, 0, copies, 21, 3);
      System.arraycopy(x, 0, copies, 24, 3);
      double[] weights = {3, 1, 1, 1, 1, 1, 1};
      double[] v = velocity(7, 3, x, layer.withRoles(new TokenRoles(new boolean[7], weights)));
      double[] of = velocity(9, 3, copies, layer);
      for (int c = 0; c < v.length; c++) {
        assertEquals(of[c], v[c], 4e-6 * Math.max(1, Math.abs(of[c])), rule + " " + c);
      }
    }
  }

  /** Rows of attention by the definition: weights and a sink take their parts. */
  @Test
  void rowsOfAttention() {
    double[] x = subject().representable(Tokens.sphere(N, 3, 80));
    Layer layer =
        layer(Geometry.SPHERE, STREAMING, 3, Layers.Weights.IDENTITY)
            .withRoles(weighted(N, 81))
            .withSink(new Sink(4, new double[3]));
    try (State state = state(new Shape(1, N, 3), x)) {
      double[] w = engine.observations().attentionRows(state, layer, 0, 0, new int[] {40})[0];
      double z = Math.exp(4);
      double[] e = new double[N];
      for (int j = 0; j <= 40; j++) {
        double dot = 0;
        for (int c = 0; c < 3; c++) {
          dot += x[120 + c] * x[3 * j + c];
        }
        e[j] = j < 2 || j > 40 - 9 ? layer.weight(j) * Math.exp(4 * dot) : 0;
        z += e[j];
      }
      for (int j = 0; j < N; j++) {
        assertEquals(e[j] / z, w[j], 1e-6, "key " + j);
      }
    }
  }

  /** Two frozen tokens at 0 and 2, a free one between them: it goes to the nearer, they stay. */
  @Test
  void freeTokensGoToFrozenOnes() {
    for (Method method : List.of(Method.RK4, Method.DOPRI5)) {
      double[] x = subject().representable(onCircle(0, 2, 0.7));
      double[] end = run(x, frozen(3, 0, 1), method);
      for (int c = 0; c < 4; c++) {
        assertEquals(x[c], end[c], 4 * Math.ulp(1f), method + " moves coordinate " + c);
      }
      assertTrue(Math.abs(Math.atan2(end[5], end[4])) < 0.2, method + ": " + end[5]);
    }
  }

  private double[] run(double[] x, TokenRoles roles, Method method) {
    Weight identity = Weight.identity(2);
    Dynamics dynamics =
        new Dynamics(
                Geometry.SPHERE,
                Mask.CAUSAL,
                Normalisation.SOFTMAX,
                8,
                WeightSchedule.constant(List.of(new Head(identity, identity, identity))),
                1,
                null)
            .withRoles(roles);
    State state = state(new Shape(1, x.length / 2, 2), x);
    IntegratorSpec spec =
        method.adaptive() ? IntegratorSpec.dopri5(1e-5, 1e-7) : IntegratorSpec.fixed(method, 0.1);
    try (Integrator integrator =
        Integrators.create(spec, engine, new Dynamics[] {dynamics}, state)) {
      while (integrator.time(0) < 20) {
        integrator.attempt(all(1));
      }
      return engine.download(integrator.state());
    }
  }

  static double[] onCircle(double... angles) {
    double[] x = new double[2 * angles.length];
    for (int i = 0; i < angles.length; i++) {
      x[2 * i] = Math.cos(angles[i]);
      x[2 * i + 1] = Math.sin(angles[i]);
    }
    return x;
  }
}
