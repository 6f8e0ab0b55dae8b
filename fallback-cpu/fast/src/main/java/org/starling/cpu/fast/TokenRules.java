package org.starling.cpu.fast;

import org.starling.core.model.FeedForward;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.TokenRule;
import org.starling.core.model.TokenRule.Normalised;
import org.starling.core.model.TokenRule.Normalised.Form;

/** The rules of the layers of one evaluation: what attention reads, and what becomes of it. */
final class TokenRules {
  private final Layer[] layers;
  private final FastState x;

  /** Directions of the tokens; null where no layer reads them. */
  private final FastState directions;

  /** Room for raw attention output; null where no rule divides by it. */
  private final FastState output;

  private TokenRules(Layer[] layers, FastState x, FastState directions, FastState output) {
    this.layers = layers;
    this.x = x;
    this.directions = directions;
    this.output = output;
  }

  static TokenRules of(FastEngine engine, Layer[] layers, boolean[] active, FastState x) {
    FastState directions = null;
    FastState output = null;
    for (int r = 0; r < layers.length; r++) {
      if (active[r] && layers[r].readsDirections() && directions == null) {
        directions = engine.own(engine.allocateState(x.shape));
        engine.retract(directions, x, active);
      }
      if (active[r] && divides(layers[r]) && output == null) {
        output = engine.own(engine.allocateField(x.shape));
      }
    }
    return new TokenRules(layers, x, directions, output);
  }

  private static boolean divides(Layer layer) {
    return layer.rule() instanceof Normalised s && s.form() == Form.UNIT_TANGENT;
  }

  /** What attention of replica r reads. */
  FastState positions(int r) {
    return layers[r].readsDirections() ? directions : x;
  }

  /** Whether the velocity of replica r is divided by the length of the raw output. */
  boolean dividesByOutput(int r) {
    return divides(layers[r]);
  }

  FastState output() {
    return output;
  }

  /**
   * Applies the rule of replica r to its part of a field.
   *
   * @param raw whether the field is the raw attention output
   */
  void apply(int r, boolean raw, FastState v) {
    TokenRule rule = layers[r].rule();
    if (rule instanceof FeedForward term) {
      forward(term, r, !raw && layers[r].geometry() == Geometry.SPHERE, v);
    }
    if (rule instanceof Normalised scheme && scheme.form() != Form.DIRECTIONS) {
      int d = x.shape.d();
      for (int i = 0; i < x.shape.n(); i++) {
        int at = (r * x.shape.n() + i) * d;
        double factor = factor(scheme, at, raw, v, d);
        for (int c = at; c < at + d; c++) {
          v.set(c, v.get(c) * factor);
        }
      }
    }
  }

  private void forward(FeedForward term, int r, boolean project, FastState v) {
    int d = x.shape.d();
    boolean ofTokens = term.of() == FeedForward.Source.TOKENS;
    double[] y = new double[d];
    for (int i = 0; i < x.shape.n(); i++) {
      int at = (r * x.shape.n() + i) * d;
      double square = 0;
      for (int c = 0; c < d; c++) {
        y[c] = ofTokens ? x.get(at + c) : v.get(at + c);
        square += y[c] * y[c];
      }
      double[] image = term.image(y);
      double along = 0;
      for (int c = 0; project && c < d; c++) {
        along += image[c] * y[c] / square;
      }
      for (int c = 0; c < d; c++) {
        v.set(at + c, image[c] - along * y[c] + (ofTokens ? v.get(at + c) : 0));
      }
    }
  }

  private double factor(Normalised scheme, int at, boolean raw, FastState v, int d) {
    if (scheme.form() == Form.KEPT_RADIUS) {
      return StateOperations.norm(x, at, d);
    }
    boolean other = scheme.form() == Form.UNIT_TANGENT && !raw;
    double length = StateOperations.norm(other ? output : v, at, d);
    double speed = scheme.form() == Form.UNIT ? 1 : scheme.speed();
    return length == 0 ? 1 : speed / length;
  }
}
