package org.starling.cpu.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.TokenRule;
import org.starling.core.model.Weight;

/** The definition of the velocity and of the attention output of one token of one replica. */
final class AttentionField {
  private final double[] x;
  private final int at;
  private final int d;
  private final Layer layer;
  private final List<HeadAttention> heads = new ArrayList<>();
  private final double[] logRadius;

  /**
   * @param x positions, {@code [n][d]} from {@code at}
   */
  AttentionField(double[] x, int at, int n, int d, Layer layer) {
    this(x, x, at, n, d, layer);
  }

  /**
   * @param keys where the other tokens stand as keys and values, {@code [n][d]} from {@code at}
   */
  AttentionField(double[] x, double[] keys, int at, int n, int d, Layer layer) {
    boolean directions = layer.readsDirections();
    this.x = directions ? Algebra.directions(x, at, n, d) : x;
    this.at = directions ? 0 : at;
    this.d = d;
    this.layer = layer;
    double[] others = directions ? Algebra.directions(keys, at, n, d) : keys;
    for (Layer.LayerHead head : layer.heads()) {
      heads.add(new HeadAttention(this.x, others, this.at, n, d, layer, head));
    }
    logRadius = new double[n];
    for (int i = 0; i < n; i++) {
      logRadius[i] = Math.log(Algebra.norm(x, at + i * d, d));
    }
  }

  /**
   * What was found for one token.
   *
   * @param value the field e^L f
   * @param off sum over heads of sum_{j != i} w_ij
   * @param self sum over the heads whose self term P(V x_i) is projected of W_i; 0 elsewhere
   * @param margin smallest hardmax margin over heads
   * @param dead whether the row has no live key
   */
  record Token(ScaledVector value, double off, double self, double margin, boolean dead) {
    Token with(ScaledVector other) {
      return new Token(other, off, self, margin, dead);
    }

    /** The same e^c times as fast. */
    Token times(double c) {
      double factor = Math.exp(c);
      value.scale(c);
      return new Token(value, factor * off, factor * self, margin, dead);
    }
  }

  /**
   * v_i. Sphere: sum_h P(V Delta) + W P(V x_i), the second term exactly 0 and left out for V = c I;
   * Euclidean: sum_h V Delta + W V x_i; rescaled: sum_h V Delta. Then what the layer's rule says. 0
   * for a frozen token.
   */
  Token velocity(int i) {
    return ruled(i, own(i), layer.geometry() == Geometry.SPHERE);
  }

  private Token own(int i) {
    return field(i, layer.geometry() == Geometry.SPHERE, layer.geometry() != Geometry.RESCALED);
  }

  /** u_i = sum_h V Delta + W V x_i, in every geometry. */
  Token attention(int i) {
    return ruled(i, field(i, false, true), false);
  }

  /** What becomes of a token's field by the layer's rule. */
  private Token ruled(int i, Token t, boolean project) {
    if (layer.rule() instanceof FeedForward term) {
      return t.with(forwarded(i, term, t.value(), project));
    }
    if (layer.rule() instanceof TokenRule.Normalised scheme) {
      return t.times(logFactor(i, scheme, t));
    }
    return t;
  }

  private ScaledVector forwarded(int i, FeedForward term, ScaledVector v, boolean project) {
    if (term.of() == FeedForward.Source.ATTENTION) {
      double[] drift = new double[d];
      v.writeTo(drift, 0);
      ScaledVector image = new ScaledVector(d);
      image.add(0, term.image(drift));
      return image;
    }
    double[] added = term.image(Arrays.copyOfRange(x, at + i * d, at + (i + 1) * d));
    if (project) {
      Algebra.project(added, x, at + i * d);
    }
    v.add(0, added);
    return v;
  }

  /** ln of the factor of a scheme; 0 where there is no attention output to divide by. */
  private double logFactor(int i, TokenRule.Normalised scheme, Token t) {
    double length =
        switch (scheme.form()) {
          case DIRECTIONS, KEPT_RADIUS -> 0;
          case UNIT -> t.value().logNorm();
          case UNIT_TANGENT -> field(i, false, true).value().logNorm();
        };
    if (length == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    return switch (scheme.form()) {
      case DIRECTIONS -> 0;
      case KEPT_RADIUS -> logRadius[i];
      case UNIT -> -length;
      case UNIT_TANGENT -> Math.log(scheme.speed()) - length;
    };
  }

  private Token field(int token, boolean project, boolean withSelf) {
    // Under the full mask a group's tokens share place and field, to the bit.
    boolean together = layer.merged() != null && layer.mask().full();
    int i = together ? layer.merged().leader(token) : token;
    ScaledVector sum = new ScaledVector(d);
    if (layer.frozen(token)) {
      return new Token(sum, 0, 0, Double.POSITIVE_INFINITY, false);
    }
    double off = 0;
    double projected = 0;
    double margin = Double.POSITIVE_INFINITY;
    boolean dead = true;
    for (int h = 0; h < heads.size(); h++) {
      HeadAttention.Row row = heads.get(h).row(i);
      if (row.live() == 0) {
        continue;
      }
      dead = false;
      off += row.off() == 0 ? 0 : Math.exp(row.log()) * row.off();
      margin = Math.min(margin, row.margin());
      Weight v = layer.heads().get(h).v();
      double[] others = Algebra.apply(v, row.delta(), 0);
      if (project) {
        Algebra.project(others, x, at + i * d);
      }
      sum.add(row.log(), others);
      if (withSelf && !(project && v.isScalar())) {
        double[] self = Algebra.apply(v, x, at + i * d);
        if (project) {
          Algebra.project(self, x, at + i * d);
          projected += Math.exp(row.logTotal()) * row.total();
        }
        for (int a = 0; a < d; a++) {
          self[a] *= row.total();
        }
        sum.add(row.logTotal(), self);
      }
    }
    return new Token(sum, off, projected, margin, dead);
  }
}
