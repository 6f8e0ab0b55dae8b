package org.starling.cpu.reference;

import java.util.Arrays;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.TokenRule;

/** Plain float32 code for a layer's attention, and after it for the layer's rule token by token. */
final class RuledYardstick {
  private final double[] x;
  private final int d;
  private final TokenRule rule;
  private final boolean sphere;
  private final Yardstick own;

  /** The raw attention output, where the rule divides by it; else null. */
  private final Yardstick raw;

  RuledYardstick(double[] x, double[] keys, int n, int d, Layer layer, boolean reversed) {
    this.x = x;
    this.d = d;
    rule = layer.rule();
    sphere = layer.geometry() == Geometry.SPHERE;
    boolean directions = layer.readsDirections();
    double[] at = directions ? Algebra.directions(x, 0, n, d) : x;
    double[] others = directions ? Algebra.directions(keys, 0, n, d) : keys;
    own = new Yardstick(at, others, n, d, layer, reversed);
    boolean divides =
        rule instanceof TokenRule.Normalised s
            && s.form() == TokenRule.Normalised.Form.UNIT_TANGENT;
    raw = divides ? new Yardstick(at, others, n, d, layer.free(), reversed) : null;
  }

  /** The velocity of token i, {@code [d]}, widened to double. */
  double[] velocity(int i) {
    double[] v = own.velocity(i);
    if (rule instanceof TokenRule.Normalised scheme) {
      float factor =
          switch (scheme.form()) {
            case DIRECTIONS -> 1;
            case KEPT_RADIUS -> norm(x, i * d);
            case UNIT -> over(1, norm(v, 0));
            case UNIT_TANGENT -> over((float) scheme.speed(), norm(raw.velocity(i), 0));
          };
      for (int a = 0; a < d; a++) {
        v[a] = (float) v[a] * factor;
      }
    }
    if (rule instanceof FeedForward term) {
      return forwarded(term, v, i);
    }
    return v;
  }

  private double[] forwarded(FeedForward term, double[] v, int i) {
    boolean ofTokens = term.of() == FeedForward.Source.TOKENS;
    double[] token = Arrays.copyOfRange(x, i * d, (i + 1) * d);
    double[] image = term.image(ofTokens ? token : v);
    if (ofTokens && sphere) {
      Algebra.project(image, token, 0);
    }
    for (int a = 0; a < d; a++) {
      image[a] = (float) image[a] + (ofTokens ? (float) v[a] : 0f);
    }
    return image;
  }

  private static float over(float speed, float length) {
    return length == 0 ? 1 : speed / length;
  }

  private float norm(double[] y, int at) {
    float square = 0;
    for (int a = 0; a < d; a++) {
      square += (float) y[at + a] * (float) y[at + a];
    }
    return (float) Math.sqrt(square);
  }
}
