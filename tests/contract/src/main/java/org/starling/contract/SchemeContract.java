package org.starling.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.core.engine.Field;
import org.starling.core.engine.Shape;
import org.starling.core.engine.State;
import org.starling.core.model.FeedForward;
import org.starling.core.model.FeedForward.Activation;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Mask;
import org.starling.core.model.Normalisation;
import org.starling.core.model.TokenRule.Normalised;
import org.starling.core.model.TokenRule.Normalised.Form;
import org.starling.core.model.Weight;

/**
 * Velocities under normalisation schemes and with feed-forward terms, against their formulas and
 * the definition.
 */
abstract class SchemeContract extends VelocityTheme {
  private static final double SPEED = 0.75;

  private static Layer layer(Form form, int d, Layers.Weights weights, Mask mask) {
    boolean tangent = form == Form.KEPT_RADIUS || form == Form.UNIT_TANGENT;
    return Layers.of(
            tangent ? Geometry.SPHERE : Geometry.EUCLIDEAN,
            mask,
            Normalisation.SOFTMAX,
            2,
            d,
            weights,
            71)
        .withRule(new Normalised(form, SPEED));
  }

  private double[] tokens(Form form, int n, int d, long seed) {
    double[] x = Tokens.sphere(n, d, seed);
    for (int a = 0; form != Form.UNIT_TANGENT && a < x.length; a++) {
      // Radii far from 1 and from each other.
      x[a] *= 0.1 + 3.0 * (a / d % 7);
    }
    return subject().representable(x);
  }

  static Stream<Object[]> cases() {
    List<Object[]> cases = new ArrayList<>();
    for (Form form : Form.values()) {
      cases.add(new Object[] {form, 3, Layers.Weights.IDENTITY, Mask.FULL});
      cases.add(new Object[] {form, 17, Layers.Weights.THREE_HEADS, Mask.CAUSAL});
    }
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} d={1} {2} {3} n=35 seed 72")
  @MethodSource("cases")
  void isItsFormula(Form form, int d, Layers.Weights weights, Mask mask) {
    int n = 35;
    double[] x = tokens(form, n, d, 72);
    Layer layer = layer(form, d, weights, mask);
    double[] v = velocity(n, d, x, layer);
    double[] theta = x.clone();
    for (int i = 0; i < n; i++) {
      double r = Naive.norm(x, i * d, d);
      for (int a = i * d; a < (i + 1) * d; a++) {
        theta[a] /= r;
      }
    }
    Naive naive = new Naive(theta, n, d, layer);
    for (int i = 0; i < n; i++) {
      double[] u = naive.attention(i);
      double radial = Naive.dot(u, 0, theta, i * d, d);
      double length = Naive.norm(u, 0, d);
      double size = naive.attentionSize(i);
      for (int a = 0; a < d; a++) {
        double tangent = u[a] - radial * theta[i * d + a];
        double r = Naive.norm(x, i * d, d);
        double expected =
            switch (form) {
              case DIRECTIONS -> u[a];
              case UNIT -> u[a] / length;
              case KEPT_RADIUS -> r * tangent;
              case UNIT_TANGENT -> SPEED * tangent / length;
            };
        double unit =
            switch (form) {
              case DIRECTIONS -> size;
              case UNIT, UNIT_TANGENT -> size / length;
              case KEPT_RADIUS -> r * size;
            };
        Close.to(expected, v[i * d + a], 200 * subject().epsilon() * unit, form + " token " + i);
      }
    }
    assertOwed(List.of(new Scene(form + " d=" + d, n, d, x, layer)));
  }

  @Test
  void replicasKeepTheirOwnRules() {
    int n = 9;
    int d = 3;
    Layer[] layers = {
      layer(Form.UNIT, d, Layers.Weights.IDENTITY, Mask.FULL),
      layer(Form.DIRECTIONS, d, Layers.Weights.IDENTITY, Mask.FULL),
      layer(Form.DIRECTIONS, d, Layers.Weights.IDENTITY, Mask.FULL)
    };
    Shape shape = new Shape(3, n, d);
    double[] x = tokens(Form.UNIT, 3 * n, d, 73);
    double[] before = Tokens.gaussian(3 * n, d, 74);
    try (State s = state(shape, x);
        Field v = field(shape, before)) {
      double[] start = engine.download(v);
      engine.velocity(s, layers, new boolean[] {true, false, true}, v);
      double[] got = engine.download(v);
      Close.sameBits(x, engine.download(s), "the state");
      Close.sameBits(start, got, n * d, 2 * n * d, "inactive replica");
      for (int r : new int[] {0, 2}) {
        double[] own = java.util.Arrays.copyOfRange(x, r * n * d, (r + 1) * n * d);
        double[] alone = velocity(n, d, own, layers[r]);
        double[] part = java.util.Arrays.copyOfRange(got, r * n * d, (r + 1) * n * d);
        Close.to(alone, part, 1000 * subject().epsilon(), "replica " + r);
      }
    }
  }

