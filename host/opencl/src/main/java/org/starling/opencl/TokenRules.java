package org.starling.opencl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.starling.core.engine.MemoryPlan;
import org.starling.core.engine.Shape;
import org.starling.core.model.FeedForward;
import org.starling.core.model.Geometry;
import org.starling.core.model.Layer;
import org.starling.core.model.Precision;
import org.starling.core.model.TokenRule;
import org.starling.core.model.TokenRule.Normalised;
import org.starling.core.model.TokenRule.Normalised.Form;
import org.starling.opencl.attention.LayerOperations;

/**
 * Velocities of layers that have a rule token by token: the attention of the layer's geometry, of
 * directions where the rule reads them, and then the rule. Replicas under one rule go together.
 */
final class TokenRules implements AutoCloseable {
  private final FeedForwardPass forward;
  private final LayerOperations layers;
  private final StateOperations states;
  private final Function<Shape, ClState> newState;
  private final Function<Shape, ClField> newField;
  private ClState directions;
  private ClField output;

  TokenRules(
      LayerOperations layers,
      StateOperations states,
      Function<Shape, ClState> newState,
      Function<Shape, ClField> newField,
      FeedForwardPass forward) {
    this.forward = forward;
    this.layers = layers;
    this.states = states;
    this.newState = newState;
    this.newField = newField;
  }

  /** What the rules of these layers need besides what attention needs. */
  static List<MemoryPlan.Item> buffers(Shape shape, List<Layer> list, Precision precision) {
    long bytes = shape.size() * Parts.realBytes(precision);
    if (list.stream().anyMatch(l -> l.rule() instanceof FeedForward)) {
      return FeedForwardPass.buffers(shape, precision);
    }
    if (list.stream().anyMatch(Layer::readsDirections)) {
      int parts = precision == Precision.MIXED ? 2 : 1;
      return List.of(new MemoryPlan.Item("directions", parts, bytes));
    }
    boolean ruled = list.stream().anyMatch(l -> l.rule() != null);
    return ruled ? List.of(new MemoryPlan.Item("attention output", 1, bytes)) : List.of();
  }

  /** The velocity, or the raw attention output with the rule applied. */
  void evaluate(ClState x, Layer[] list, boolean[] active, ClField out, boolean raw) {
    Map<TokenRule, boolean[]> groups = new LinkedHashMap<>();
    for (int r = 0; r < list.length; r++) {
      if (active[r]) {
        groups.computeIfAbsent(list[r].rule(), rule -> new boolean[list.length])[r] = true;
      }
    }
    groups.forEach((rule, which) -> evaluate(x, list, which, out, raw, rule));
  }

  private void evaluate(
      ClState x, Layer[] list, boolean[] which, ClField out, boolean raw, TokenRule rule) {
    boolean reads = rule != null && rule.readsDirections();
    ClState from = reads ? directionsOf(x, which) : x;
    attention(from, list, which, out, raw);
    if (rule instanceof FeedForward term) {
      forward.apply(term, x, which, !raw && list[first(which)].geometry() == Geometry.SPHERE, out);
    }
    if (rule instanceof Normalised scheme) {
      normalise(scheme, x, list, which, out, raw);
    }
  }

  private static int first(boolean[] which) {
    int r = 0;
    while (!which[r]) {
      r++;
    }
    return r;
  }

  private void attention(ClState x, Layer[] list, boolean[] which, ClField out, boolean raw) {
    if (raw) {
      layers.attend(x, list, which, out);
    } else {
      layers.velocity(x, list, which, out);
    }
  }

  private void normalise(
      Normalised scheme, ClState x, Layer[] list, boolean[] which, ClField out, boolean raw) {
    if (scheme.form() == Form.KEPT_RADIUS) {
      states.scaleTokens(out, x.values(), 1, false, which);
    } else if (scheme.form() == Form.UNIT || scheme.form() == Form.UNIT_TANGENT && raw) {
      double speed = scheme.form() == Form.UNIT ? 1 : scheme.speed();
      states.scaleTokens(out, out.values(), speed, true, which);
    } else if (scheme.form() == Form.UNIT_TANGENT) {
      ClField u = output(x.shape());
      layers.attend(x, list, which, u);
      states.scaleTokens(out, u.values(), scheme.speed(), true, which);
    }
  }

  /** Directions of the tokens of some replicas; valid until the next call. */
  ClState directionsOf(ClState x, boolean[] which) {
    if (directions == null || !directions.shape().equals(x.shape())) {
      release();
      directions = newState.apply(x.shape());
    }
    states.retract(directions, x, which);
    return directions;
  }

  private ClField output(Shape shape) {
    if (output == null || !output.shape().equals(shape)) {
      release();
      output = newField.apply(shape);
    }
    return output;
  }

  @Override
  public void close() {
    forward.close();
    release();
  }

  private void release() {
    if (directions != null) {
      directions.close();
      directions = null;
    }
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
