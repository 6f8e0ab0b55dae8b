package org.starling.cpu.reference;

import java.util.ArrayList;
import java.util.List;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Weight;

/** The definition of the velocity and of the attention output of one token of one replica. */
final class AttentionField {
  private final double[] x;
  private final int at;
  private final int d;
  private final Layer layer;
  private final List<HeadAttention> heads = new ArrayList<>();

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
    this.x = x;
    this.at = at;
    this.d = d;
    this.layer = layer;
    for (Layer.LayerHead head : layer.heads()) {
      heads.add(new HeadAttention(x, keys, at, n, d, layer, head));
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
  record Token(ScaledVector value, double off, double self, double margin, boolean dead) {}

  /**
   * v_i. Sphere: sum_h P(V Delta) + W P(V x_i), the second term exactly 0 and left out for V = c I;
   * Euclidean: sum_h V Delta + W V x_i; rescaled: sum_h V Delta. 0 for a frozen token.
   */
  Token velocity(int i) {
    return field(i, layer.geometry() == Geometry.SPHERE, layer.geometry() != Geometry.RESCALED);
  }

  /** u_i = sum_h V Delta + W V x_i, in every geometry. */
  Token attention(int i) {
    return field(i, false, true);
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