  static Stream<Object[]> terms() {
    List<Object[]> cases = new ArrayList<>();
    cases.add(new Object[] {Geometry.SPHERE, FeedForward.Source.TOKENS, Activation.TANH});
    cases.add(new Object[] {Geometry.EUCLIDEAN, FeedForward.Source.TOKENS, Activation.RELU});
    cases.add(new Object[] {Geometry.EUCLIDEAN, FeedForward.Source.ATTENTION, Activation.TANH});
    cases.add(new Object[] {Geometry.RESCALED, FeedForward.Source.ATTENTION, Activation.RELU});
    return cases.stream();
  }

  @ParameterizedTest(name = "{0} of {1} {2} d=5 n=35 seed 76")
  @MethodSource("terms")
  void addsItsFeedForwardTerm(Geometry geometry, FeedForward.Source of, Activation activation) {
    int n = 35;
    int d = 5;
    double[] x =
        subject()
            .representable(
                geometry == Geometry.SPHERE ? Tokens.sphere(n, d, 76) : Tokens.gaussian(n, d, 76));
    Layer plain =
        Layers.of(geometry, Mask.CAUSAL, Normalisation.SOFTMAX, 1, d, Layers.Weights.IDENTITY, 0);
    double[] b = subject().representable(Tokens.gaussian(1, d, 77));
    Weight in = Weight.dense(d, d, subject().representable(Tokens.gaussian(d, d, 78)));
    Weight out = Weight.dense(d, d, subject().representable(Tokens.gaussian(d, d, 79)));
    Layer layer = plain.withRule(new FeedForward(of, activation, in, b, out));
    double[] attention = velocity(n, d, x, plain);
    double[] v = velocity(n, d, x, layer);
    boolean ofTokens = of == FeedForward.Source.TOKENS;
    for (int i = 0; i < n; i++) {
      double[] hidden = Naive.times(in, ofTokens ? x : attention, i * d);
      for (int a = 0; a < d; a++) {
        double h = hidden[a] + b[a];
        hidden[a] = activation == Activation.TANH ? Math.tanh(h) : Math.max(0, h);
      }
      double[] added = Naive.times(out, hidden, 0);
      double radial = geometry == Geometry.SPHERE ? Naive.dot(added, 0, x, i * d, d) : 0;
      for (int a = 0; a < d; a++) {
        double expected = added[a] - radial * x[i * d + a] + (ofTokens ? attention[i * d + a] : 0);
        Close.to(expected, v[i * d + a], 2000 * subject().epsilon(), "token " + i);
      }
    }
    assertOwed(List.of(new Scene(geometry + " of " + of, n, d, x, layer)));
  }

  @Test
  void weightsAreThoseOfDirections() {
    int n = 9;
    int d = 3;
    double[] x = tokens(Form.DIRECTIONS, n, d, 75);
    Layer layer = layer(Form.DIRECTIONS, d, Layers.Weights.IDENTITY, Mask.CAUSAL);
    double[] theta = x.clone();
    for (int i = 0; i < n; i++) {
      double r = Naive.norm(x, i * d, d);
      for (int a = i * d; a < (i + 1) * d; a++) {
        theta[a] /= r;
      }
    }
    Naive naive = new Naive(theta, n, d, layer);
    double entropy = 0;
    try (State s = state(new Shape(1, n, d), x)) {
      double[][] rows = engine.observations().attentionRows(s, layer, 0, 0, allRows(n));
      for (int i = 0; i < n; i++) {
        Close.to(naive.weights(0, i), rows[i], 64 * subject().epsilon(), "row " + i);
        for (double w : naive.weights(0, i)) {
          entropy -= w == 0 ? 0 : w * Math.log(w) / n;
        }
      }
      double[] got = engine.observations().attentionEntropy(s, new Layer[] {layer});
      Close.to(entropy, got[0], 256 * subject().epsilon(), "entropy");
    }
  }
}
